#include "tools/bench/operation_plan.h"

#include "lab/records/random_number.h"

namespace vaquita::bench {
namespace {

// Places of random numbers in an operation's own sequence.
enum Draw : uint64_t { kKindDraw, kFieldDraw, kLengthDraw, kFirstRowDraw };

bool IsOfBatches(OperationKind kind) {
  return kind == OperationKind::kRead || kind == OperationKind::kUpdate || kind == OperationKind::kDelete;
}

}  // namespace

void RowCount::Acknowledge(uint64_t row) {
  std::lock_guard lock(mutex_);
  early_.insert(row);
  uint64_t known = known_.load(std::memory_order_relaxed);
  while (!early_.empty() && *early_.begin() == known) {
    early_.erase(early_.begin());
    ++known;
  }
  known_.store(known, std::memory_order_release);
}

OperationPlan::OperationPlan(const Workload* workload, uint64_t seed)
    : workload_(workload),
      seed_(seed),
      keys_(workload->distribution, workload->rows),
      scan_lengths_(static_cast<uint64_t>(workload->most_scan_rows - workload->least_scan_rows) + 1) {
  double sum = 0;
  for (size_t kind = 0; kind < kOperationKinds; ++kind) {
    if (workload->shares[kind] <= 0) continue;
    sum += workload->shares[kind];
    kinds_.emplace_back(sum, static_cast<OperationKind>(kind));
  }
  for (auto& [share, kind] : kinds_) share /= sum;
}

OperationKind OperationPlan::KindOf(double fraction) const {
  for (const auto& [share, kind] : kinds_) {
    if (fraction < share) return kind;
  }
  return kinds_.back().second;
}

void OperationPlan::Plan(uint64_t number, uint64_t rows_now, Operation* operation) const {
  const uint64_t own = lab::RandomNumber(seed_, number);
  operation->kind = KindOf(lab::RandomFraction(lab::RandomNumber(own, kKindDraw)));
  operation->field =
      static_cast<int>(lab::RandomBelow(lab::RandomNumber(own, kFieldDraw), static_cast<uint64_t>(workload_->fields)));
  const uint64_t length = lab::RandomNumber(own, kLengthDraw);
  const uint64_t beyond_least = workload_->uniform_scan_rows ? lab::RandomBelow(length, scan_lengths_.size())
                                                             : scan_lengths_.Rank(lab::RandomFraction(length));
  operation->scan_rows = workload_->least_scan_rows + static_cast<int32_t>(beyond_least);
  operation->rows.clear();
  if (operation->kind == OperationKind::kInsert) return;
  const auto batch = static_cast<uint64_t>(IsOfBatches(operation->kind) ? workload_->batch : 1);
  for (uint64_t i = 0; i < batch; ++i) {
    operation->rows.push_back(keys_.Choose(lab::RandomNumber(own, kFirstRowDraw + i), number * batch + i, rows_now));
  }
}

}  // namespace vaquita::bench
