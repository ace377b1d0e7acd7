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
#include <time.h>

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
    const ThreadWork before = suspect ? WorkOfThread() : ThreadWork{};
    const auto begin = std::chrono::steady_clock::now();
    auto result = call();
    const auto us = std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - begin);
    AddTo(cost, suspect ? WorkUs(before, us.count()) : us.count(), suspect);
    last_us_ = us.count();
    return result;
  }
  // Returns how long the last call took that ran here.
  int64_t last_us() const { return last_us_; }
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

  struct ThreadWork {
    int64_t cpu_us = 0;
    int64_t waits = 0;
  };
  // The CPU time comes from the thread's clock: getrusage() has it as it was at the last tick, up to 10 ms ago.
  static ThreadWork WorkOfThread() {
    timespec cpu{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &cpu);
    rusage usage{};
    getrusage(RUSAGE_THREAD, &usage);
    return {cpu.tv_sec * int64_t{1'000'000} + cpu.tv_nsec / 1000, usage.ru_nvcsw};
  }
  // Returns the CPU time since `before`, or all of the time if the thread waited for something.
  static int64_t WorkUs(const ThreadWork& before, int64_t elapsed_us) {
    const ThreadWork now = WorkOfThread();
    return now.waits != before.waits ? elapsed_us : now.cpu_us - before.cpu_us;
  }

  std::array<Cost, 8> costs_;
  int64_t last_us_ = 0;
};

}  // namespace vaquita::hbase
