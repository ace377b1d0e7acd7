// server/test_control/call_log.h: the last calls that the server got, for what a test asserts on.
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

  // `clock` outlives it.
  explicit CallLog(const Clock* clock) : clock_(clock) {}

  void Add(const net::GatedCall& call, const net::CallFate& fate, const net::CallEnd& end);
  v1::ListCallsResponse List(const v1::ListCallsRequest& request) const;
  void Forget();  // numbers begin with 1 again

 private:
  const Clock* const clock_;
  mutable std::mutex mutex_;
  int64_t next_ = 1;
  std::deque<v1::TestCall> calls_;
};

}  // namespace vaquita
