// engine/memstore_gauge.h: the size of a store's memstore, known after each write without asking RocksDB.
//
// A write is counted before it is made, so an empty memstore shows no bytes. A write that meets the switch to a new
// memtable may be missing until the next flush. Units: bytes of keys and values as RocksDB's memtable stores them.
// Threads: every method may be called from any thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <vector>

namespace vaquita {

class MemstoreGauge {
 public:
  // The bytes of a memtable's entry beside its key and value: sequence number and type, two lengths.
  static constexpr int64_t kEntryOverheadBytes = 10;

  // `total` is the sum over all stores, which this gauge updates too. It outlives the gauge.
  explicit MemstoreGauge(std::atomic<int64_t>* total) : total_(total) {}
  ~MemstoreGauge() { total_->fetch_sub(bytes(), std::memory_order_relaxed); }
  MemstoreGauge(const MemstoreGauge&) = delete;

  void Add(int64_t bytes, int64_t cells) {
    active_bytes_.fetch_add(bytes, std::memory_order_relaxed);
    active_cells_.fetch_add(cells, std::memory_order_relaxed);
    total_->fetch_add(bytes, std::memory_order_relaxed);
  }

  // Notes that the memtable was closed: it waits for its flush, and writes go to a new one.
  void Seal() {
    std::lock_guard lock(mutex_);
    const Part part{active_bytes_.exchange(0, std::memory_order_relaxed),
                    active_cells_.exchange(0, std::memory_order_relaxed)};
    sealed_bytes_.fetch_add(part.bytes, std::memory_order_relaxed);
    sealed_cells_.fetch_add(part.cells, std::memory_order_relaxed);
    sealed_.push_back(part);
  }

  // Notes that only the newest `waiting` of the closed memtables are left.
  void Flushed(size_t waiting) {
    std::lock_guard lock(mutex_);
    for (; sealed_.size() > waiting; sealed_.erase(sealed_.begin())) {
      sealed_bytes_.fetch_sub(sealed_.front().bytes, std::memory_order_relaxed);
      sealed_cells_.fetch_sub(sealed_.front().cells, std::memory_order_relaxed);
      total_->fetch_sub(sealed_.front().bytes, std::memory_order_relaxed);
    }
  }

  int64_t bytes() const {
    return active_bytes_.load(std::memory_order_relaxed) + sealed_bytes_.load(std::memory_order_relaxed);
  }
  int64_t cells() const {
    return active_cells_.load(std::memory_order_relaxed) + sealed_cells_.load(std::memory_order_relaxed);
  }

 private:
  struct Part {
    int64_t bytes;
    int64_t cells;
  };

  std::atomic<int64_t>* const total_;
  std::atomic<int64_t> active_bytes_ = 0;
  std::atomic<int64_t> active_cells_ = 0;
  std::atomic<int64_t> sealed_bytes_ = 0;
  std::atomic<int64_t> sealed_cells_ = 0;
  std::mutex mutex_;
  std::vector<Part> sealed_;  // closed memtables, oldest first; a deque, empty too, would take 600 bytes
};

}  // namespace vaquita
