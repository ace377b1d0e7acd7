// server/frontend/grpc/grpc_serving.h: what the gRPC services stand in front of, from when it is there until it stops.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>

#include "absl/status/statusor.h"
#include "base/status.h"
#include "server/master/master.h"
#include "server/regionserver/region_server.h"

namespace vaquita {

class ServingSlot;

// What a call works on, for as long as it runs. The slot outlives it.
struct Serving {
  Master* master = nullptr;  // null: it is another process
  RegionServer* server = nullptr;

  struct EndCall {
    void operator()(const ServingSlot* slot) const;
  };
  std::unique_ptr<const ServingSlot, EndCall> call;
};

// Threads: Set once, on any thread; Get on any thread at any time; Stop once.
class ServingSlot {
 public:
  void Set(Master* master, RegionServer* server) {
    master_ = master;
    server_ = server;
    ready_.store(true, std::memory_order_release);
  }

  absl::StatusOr<Serving> Get() const {
    // Counted before it looks, so that Stop either sees the call or is seen by it.
    running_.fetch_add(1);
    Serving serving;
    serving.call.reset(this);
    if (stopping_.load()) return Error(ErrorKind::kServerNotRunningYet, "Server is stopping");
    if (!ready_.load(std::memory_order_acquire)) {
      return Error(ErrorKind::kServerNotRunningYet, "Server is not running yet");
    }
    serving.master = master_;
    serving.server = server_;
    return serving;
  }

  // Refuses calls from now on, and waits for the running ones, but no longer than `patience`.
  void Stop(std::chrono::milliseconds patience) {
    stopping_.store(true);
    std::unique_lock lock(mutex_);
    idle_.wait_for(lock, patience, [this] { return running_.load() == 0; });
  }

 private:
  friend struct Serving::EndCall;
  void End() const {
    if (running_.fetch_sub(1) > 1 || !stopping_.load()) return;
    std::lock_guard lock(mutex_);
    idle_.notify_all();
  }

  Master* master_ = nullptr;
  RegionServer* server_ = nullptr;
  std::atomic<bool> ready_ = false;
  std::atomic<bool> stopping_ = false;
  mutable std::atomic<int> running_ = 0;
  mutable std::mutex mutex_;
  mutable std::condition_variable idle_;
};

inline void Serving::EndCall::operator()(const ServingSlot* slot) const { slot->End(); }

}  // namespace vaquita
