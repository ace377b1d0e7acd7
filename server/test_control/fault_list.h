// server/test_control/fault_list.h: the faults that a test has added: the calls that they match, and their effects.
//
// Deterministic: a fault counts the calls that it matches, skips the first ones, and applies to the next. If several
// faults apply to a call, the one that was added first decides. Threads: any.
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
  static constexpr size_t kMostFaults = 10'000;

  ~FaultList() { Stop(); }

  // Returns the fault with its id, and its exception's class in full. A fault that has an id keeps it. InvalidArgument,
  // naming the field, if it cannot be; AlreadyExists: there is one of its id; ResourceExhausted: there are too many.
  absl::StatusOr<v1::Fault> Add(v1::Fault fault);
  std::vector<v1::Fault> List() const;
  // Removes the fault `id` (0: all); calls that wait for a removed fault go on. NotFound if there is no such fault.
  absl::StatusOr<int> Clear(int64_t id);

  // Returns whether there is a fault `id`, and it may still apply.
  bool Has(int64_t id) const;
  // Returns an id that no other fault gets.
  int64_t TakeId();
  // Returns whether a fault makes the server seem dead now.
  bool SeemsDead() const;

  bool empty() const;
  // Decides about a call, and waits for its delay.
  net::CallFate Decide(const net::GatedCall& call);
  // Ends the wait of calls; no fault applies any more.
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
