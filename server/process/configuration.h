// server/process/configuration.h: where a process's Options come from, beside their defaults.
//
// From weak to strong: the defaults (base/options.h), a file in hbase-site.xml's format, the environment, assignments
// on the command line. An unknown property is a warning, because a file written for HBase has many that mean nothing
// here; a malformed value is an error that names the source, the property, the value and what would be right. Threads:
// none; done before the first thread starts.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "base/options.h"

namespace vaquita {

// Reads <configuration><property><name/><value/></property>...</configuration>. NotFound if the file cannot be read,
// InvalidArgument, with the place, if it is not XML of that form. Unknown properties are added to `*warnings`.
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
