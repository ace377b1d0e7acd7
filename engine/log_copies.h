// engine/log_copies.h: takes a database's logs away from a process that may still write them.
//
// Threads: one.
#pragma once

#include <string>

#include "absl/status/status.h"

namespace vaquita {

// Puts copies in place of the logs of the database in `folder`, and of what says how far they were written. A process
// that has them open goes on writing files that have no name any more.
absl::Status CopyLogsInPlace(const std::string& folder);

}  // namespace vaquita
