// server/control/grpc/grpc_slot.h: the object behind a service, while it exists.
//
// Threads: any.
#pragma once

#include <optional>
#include <shared_mutex>
#include <utility>

#include "absl/status/statusor.h"
#include "base/status.h"

namespace vaquita {

template <typename Target>
class GrpcSlot {
 public:
  // The target, for as long as a call runs.
  class InUse {
   public:
    InUse(std::shared_lock<std::shared_mutex> lock, const Target* target) : lock_(std::move(lock)), target_(target) {}
    const Target* operator->() const { return target_; }
    const Target& operator*() const { return *target_; }

   private:
    std::shared_lock<std::shared_mutex> lock_;
    const Target* target_;
  };

  void Set(Target target) {
    std::unique_lock lock(mutex_);
    target_ = std::move(target);
  }
  // Waits for running calls.
  void Clear() {
    std::unique_lock lock(mutex_);
    target_.reset();
  }
  // Returns kServerNotRunningYet if the slot is empty.
  absl::StatusOr<InUse> Get() const {
    std::shared_lock lock(mutex_);
    if (!target_.has_value()) return Error(ErrorKind::kServerNotRunningYet, "Server is not running yet");
    return InUse(std::move(lock), &*target_);
  }

 private:
  mutable std::shared_mutex mutex_;
  std::optional<Target> target_;
};

}  // namespace vaquita
