// base/serving_slot.h: a slot for the objects that a service's calls use, such as its servers.
//
// They are set after the service was made, and can be exchanged when no call holds them. Threads: Set once, then Pause
// and Resume in turns, then Stop; Get on any thread at any time.
#pragma once

#include <atomic>
#include <chrono>
#include <optional>
#include <utility>

#include "absl/status/statusor.h"
#include "base/pausable.h"
#include "base/status.h"

namespace vaquita {

// Target is a struct that can be copied.
template <typename Target>
class ServingSlot {
 public:
  // A call's hold on the target. The slot outlives it.
  struct Held : Target {
    Pausable::Pass pass;
  };

  void Set(Target target) {
    target_ = std::move(target);
    is_set_.store(true, std::memory_order_release);
  }
  // Waits until no call holds the target. Later calls wait for Resume.
  void Pause() { use_.Pause(); }
  void Resume(Target target) {
    Set(std::move(target));
    use_.Resume();
  }
  // Refuses calls from now on, and waits for the running ones, at most for `patience` if it is given.
  void Stop(std::optional<std::chrono::milliseconds> patience = std::nullopt) { use_.CloseAndWait(patience); }

  // Returns kServerNotRunningYet before Set and after Stop.
  absl::StatusOr<Held> Get() const {
    Pausable::Pass pass = use_.Enter();
    if (!pass.inside()) return Error(ErrorKind::kServerNotRunningYet, "Server is stopping");
    if (!is_set_.load(std::memory_order_acquire)) {
      return Error(ErrorKind::kServerNotRunningYet, "Server is not running yet");
    }
    return Held{target_, std::move(pass)};
  }

 private:
  mutable Pausable use_;
  std::atomic<bool> is_set_ = false;
  Target target_;
};

}  // namespace vaquita
