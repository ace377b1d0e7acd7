// tools/shell/list_regions.h: the command `list_regions`.
//
// Source: hbase-shell's shell/commands/list_regions.rb (2.6).
#pragma once

#include "absl/status/status.h"
#include "tools/shell/command.h"

namespace vaquita::shell {

// arguments: the table; a server or a hash of SERVER_NAME and LOCALITY_THRESHOLD; the columns.
absl::Status ListRegions(Context& context, const Arguments& arguments);

}  // namespace vaquita::shell
