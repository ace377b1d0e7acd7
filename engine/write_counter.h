// engine/write_counter.h: numbers the writes of a database in their order, for families with NEW_VERSION_BEHAVIOR.
//
// The numbers of one row's writes ascend, because a writer holds the row's lock. One counter serves all stores of a
// database. When a store opens, it raises the counter to the largest number in its files and memtables, so numbers also
// ascend through restarts and moves. HBase uses its MVCC numbers for this. Threads: any.
#pragma once

#include <atomic>
#include <cstdint>

namespace vaquita {

class WriteCounter {
 public:
  // Returns a number above all that were returned or raised to before.
  int64_t Next() { return last_.fetch_add(1, std::memory_order_relaxed) + 1; }
  void RaiseTo(int64_t at_least) {
    int64_t last = last_.load(std::memory_order_relaxed);
    while (last < at_least && !last_.compare_exchange_weak(last, at_least, std::memory_order_relaxed)) {
    }
  }

 private:
  std::atomic<int64_t> last_ = 0;
};

}  // namespace vaquita
