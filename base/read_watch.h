// base/read_watch.h: ends a read that takes long before it is done.
//
// A filter may refuse millions of cells, or take milliseconds for each. So a read checks after some milliseconds, and
// after some rows, whether anybody still waits for the answer (its watch) and whether its time is over (its clock).
// Threads: one at a time.
#pragma once

#include <time.h>

#include <algorithm>
#include <cstdint>

#include "absl/status/status.h"
#include "base/clock.h"

namespace vaquita {

class ReadWatch {
 public:
  virtual ~ReadWatch() = default;
  // Returns the error with which the read ends, or OK if it goes on. The reading thread calls it once in some
  // milliseconds, so it may cost a system call.
  virtual absl::Status Check() = 0;
};

// Decides where one answer of a read stops, and why. Store scanners ask before each cell, the region's scan after each
// row.
class ReadStop {
 public:
  // `clock` outlives it.
  explicit ReadStop(const Clock* clock) : clock_(clock) {}

  // Begins a new answer. It ends at `deadline_ms` by the clock (-1: never), inside a row only if `inside_rows`, or when
  // `watch` returns an error. `watch` may be null.
  void Begin(int64_t deadline_ms, bool inside_rows, ReadWatch* watch) {
    deadline_ms_ = deadline_ms;
    inside_rows_ = inside_rows;
    watch_ = watch;
    active_ = deadline_ms >= 0 || watch != nullptr;
    at_deadline_ = false;
    status_ = absl::OkStatus();
    between_looks_ = 1;
    rows_left_ = 1;
    cells_left_ = 1;
    unchecked_rows_ = 0;
    if (active_) checked_ms_ = looked_ms_ = RoughMs();
  }

  // Returns true if the read is to stop in front of the next cell.
  bool BeforeCell() {
    if (!active_ || --cells_left_ > 0) return false;
    CheckIf(LooksDue());
    cells_left_ = between_looks_;
    return StoppedAtCell();
  }
  // Returns whether BeforeCell has returned true.
  bool StoppedAtCell() const { return !status_.ok() || (inside_rows_ && at_deadline_); }
  // Returns true if the read is to stop in front of the next row.
  bool AfterRow() {
    if (!active_) return false;
    ++unchecked_rows_;
    if (--rows_left_ <= 0) {
      CheckIf(LooksDue() || unchecked_rows_ >= kRowsBetweenChecks);
      rows_left_ = between_looks_;
    }
    return !status_.ok() || at_deadline_;
  }

  // Returns the watch's error by which the read stopped; OK if it stopped at the deadline, and may go on with another
  // answer.
  const absl::Status& status() const { return status_; }

 private:
  static constexpr int64_t kRowsBetweenChecks = 64;
  static constexpr int64_t kCheckMs = 10;
  static constexpr int64_t kMostBetweenLooks = 8;

  // Reads a clock that may be a few milliseconds late, and costs a few nanoseconds.
  static int64_t RoughMs() {
    timespec now;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
    return now.tv_sec * 1000 + now.tv_nsec / 1'000'000;
  }
  // Looks at the rough clock, and returns whether a check is due. The next look comes after one cell, or row, if time
  // has passed since the last one, for a filter may take long; otherwise after twice as many as before.
  bool LooksDue() {
    const int64_t now_ms = RoughMs();
    between_looks_ = now_ms > looked_ms_ ? 1 : std::min(2 * between_looks_, kMostBetweenLooks);
    looked_ms_ = now_ms;
    return now_ms - checked_ms_ >= kCheckMs;
  }
  void CheckIf(bool due) {
    if (!due) return;
    checked_ms_ = looked_ms_;
    unchecked_rows_ = 0;
    if (watch_ != nullptr && status_.ok()) status_ = watch_->Check();
    if (deadline_ms_ >= 0 && clock_->NowMs() >= deadline_ms_) at_deadline_ = true;
  }

  const Clock* const clock_;
  int64_t deadline_ms_ = -1;
  bool inside_rows_ = false;
  ReadWatch* watch_ = nullptr;
  bool active_ = false;
  bool at_deadline_ = false;
  absl::Status status_;
  int64_t between_looks_ = 1;  // cells, or rows
  // Countdowns: a remainder would cost a division for each cell.
  int64_t rows_left_ = 0;
  int64_t cells_left_ = 0;
  int64_t unchecked_rows_ = 0;
  int64_t looked_ms_ = 0;
  int64_t checked_ms_ = 0;
};

}  // namespace vaquita
