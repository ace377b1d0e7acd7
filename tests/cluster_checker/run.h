// tests/cluster_checker/run.h: the shared state of one run of the checker: the stop flag, failures and figures.
//
// Threads: any.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace vaquita::checker {

// Asks loops and pauses to end.
class StopFlag {
 public:
  void Set();
  bool IsSet() const { return set_; }
  // Waits. Returns false if the flag is set before the time is over.
  bool Pause(std::chrono::milliseconds time);

 private:
  std::atomic<bool> set_{false};
  std::mutex mutex_;
  std::condition_variable changed_;
};

class Run {
 public:
  explicit Run(uint64_t seed) : seed_(seed) {}

  uint64_t seed() const { return seed_; }
  // Returns the random numbers of thread `number`.
  std::mt19937_64 Random(uint64_t number) const { return std::mt19937_64(seed_ * 1'000 + number); }

  // Notes a failure. The first is printed at once, and the run ends.
  void Fail(const std::string& what);
  bool failed() const;

  void Count(std::string_view what, int64_t times = 1);
  // Fails the run for each of `what` that was never counted: then something was not checked.
  void Require(const std::vector<std::string>& what);
  // Notes a duration of `what`; the longest is reported.
  void Longest(std::string_view what, int64_t nanoseconds);
  std::string Figures() const;

  StopFlag stop;  // for clients; Fail() sets it too

 private:
  const uint64_t seed_;
  mutable std::mutex mutex_;
  int failures_ = 0;
  std::map<std::string, int64_t, std::less<>> counts_;
  std::map<std::string, int64_t, std::less<>> longest_ns_;
};

}  // namespace vaquita::checker
