// lab/simulator/parallel_ranges.h: gives ranges of the numbers 0 to n - 1 to threads.
//
// The assignment of ranges to threads varies. Work whose result must not depend on it adds up results by range. Run
// returns the error of the first range that failed, so that it does not depend on the number of threads.
#pragma once

#include <cstdint>
#include <functional>

#include "absl/status/status.h"

namespace vaquita::lab {

struct IndexRange {
  uint64_t first = 0;
  uint64_t last = 0;  // exclusive
};

class ParallelRanges {
 public:
  // `threads` 0 means as many as the machine has. It never uses more threads than ranges.
  ParallelRanges(uint64_t count, int threads);

  int threads() const { return threads_; }

  // Calls `work` for every range; `thread` is 0 to threads() - 1, and a thread does one range at a time. After an error
  // no further range is begun. `on_progress`, if it is set, is called by the caller's thread several times a second
  // with how many numbers are done.
  absl::Status Run(const std::function<absl::Status(int thread, const IndexRange&)>& work,
                   const std::function<void(uint64_t)>& on_progress = nullptr) const;

 private:
  uint64_t count_;
  int threads_;
};

}  // namespace vaquita::lab
