#include "tests/cluster_checker/run.h"

#include <algorithm>
#include <cstdio>

#include "absl/strings/str_format.h"

namespace vaquita::checker {
namespace {

constexpr int kMostPrinted = 3;

}  // namespace

void StopFlag::Set() {
  const std::lock_guard lock(mutex_);
  set_ = true;
  changed_.notify_all();
}

bool StopFlag::Pause(std::chrono::milliseconds time) {
  std::unique_lock lock(mutex_);
  return !changed_.wait_for(lock, time, [this] { return set_.load(); });
}

void Run::Fail(const std::string& what) {
  {
    const std::lock_guard lock(mutex_);
    if (++failures_ <= kMostPrinted) std::printf("FAILED (seed %lu): %s\n", seed_, what.c_str());
    std::fflush(stdout);
  }
  stop.Set();
}

bool Run::failed() const {
  const std::lock_guard lock(mutex_);
  return failures_ > 0;
}

void Run::Count(std::string_view what, int64_t times) {
  const std::lock_guard lock(mutex_);
  counts_.try_emplace(std::string(what)).first->second += times;
}

void Run::Require(const std::vector<std::string>& what) {
  for (const std::string& each : what) {
    std::unique_lock lock(mutex_);
    const bool counted = counts_.contains(each);
    lock.unlock();
    if (!counted) Fail("not once in this run: " + each);
  }
}

void Run::Longest(std::string_view what, int64_t nanoseconds) {
  const std::lock_guard lock(mutex_);
  int64_t& longest = longest_ns_.try_emplace(std::string(what)).first->second;
  longest = std::max(longest, nanoseconds);
}

std::string Run::Figures() const {
  const std::lock_guard lock(mutex_);
  std::string text;
  for (const auto& [what, times] : counts_) absl::StrAppendFormat(&text, "  %-40s %10d\n", what, times);
  for (const auto& [what, ns] : longest_ns_) {
    absl::StrAppendFormat(&text, "  %-40s %10.1f s\n", "longest " + what, static_cast<double>(ns) / 1e9);
  }
  return text;
}

}  // namespace vaquita::checker
