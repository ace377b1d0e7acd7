// The writes of RegionImpl: checks, locks, one batch.
#include <algorithm>
#include <chrono>
#include <numeric>
#include <string>
#include <thread>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/short_waits.h"
#include "base/status.h"
#include "region/check_and_mutate.h"
#include "region/mutation_check.h"
#include "region/mutation_writer.h"
#include "region/region_impl.h"
#include "region/row_times.h"

namespace vaquita {
namespace {

// A size as org.apache.hadoop.hbase.procedure2.util.StringUtils.humanSize prints it.
std::string HumanSize(int64_t bytes) {
  constexpr std::pair<int64_t, char> kUnits[] = {{kGiB * kKiB, 'T'}, {kGiB, 'G'}, {kMiB, 'M'}, {kKiB, 'K'}};
  for (const auto& [unit, letter] : kUnits) {
    if (bytes >= unit)
      return absl::StrFormat("%.1f %c", static_cast<double>(bytes) / static_cast<double>(unit), letter);
  }
  return absl::StrCat(bytes);
}

struct LastWrites {
  RowTimes markers;  // deletes
  RowTimes deltas;   // increments and appends whose time is after the clock's
};
LastWrites& Last() {
  static auto* const last = new LastWrites();
  return *last;
}

// A row that is incremented all the time gets further and further ahead of the clock. Beyond this limit writes do not
// wait, as in HBase.
constexpr int64_t kMostAheadMs = 2;

// Returns whether the row's last writes would hide the mutation, or not be seen by it, if it had this time.
bool IsHidden(const void* region, const Mutation& mutation, std::string_view row, int64_t now_ms) {
  const bool is_delta = mutation.type == MutationType::kIncrement || mutation.type == MutationType::kAppend;
  if (mutation.type != MutationType::kDelete && Last().markers.IsFrom(region, row, now_ms, 0)) return true;
  return !is_delta && Last().deltas.IsFrom(region, row, now_ms, kMostAheadMs);
}

// Called when `writer` has added the mutation.
void Remember(const void* region, const Mutation& mutation, std::string_view row, int64_t now_ms,
              const MutationWriter& writer) {
  if (mutation.type == MutationType::kDelete) Last().markers.Set(region, row, now_ms);
  if (writer.newest_delta_ms() > now_ms) Last().deltas.Set(region, row, writer.newest_delta_ms());
}

// Returns the time for a write: the first at which it is not `hidden`. REQUIRES: the rows' locks are held.
int64_t WriteTime(Clock* clock, absl::FunctionRef<bool(int64_t)> hidden) {
  int64_t now_ms = clock->NowMs();
  while (clock->Runs() && hidden(now_ms)) {
    std::this_thread::sleep_for(std::chrono::microseconds(100));
    now_ms = clock->NowMs();
  }
  return now_ms;
}

int64_t LockWaitMs(const Options& options) {
  return ShortWaits::Apply() ? ShortWaits::Moment().count() : options.row_lock_wait_ms;
}

absl::Status LockTimeout(const RegionLayout& layout, std::string_view row) {
  if (ShortWaits::Apply()) return WouldWait();
  return Error(ErrorKind::kIO, absl::StrCat("Timed out waiting for lock for row: ", ToStringBinary(row), " in region ",
                                            layout.info.EncodedName()));
}

}  // namespace

// REQUIRES: inside the gate.
absl::Status RegionImpl::CheckWritable() const {
  const RegionLayout& layout = *layout_;
  if (layout.table->read_only) return Error(ErrorKind::kDoNotRetryIO, "region is read only");
  if (layout.IsMeta()) return absl::OkStatus();
  const int64_t limit = layout.blocking_bytes;
  if (MemstoreBytes(layout) <= limit) return absl::OkStatus();
  return Error(ErrorKind::kRegionTooBusy, absl::StrCat("Over memstore limit=", HumanSize(limit),
                                                       ", regionName=", layout.info.EncodedName(), ", server=unknown"));
}

absl::StatusOr<MutateResult> RegionImpl::Mutate(const Mutation& mutation, const Nonce& nonce) {
  return MutateRow(mutation.row, {&mutation, 1}, nullptr, nonce);
}

absl::StatusOr<MutateResult> RegionImpl::Mutate(const RowMutations& mutations, const Nonce& nonce) {
  return MutateRow(mutations.row, mutations.mutations, nullptr, nonce);
}

absl::StatusOr<MutateResult> RegionImpl::CheckAndMutate(const vaquita::CheckAndMutate& check, const Nonce& nonce) {
  if (check.mutations.empty()) return MutateResult{};  // as HBase: nothing to do counts as done
  return MutateRow(check.row, check.mutations, &check, nonce);
}

absl::StatusOr<std::optional<int64_t>> RegionImpl::FindEarlier(std::string_view row, const Nonce& nonce) {
  GatePass pass(&gate_);
  if (!pass.inside()) return NotServing();
  if (!info_.ContainsRow(row)) return std::nullopt;
  return nonces_.Find(nonce, row);
}

absl::StatusOr<MutateResult> RegionImpl::MutateRow(std::string_view row, std::span<const Mutation> mutations,
                                                   const vaquita::CheckAndMutate* check, const Nonce& nonce) {
  GatePass pass(&gate_);
  if (!pass.inside()) return NotServing();
  for (const Mutation& mutation : mutations) {
    if (!mutation.row.empty() && mutation.row != row) {
      return Error(ErrorKind::kDoNotRetryIO, "Action's getRow must match");
    }
    VAQUITA_RETURN_IF_ERROR(CheckMutation(mutation, row, layout_->max_cell_bytes));
  }
  VAQUITA_RETURN_IF_ERROR(CheckWritable());
  VAQUITA_RETURN_IF_ERROR(CheckRowMutations(row, mutations, check == nullptr ? "batchMutate" : "doCheckAndRowMutate"));
  if (nonce.value != 0) VAQUITA_RETURN_IF_ERROR(nonces_.Ready());
  const HeldRows lock(&row_locks_, {&row, 1}, LockWaitMs(db_->options()));
  if (!lock.held()) return LockTimeout(*layout_, row);

  ConditionOutcome condition{.holds = true};
  if (check != nullptr) {
    CountReads(1, 0);
    VAQUITA_ASSIGN_OR_RETURN(condition, EvaluateCondition(*db_, *layout_, *check));
  }
  MutateResult result;
  result.processed = condition.holds;
  if (condition.holds) VAQUITA_RETURN_IF_ERROR(WriteRow(row, mutations, condition.cell_ms, nonce, &result.cells));
  return result;
}

absl::Status RegionImpl::CheckRowMutations(std::string_view row, std::span<const Mutation> mutations,
                                           std::string_view operation) const {
  if (!info_.ContainsRow(row)) return RowOutOfRange(*layout_, row, operation);
  for (const Mutation& mutation : mutations) {
    VAQUITA_RETURN_IF_ERROR(CheckAgainstRegion(*layout_, mutation, row, operation));
  }
  return absl::OkStatus();
}

// REQUIRES: the row's lock is held. Puts get a time not before `at_least_ms`.
absl::Status RegionImpl::WriteRow(std::string_view row, std::span<const Mutation> mutations, int64_t at_least_ms,
                                  const Nonce& nonce, CellBlock* results) {
  const int64_t now_ms = WriteTime(db_->clock(), [&](int64_t time_ms) {
    return std::any_of(mutations.begin(), mutations.end(),
                       [&](const Mutation& m) { return IsHidden(this, m, row, time_ms); });
  });
  StoreBatch batch;
  MutationWriter writer(*db_, *layout_, now_ms, std::max(now_ms, at_least_ms), &batch);
  Durability durability = Durability::kUseDefault;
  for (const Mutation& mutation : mutations) {
    VAQUITA_RETURN_IF_ERROR(writer.Add(mutation, row, results));
    Remember(this, mutation, row, now_ms, writer);
    durability = std::max(durability, EffectiveDurability(mutation, *layout_->table));
  }
  if (nonce.value != 0) nonces_.Add(nonce, row, now_ms, NewestTimestamp(*results), &batch);
  if (durability == Durability::kFsyncWal && ShortWaits::Apply()) return WouldWait();
  write_requests_.fetch_add(static_cast<int64_t>(mutations.size()), std::memory_order_relaxed);
  CountWrite(row, static_cast<int64_t>(batch.bytes()));
  return batch.empty() ? absl::OkStatus() : db_->Write(&batch, durability);
}

// Source: MultiRowMutationEndpoint.mutateRows, HRegion.mutateRowsWithLocks (2.6).
absl::StatusOr<bool> RegionImpl::MutateRows(std::span<const Mutation> mutations,
                                            std::span<const vaquita::CheckAndMutate> conditions) {
  GatePass pass(&gate_);
  if (!pass.inside()) return NotServing();
  for (const Mutation& mutation : mutations) {
    VAQUITA_RETURN_IF_ERROR(CheckMutation(mutation, mutation.row, layout_->max_cell_bytes));
  }
  VAQUITA_RETURN_IF_ERROR(CheckWritable());
  VAQUITA_RETURN_IF_ERROR(CheckRows(mutations));
  std::vector<std::string_view> rows;
  for (const Mutation& mutation : mutations) rows.push_back(mutation.row);
  for (const vaquita::CheckAndMutate& condition : conditions) rows.push_back(condition.row);
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  const HeldRows locks(&row_locks_, rows, LockWaitMs(db_->options()));
  if (!locks.held()) return LockTimeout(*layout_, locks.blocked());
  for (const vaquita::CheckAndMutate& condition : conditions) {
    if (!info_.ContainsRow(condition.row)) return RowOutOfRange(*layout_, condition.row, "Get");
    VAQUITA_ASSIGN_OR_RETURN(const ConditionOutcome outcome, EvaluateCondition(*db_, *layout_, condition));
    if (!outcome.holds) return false;
  }
  VAQUITA_RETURN_IF_ERROR(WriteRows(mutations));
  return true;
}

absl::Status RegionImpl::CheckRows(std::span<const Mutation> mutations) const {
  for (const Mutation& mutation : mutations) {
    if (!info_.ContainsRow(mutation.row)) {
      return Error(&mutation == &mutations.front() ? ErrorKind::kWrongRegion : ErrorKind::kDoNotRetryIO,
                   absl::StrCat("Requested row out of range '", ToStringBinary(mutation.row), "'"));
    }
    VAQUITA_RETURN_IF_ERROR(CheckAgainstRegion(*layout_, mutation, mutation.row, "batchMutate"));
  }
  return absl::OkStatus();
}

// REQUIRES: the rows' locks are held.
absl::Status RegionImpl::WriteRows(std::span<const Mutation> mutations) {
  const int64_t now_ms = WriteTime(db_->clock(), [&](int64_t time_ms) {
    return std::any_of(mutations.begin(), mutations.end(),
                       [&](const Mutation& m) { return IsHidden(this, m, m.row, time_ms); });
  });
  StoreBatch batch;
  MutationWriter writer(*db_, *layout_, now_ms, now_ms, &batch);
  Durability durability = Durability::kUseDefault;
  for (const Mutation& mutation : mutations) {
    const size_t bytes_before = batch.bytes();
    VAQUITA_RETURN_IF_ERROR(writer.Add(mutation, mutation.row, nullptr));
    CountWrite(mutation.row, static_cast<int64_t>(batch.bytes() - bytes_before));
    Remember(this, mutation, mutation.row, now_ms, writer);
    durability = std::max(durability, EffectiveDurability(mutation, *layout_->table));
  }
  write_requests_.fetch_add(static_cast<int64_t>(mutations.size()), std::memory_order_relaxed);
  return batch.empty() ? absl::OkStatus() : db_->Write(&batch, durability);
}

std::vector<absl::Status> RegionImpl::MutateBatch(std::span<const Mutation* const> mutations) {
  std::vector<absl::Status> statuses(mutations.size());
  GatePass pass(&gate_);
  const absl::Status writable = pass.inside() ? CheckWritable() : NotServing();
  if (!writable.ok()) {
    std::fill(statuses.begin(), statuses.end(), writable);
    return statuses;
  }
  const int64_t max_cell_bytes = layout_->max_cell_bytes;
  for (size_t i = 0; i < mutations.size(); ++i) {
    const Mutation& mutation = *mutations[i];
    if (mutation.type != MutationType::kPut && mutation.type != MutationType::kDelete) {
      statuses[i] = Error(ErrorKind::kUnsupportedOperation, "A batch takes puts and deletes only");
      continue;
    }
    statuses[i] = CheckMutation(mutation, mutation.row, max_cell_bytes);
    if (statuses[i].ok()) statuses[i] = CheckAgainstRegion(*layout_, mutation, mutation.row, "batchMutate");
  }
  WriteLocked(mutations, &statuses);
  return statuses;
}

// Locks the rows of the mutations without an error so far, and writes these, in their order, as one batch with the
// strongest durability among them (as HBase's batchMutate).
void RegionImpl::WriteLocked(std::span<const Mutation* const> mutations, std::vector<absl::Status>* statuses) {
  std::vector<std::string_view> rows;
  rows.reserve(mutations.size());
  for (size_t i = 0; i < mutations.size(); ++i) {
    if ((*statuses)[i].ok()) rows.push_back(mutations[i]->row);
  }
  if (rows.empty()) return;
  if (!std::is_sorted(rows.begin(), rows.end())) std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  const auto fail = [statuses](const absl::Status& error) {
    for (absl::Status& status : *statuses) {
      if (status.ok()) status = error;
    }
  };
  const HeldRows locks(&row_locks_, rows, LockWaitMs(db_->options()));
  if (!locks.held()) return fail(LockTimeout(*layout_, locks.blocked()));

  const int64_t now_ms = WriteTime(db_->clock(), [&](int64_t time_ms) {
    return std::any_of(mutations.begin(), mutations.end(),
                       [&](const Mutation* m) { return IsHidden(this, *m, m->row, time_ms); });
  });
  StoreBatch batch;
  MutationWriter writer(*db_, *layout_, now_ms, now_ms, &batch);
  Durability durability = Durability::kUseDefault;
  int64_t written = 0;
  for (size_t i = 0; i < mutations.size(); ++i) {
    if (!(*statuses)[i].ok()) continue;
    const Mutation& mutation = *mutations[i];
    const size_t bytes_before = batch.bytes();
    if (absl::Status added = writer.Add(mutation, mutation.row, nullptr); !added.ok()) return fail(added);
    CountWrite(mutation.row, static_cast<int64_t>(batch.bytes() - bytes_before));
    Remember(this, mutation, mutation.row, now_ms, writer);
    durability = std::max(durability, EffectiveDurability(mutation, *layout_->table));
    ++written;
  }
  if (absl::Status status = db_->Write(&batch, durability); !status.ok()) return fail(status);
  write_requests_.fetch_add(written, std::memory_order_relaxed);
}

}  // namespace vaquita
