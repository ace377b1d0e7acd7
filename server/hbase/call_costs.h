// server/hbase/call_costs.h: which methods of a connection prove expensive.
//
// A call that does not wait runs where it was read, since handing it to a worker costs more than a cheap call does. But
// a connection is read by one thread, so its expensive calls would share one core: these go to the workers. What a call
// will cost is not known before, so a method is judged by the calls that ran here, and tried here again now and then.
// Threads: the connection's own.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <string_view>

namespace vaquita::hbase {

class CallCosts {
 public:
  // Whether the next call of `method` is to go to the workers.
  bool SendsAway(std::string_view method) {
    Cost& cost = CostOf(method);
    if (cost.mean_us <= kExpensiveUs) return false;
    return cost.away++ % kTryAfter != 0;
  }
  // A call of `method` ran here.
  void Add(std::string_view method, std::chrono::nanoseconds took) {
    const int64_t us = std::min<int64_t>(took.count() / 1000, kMostUs);
    Cost& cost = CostOf(method);
    cost.mean_us += (us - cost.mean_us) / 4;
    cost.away = 1;
  }

 private:
  static constexpr int64_t kExpensiveUs = 200;
  // One call that takes long, as the thread lost its core meanwhile, makes no method expensive; two in a row do.
  static constexpr int64_t kMostUs = 3 * kExpensiveUs;
  static constexpr int64_t kTryAfter = 64;

  struct Cost {
    int64_t mean_us = 0;  // younger calls count for more
    int64_t away = 1;     // calls since the last one here
  };
  // Two methods in one place are judged together.
  Cost& CostOf(std::string_view method) { return costs_[std::hash<std::string_view>()(method) % costs_.size()]; }

  std::array<Cost, 8> costs_;
};

}  // namespace vaquita::hbase
