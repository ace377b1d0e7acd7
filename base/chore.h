// base/chore.h: runs a function periodically on a thread of its own.
//
// Source: ScheduledChore (2.6).
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>

namespace vaquita {

class Chore {
 public:
  // Runs `work` every `period`, for the first time after one.
  Chore(std::chrono::milliseconds period, std::function<void()> work)
      : period_(period), work_(std::move(work)), thread_([this] { Run(); }) {}
  // Waits for the end of a run.
  ~Chore() {
    {
      std::lock_guard lock(mutex_);
      stopping_ = true;
      stop_.notify_all();
    }
    thread_.join();
  }
  Chore(const Chore&) = delete;
  Chore& operator=(const Chore&) = delete;

 private:
  void Run() {
    std::unique_lock lock(mutex_);
    while (!stop_.wait_for(lock, period_, [this] { return stopping_; })) {
      lock.unlock();
      work_();
      lock.lock();
    }
  }

  const std::chrono::milliseconds period_;
  const std::function<void()> work_;
  std::mutex mutex_;
  std::condition_variable stop_;
  bool stopping_ = false;
  std::thread thread_;  // last, so that it starts when all else is there
};

}  // namespace vaquita
