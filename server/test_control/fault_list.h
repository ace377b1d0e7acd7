// server/test_control/fault_list.h: faults on demand: which calls they are for, and what they do to them.
//
// Deterministic: a fault counts the calls that match it, passes over the first ones, and applies to the next. Of
// several that are due the first that was added decides. Threads: any.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "server/frontend/net/call_gate.h"
#include "vaquita/v1/test.pb.h"

namespace vaquita {

class FaultList {
 public:
  ~FaultList() { Stop(); }

  // Returns the fault with its id, and its exception's class in full. A fault that has an id keeps it. InvalidArgument,
  // naming the field, if it cannot be; AlreadyExists: there is one of its id.
  absl::StatusOr<v1::Fault> Add(v1::Fault fault);
  std::vector<v1::Fault> List() const;
  // Removes one, or (0) all; calls that wait for one of them go on. NotFound if it is not there.
  absl::StatusOr<int> Clear(int64_t id);

  // Returns an id for a fault, which no other gets.
  int64_t TakeId();
  // Returns whether a fault makes the server seem dead now.
  bool SeemsDead() const;

  bool empty() const;
  // Decides about a call, and waits for its delay.
  net::CallFate Decide(const net::GatedCall& call);
  // Calls that wait go on, and nothing applies any more.
  void Stop();

 private:
  using Clock = std::chrono::steady_clock;
  struct Entry {
    v1::Fault fault;
    std::chrono::milliseconds delay{0};
  };

  bool Matches(const v1::FaultMatch& match, const net::GatedCall& call) const;
  net::CallFate Apply(Entry& entry, const net::GatedCall& call);
  // Earlier faults left these behind: a server that is dead, regions in transition.
  bool DecideByState(const net::GatedCall& call, net::CallFate* fate);

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  int64_t next_id_ = 1;
  std::map<int64_t, Entry> entries_;
  Clock::time_point dead_until_;
  std::map<std::string, Clock::time_point> in_transition_until_;  // by encoded name
  bool stopped_ = false;
};

}  // namespace vaquita
