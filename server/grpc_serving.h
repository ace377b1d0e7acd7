// server/grpc_serving.h: what the gRPC services stand in front of, once it is there.
#pragma once

#include <atomic>

#include "absl/status/statusor.h"
#include "engine/status.h"
#include "server/master.h"
#include "server/region_server.h"

namespace vaquita {

struct Serving {
  Master* master;
  RegionServer* server;
};

// Threads: Set once, on any thread; Get on any thread at any time.
class ServingSlot {
 public:
  void Set(Master* master, RegionServer* server) {
    serving_ = {master, server};
    ready_.store(true, std::memory_order_release);
  }
  absl::StatusOr<Serving> Get() const {
    if (!ready_.load(std::memory_order_acquire))
      return Error(ErrorKind::kServerNotRunningYet, "Server is not running yet");
    return serving_;
  }

 private:
  Serving serving_{};
  std::atomic<bool> ready_ = false;
};

}  // namespace vaquita
