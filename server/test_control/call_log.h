// server/test_control/call_log.h: the last calls that the server got, for a test's assertions.
//
// Threads: any.
#pragma once

#include <cstdint>
#include <deque>
#include <mutex>

#include "base/clock.h"
#include "server/frontend/net/call_gate.h"
#include "vaquita/v1/test.pb.h"

namespace vaquita {

class CallLog {
 public:
  static constexpr size_t kMostCalls = 10'000;
  static constexpr size_t kMostTextBytes = 1024;  // a text or row is kept to here; a longer one ends with "..."

  // The numbers of calls.
  enum class Numbers {
    kCounted,  // 1, 2, ...
    kByTime,   // microseconds since 1970 by the machine's clock, so that those of several processes have one order
  };

  // `clock` outlives it. Calls beyond `most_bytes` are forgotten, the oldest first.
  CallLog(const Clock* clock, Numbers numbers, size_t most_bytes = size_t{64} << 20)
      : clock_(clock), numbers_(numbers), most_bytes_(most_bytes) {}

  void Add(const net::GatedCall& call, const net::CallFate& fate, const net::CallEnd& end);
  v1::ListCallsResponse List(const v1::ListCallsRequest& request) const;
  void Forget();  // counted numbers begin with 1 again

 private:
  int64_t NextLocked() const;  // at least this is the next call's number
  int64_t ForgottenSince(int64_t since) const;

  const Clock* const clock_;
  const Numbers numbers_;
  const size_t most_bytes_;
  mutable std::mutex mutex_;
  int64_t next_ = 1;
  int64_t dropped_ = 0;       // calls that are not kept any more
  int64_t last_dropped_ = 0;  // the number of the last of them
  std::deque<v1::TestCall> calls_;
  size_t bytes_ = 0;  // all that calls_ takes
};

}  // namespace vaquita
