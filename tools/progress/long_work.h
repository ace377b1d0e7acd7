// tools/progress/long_work.h: says on standard error, if that is a terminal, that work goes on that takes more than two
// seconds, and at its end how long it took.
//
// Threads: one of its own, from the first second on; make it after StopSignals, which blocks signals for all threads.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

namespace vaquita {

class LongWork {
 public:
  struct Options {
    std::FILE* out = nullptr;  // null: standard error if it is a terminal, else nothing
    std::chrono::milliseconds patience{2000};
    std::chrono::milliseconds interval{1000};
  };

  // `what` goes on until the destructor, such as "checking /data".
  explicit LongWork(std::string what) : LongWork(std::move(what), Options()) {}
  LongWork(std::string what, const Options& options);
  ~LongWork();
  LongWork(const LongWork&) = delete;

 private:
  using SteadyClock = std::chrono::steady_clock;

  void Run();
  double Seconds() const { return std::chrono::duration<double>(SteadyClock::now() - start_).count(); }

  const std::string what_;
  const Options options_;
  const SteadyClock::time_point start_ = SteadyClock::now();
  std::mutex mutex_;
  std::condition_variable changed_;
  bool ended_ = false;
  bool said_ = false;
  std::thread thread_;
};

}  // namespace vaquita
