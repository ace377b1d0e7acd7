// tests/cluster_checker/run.h: what the parts of one run of the checker share: when to stop, what is wrong, the
// figures.
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

// Where something ends that was asked to: loops look at it, and pauses end with it.
class StopFlag {
 public:
  void Set();
  bool IsSet() const { return set_; }
  // False if it is set before the time is over.
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
  // Of one thread, which `number` stands for.
  std::mt19937_64 Random(uint64_t number) const { return std::mt19937_64(seed_ * 1'000 + number); }

  // Something is not as it must be: the first is printed at once, and the run ends.
  void Fail(const std::string& what);
  bool failed() const;

  void Count(std::string_view what, int64_t times = 1);
  // Of what `what` stands for, the longest counts.
  void Longest(std::string_view what, int64_t nanoseconds);
  std::string Figures() const;

  StopFlag stop;  // for clients; Fail() sets it, too

 private:
  const uint64_t seed_;
  mutable std::mutex mutex_;
  int failures_ = 0;
  std::map<std::string, int64_t, std::less<>> counts_;
  std::map<std::string, int64_t, std::less<>> longest_ns_;
};

}  // namespace vaquita::checker
