// tools/console/table_command.h: runs a shell command that changes tables, regions or the balancer, given as JSON.
//
//   {"command": "create", "arguments": ["t", {"NAME": "f", "VERSIONS": 3}, {"SPLITS": ["g", "m\\x00"]}]}
//
// The arguments are values, never text that is parsed, so a name may have any characters. Split keys have \xNN for
// bytes that are not printable. Threads: any.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "tools/console/cluster_link.h"

namespace vaquita {

// Returns {"output": the shell's output}. Returns InvalidArgument with the shell's error.
absl::StatusOr<std::string> RunCommand(ClusterLink* link, std::string_view body);

}  // namespace vaquita
