// server/frontend/hbase/rpc/call_costs.h: finds the methods of a connection that prove expensive.
//
// A call that does not wait runs on the thread that read it, because passing it to a worker costs more than a cheap
// call. But one thread reads a connection, so its expensive calls would share one core: these go to the workers. The
// cost of a call is not known beforehand, so a method is judged by the calls that ran here, and tried here again now
// and then. A call may also seem long because other processes used the core. So the first long call makes its method
// only suspect, and the calls of a suspect are measured by their thread's CPU time.
// Threads: the connection's own.
#pragma once

#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <string_view>

namespace vaquita::hbase {

class CallCosts {
 public:
  // Returns whether the next call of `method` is to go to the workers.
  bool SendsAway(std::string_view method) {
    Cost& cost = CostOf(method);
    if (cost.mean_us <= kExpensiveUs) return false;
    return cost.away++ % kTryAfter != 0;
  }

  // Runs `call`, one of `method`, here, and returns what it returns.
  template <typename Call>
  auto Measure(std::string_view method, const Call& call) {
    Cost& cost = CostOf(method);
    const bool suspect = cost.suspect;
    const rusage before = suspect ? ThreadUsage() : rusage{};
    const auto begin = std::chrono::steady_clock::now();
    auto result = call();
    const auto us = std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - begin);
    AddTo(cost, suspect ? WorkUs(before, us.count()) : us.count(), suspect);
    return result;
  }
  // Notes the time of a call of `method` that ran here; `measured` says that it is CPU time.
  void Add(std::string_view method, std::chrono::microseconds took, bool measured) {
    AddTo(CostOf(method), took.count(), measured);
  }

 private:
  static constexpr int64_t kExpensiveUs = 200;
  // One call that takes long makes no method expensive; two in a row do.
  static constexpr int64_t kMostUs = 3 * kExpensiveUs;
  static constexpr int64_t kTryAfter = 64;

  struct Cost {
    int64_t mean_us = 0;  // younger calls count for more
    int64_t away = 1;     // calls since the last one here
    bool suspect = false;
  };
  // Two methods in one place are judged together.
  Cost& CostOf(std::string_view method) { return costs_[std::hash<std::string_view>()(method) % costs_.size()]; }

  static void AddTo(Cost& cost, int64_t us, bool measured) {
    cost.suspect = us > kExpensiveUs;
    cost.away = 1;
    if (cost.suspect && !measured) return;
    cost.mean_us += (std::min(us, kMostUs) - cost.mean_us) / 4;
  }

  static rusage ThreadUsage() {
    rusage usage{};
    getrusage(RUSAGE_THREAD, &usage);
    return usage;
  }
  // The CPU time since `before`, or all of the time if the thread waited for something.
  static int64_t WorkUs(const rusage& before, int64_t elapsed_us) {
    const rusage now = ThreadUsage();
    if (now.ru_nvcsw != before.ru_nvcsw) return elapsed_us;
    const auto us = [](const timeval& time) { return time.tv_sec * int64_t{1'000'000} + time.tv_usec; };
    return us(now.ru_utime) - us(before.ru_utime) + us(now.ru_stime) - us(before.ru_stime);
  }

  std::array<Cost, 8> costs_;
};

}  // namespace vaquita::hbase
