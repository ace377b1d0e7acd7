// server/frontend/grpc/grpc_serving.h: the servers that the gRPC services call, while they serve.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>

#include "absl/status/statusor.h"
#include "base/clock.h"
#include "base/status.h"
#include "server/frontend/net/call_gate.h"
#include "server/master/master.h"
#include "server/regionserver/region_server.h"

namespace vaquita {

class ServingSlot;

// A call's hold on the servers: they do not stop while it runs. The slot outlives it.
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
  // `gate` (null: calls go through none) and `clock` outlive it.
  ServingSlot(net::CallGate* gate, const Clock* clock) : gate_(gate), clock_(clock) {}

  net::CallGate* gate() const { return gate_; }
  const Clock& clock() const { return *clock_; }

  // Waits for the calls that run. Later ones wait for Resume, which brings other servers.
  void Pause() {
    paused_.store(true);
    std::unique_lock lock(mutex_);
    idle_.wait(lock, [this] { return running_.load() == 0; });
  }
  void Resume(Master* master, RegionServer* server) {
    Set(master, server);
    std::lock_guard lock(mutex_);
    paused_.store(false);
    idle_.notify_all();
  }

  void Set(Master* master, RegionServer* server) {
    master_ = master;
    server_ = server;
    ready_.store(true, std::memory_order_release);
  }

  absl::StatusOr<Serving> Get() const {
    // Counted before it looks, so that Stop and Pause either see the call or are seen by it.
    running_.fetch_add(1);
    while (paused_.load()) {
      End();
      std::unique_lock lock(mutex_);
      idle_.wait(lock, [this] { return !paused_.load() || stopping_.load(); });
      running_.fetch_add(1);
      if (stopping_.load()) break;
    }
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
    std::unique_lock lock(mutex_);
    stopping_.store(true);
    idle_.notify_all();
    idle_.wait_for(lock, patience, [this] { return running_.load() == 0; });
  }

 private:
  friend struct Serving::EndCall;
  void End() const {
    if (running_.fetch_sub(1) > 1 || !(stopping_.load() || paused_.load())) return;
    std::lock_guard lock(mutex_);
    idle_.notify_all();
  }

  net::CallGate* const gate_;
  const Clock* const clock_;
  Master* master_ = nullptr;
  RegionServer* server_ = nullptr;
  std::atomic<bool> ready_ = false;
  std::atomic<bool> stopping_ = false;
  std::atomic<bool> paused_ = false;
  mutable std::atomic<int> running_ = 0;
  mutable std::mutex mutex_;
  mutable std::condition_variable idle_;
};

inline void Serving::EndCall::operator()(const ServingSlot* slot) const { slot->End(); }

}  // namespace vaquita
