// engine/write_health.h: whether a database takes writes, and why not.
//
// A full disk or too many open files pass, and RocksDB then resumes its work by itself; after other errors only a new
// process can open the database again. Threads: any.
#pragma once

#include <mutex>
#include <utility>

#include "absl/status/status.h"

namespace vaquita {

class WriteHealth {
 public:
  struct State {
    absl::Status why;       // OK: writes work
    bool for_good = false;  // they will not work again in this process
  };

  State Get() const {
    std::lock_guard lock(mutex_);
    return state_;
  }
  // Writes fail. The first failure for good is kept.
  void Fail(absl::Status why, bool for_good) {
    std::lock_guard lock(mutex_);
    if (!state_.for_good) state_ = {std::move(why), for_good};
  }
  // Writes work again, unless they failed for good.
  void Recover() {
    std::lock_guard lock(mutex_);
    if (!state_.for_good) state_ = {};
  }

 private:
  mutable std::mutex mutex_;
  State state_;
};

}  // namespace vaquita
