// engine/write_health.h: tells whether a database accepts writes, and if not, why.
//
// A full disk and too many open files are temporary, and RocksDB resumes its work by itself. After other errors only a
// new process can open the database again. Threads: any.
#pragma once

#include <mutex>
#include <utility>

#include "absl/status/status.h"

namespace vaquita {

class WriteHealth {
 public:
  struct State {
    absl::Status why;       // OK: writes work
    bool for_good = false;  // writes will not work again in this process
  };

  State Get() const {
    std::lock_guard lock(mutex_);
    return state_;
  }
  // Notes that writes fail. The first permanent failure is kept.
  void Fail(absl::Status why, bool for_good) {
    std::lock_guard lock(mutex_);
    if (!state_.for_good) state_ = {std::move(why), for_good};
  }
  // Notes that writes work again, unless a permanent failure is noted.
  void Recover() {
    std::lock_guard lock(mutex_);
    if (!state_.for_good) state_ = {};
  }

 private:
  mutable std::mutex mutex_;
  State state_;
};

}  // namespace vaquita
