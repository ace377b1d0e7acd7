// base/call_context.h: the caller of an operation, and the limits that it sets to the operation's time.
//
// A connection's thread serves many clients, so an operation on it must not wait for one of them. Such a caller asks
// for short waits. An operation that would then wait longer than a moment (for a row's lock, a region that is being
// altered, full memstores, the disk) ends with WouldWait() before it has changed anything, and the caller runs it again
// on a thread that may wait.
#pragma once

#include <chrono>

#include "absl/status/status.h"

namespace vaquita {

class ReadWatch;
struct Caller;

struct CallContext {
  // The sender of the request, by whose rights it is judged. Outlives the operation. Null: nobody is known; where users
  // have rights such a request has none.
  const Caller* caller = nullptr;
  // May end the operation's reads with an error: a get or scan, or the reads of a write (conditions, increments,
  // appends), which come before anything is changed. Outlives the operation. Null: nobody watches.
  ReadWatch* watch = nullptr;
  bool short_waits = false;
};

// Short waits end after this: most locks are free again much sooner.
inline constexpr std::chrono::milliseconds kShortWait(1);

absl::Status WouldWait();
bool IsWouldWait(const absl::Status& status);

}  // namespace vaquita
