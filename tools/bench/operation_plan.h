// tools/bench/operation_plan.h: an operation of a workload, made of its number alone.
//
// Threads: OperationPlan is immutable. RowCount: any.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <set>
#include <vector>

#include "tools/bench/key_choice.h"
#include "tools/bench/workload.h"

namespace vaquita::bench {

// The rows that the table has: those that were loaded, and those whose insert has ended since.
class RowCount {
 public:
  explicit RowCount(uint64_t rows) : next_(rows), known_(rows) {}

  // Returns the number of a new row.
  uint64_t Take() { return next_.fetch_add(1, std::memory_order_relaxed); }
  void Acknowledge(uint64_t row);
  // Returns how many rows are there, without a gap.
  uint64_t known() const { return known_.load(std::memory_order_acquire); }

 private:
  std::atomic<uint64_t> next_;
  std::atomic<uint64_t> known_;
  std::mutex mutex_;
  std::set<uint64_t> early_;  // acknowledged before a row with a smaller number
};

struct Operation {
  OperationKind kind = OperationKind::kRead;
  std::vector<uint64_t> rows;  // none yet, if it is an insert
  int field = 0;               // the column, if one is read or written
  int32_t scan_rows = 0;
};

class OperationPlan {
 public:
  // `workload` outlives the plan.
  OperationPlan(const Workload* workload, uint64_t seed);

  // Makes operation `number` of a table with `rows_now` rows. REQUIRES: rows_now > 0.
  void Plan(uint64_t number, uint64_t rows_now, Operation* operation) const;

 private:
  OperationKind KindOf(double fraction) const;

  const Workload* const workload_;
  const uint64_t seed_;
  const KeyChoice keys_;
  const lab::ZipfDistribution scan_lengths_;
  std::vector<std::pair<double, OperationKind>> kinds_;  // each with the share of it and those before
};

}  // namespace vaquita::bench
