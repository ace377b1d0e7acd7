// engine/log_copies.h: replaces a database's logs by copies, so that a process that still has them open can no longer
// change them.
//
// Threads: one.
#pragma once

#include <string>

#include "absl/status/status.h"

namespace vaquita {

// Puts copies in place of the logs of the database in `folder`, and of its MARKS file. A process that has them open
// goes on writing files that have no name any more.
absl::Status CopyLogsInPlace(const std::string& folder);

}  // namespace vaquita
