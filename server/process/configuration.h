// server/process/configuration.h: reads a process's Options from a file, the environment and the command line.
//
// Each source overrides those before it: the defaults (base/options.h), a file in hbase-site.xml's format, the
// environment, assignments on the command line. An unknown property gives a warning, because a file for HBase has many
// without effect here. A malformed value is an error that names the source, the property, the value and what would be
// right. Threads: one, before others start.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "base/options.h"

namespace vaquita {

// Reads <configuration><property><name/><value/></property>...</configuration>. Returns NotFound if the file cannot be
// read; InvalidArgument, with the place, if it is not XML of that form. Adds unknown properties to `*warnings`.
absl::Status ApplyConfigFile(const std::string& path, Options* options, std::vector<std::string>* warnings);

// The environment variable of a property: VAQUITA_ and the name in capitals, '.' and '-' as '_', a leading "vaquita."
// left out. hbase.hregion.memstore.flush.size is VAQUITA_HBASE_HREGION_MEMSTORE_FLUSH_SIZE, vaquita.grpc.port is
// VAQUITA_GRPC_PORT.
std::string EnvironmentName(std::string_view property);

// Takes every VAQUITA_ variable of `environment` ("NAME=value"s, ended by a null, as `environ`).
absl::Status ApplyEnvironment(const char* const* environment, Options* options, std::vector<std::string>* warnings);

// Takes "name=value"s.
absl::Status ApplyAssignments(const std::vector<std::string>& assignments, Options* options,
                              std::vector<std::string>* warnings);

}  // namespace vaquita
