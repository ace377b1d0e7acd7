// base/pausable.h: pauses work: running work ends first, and new work waits.
//
// Threads: any. Pause and Resume take turns, on any threads.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <utility>

namespace vaquita {

class Pausable {
 public:
  // Work goes on for as long as its pass lives. The Pausable outlives it.
  class Pass {
   public:
    Pass() = default;
    explicit Pass(Pausable* owner) : owner_(owner) {}
    Pass(Pass&& other) noexcept : owner_(std::exchange(other.owner_, nullptr)) {}
    Pass& operator=(Pass&&) = delete;
    ~Pass() {
      if (owner_ != nullptr) owner_->Leave();
    }
    bool inside() const { return owner_ != nullptr; }

   private:
    Pausable* owner_ = nullptr;
  };

  // Waits for the end of a pause. After Close it returns a pass that is not inside.
  Pass Enter() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !paused_ || closed_; });
    if (closed_) return {};
    ++inside_;
    return Pass(this);
  }
  // Returns a pass that is not inside if work is paused.
  Pass TryEnter() {
    std::lock_guard lock(mutex_);
    if (paused_ || closed_) return {};
    ++inside_;
    return Pass(this);
  }

  void Pause() {
    std::unique_lock lock(mutex_);
    paused_ = true;
    changed_.wait(lock, [this] { return inside_ == 0; });
  }
  void Resume() {
    std::lock_guard lock(mutex_);
    paused_ = false;
    changed_.notify_all();
  }
  // Lets nobody in any more. Those who wait get a pass that is not inside.
  void Close() {
    std::lock_guard lock(mutex_);
    closed_ = true;
    changed_.notify_all();
  }
  // Closes, and waits until nobody is inside, at most for `patience` if it is given.
  void CloseAndWait(std::optional<std::chrono::milliseconds> patience) {
    Close();
    std::unique_lock lock(mutex_);
    const auto is_empty = [this] { return inside_ == 0; };
    if (patience.has_value()) {
      changed_.wait_for(lock, *patience, is_empty);
    } else {
      changed_.wait(lock, is_empty);
    }
  }

 private:
  void Leave() {
    std::lock_guard lock(mutex_);
    if (--inside_ == 0) changed_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  int inside_ = 0;
  bool paused_ = false;
  bool closed_ = false;
};

}  // namespace vaquita
