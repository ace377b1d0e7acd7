// The writes of a Region: checks, locks, one batch.
#include <algorithm>
#include <span>
#include <string>
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/call_context.h"
#include "base/read_watch.h"
#include "base/status.h"
#include "engine/nonce_store.h"
#include "model/request_check.h"
#include "region/check_and_mutate.h"
#include "region/mutation_check.h"
#include "region/mutation_writer.h"
#include "region/region.h"
#include "region/region_layout.h"
#include "region/write_group.h"

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

// Returns what a write is answered if the lock of `row` could not be taken.
absl::Status LockTimeout(const RegionLayout& layout, std::string_view row, const CallContext& context) {
  if (context.short_waits) return WouldWait();
  return Error(ErrorKind::kIO, absl::StrCat("Timed out waiting for lock for row: ", ToStringBinary(row), " in region ",
                                            layout.info.EncodedName()));
}

}  // namespace

int64_t Region::LockWaitMs(const CallContext& context) const {
  return context.short_waits ? kShortWait.count() : db_->options().row_lock_wait_ms;
}

// REQUIRES: inside the gate.
absl::Status Region::CheckWritable() const {
  const RegionLayout& layout = *layout_;
  if (layout.table->read_only) return Error(ErrorKind::kDoNotRetryIO, "region is read only");
  if (layout.IsMeta()) return absl::OkStatus();
  const int64_t limit = layout.blocking_bytes;
  if (layout.MemstoreBytes() <= limit) return absl::OkStatus();
  return Error(ErrorKind::kRegionTooBusy, absl::StrCat("Over memstore limit=", HumanSize(limit),
                                                       ", regionName=", layout.info.EncodedName(), ", server=unknown"));
}

absl::StatusOr<MutateResult> Region::Mutate(const Mutation& mutation, const Nonce& nonce, const CallContext& context) {
  return MutateRow(mutation.row, {&mutation, 1}, nullptr, nonce, context);
}

absl::StatusOr<MutateResult> Region::Mutate(const RowMutations& mutations, const Nonce& nonce,
                                            const CallContext& context) {
  return MutateRow(mutations.row, mutations.mutations, nullptr, nonce, context);
}

absl::StatusOr<MutateResult> Region::CheckAndMutate(const vaquita::CheckAndMutate& check, const Nonce& nonce,
                                                    const CallContext& context) {
  if (check.mutations.empty()) return MutateResult{};  // as HBase: nothing to do counts as done
  return MutateRow(check.row, check.mutations, &check, nonce, context);
}

absl::StatusOr<std::optional<int64_t>> Region::FindEarlier(std::string_view row, const Nonce& nonce, Done done,
                                                           const CallContext& context) {
  GatePass pass(&gate_, context.short_waits);
  if (!pass.inside()) return NotServing(context);
  const bool may_know = done == Done::kEver || db_->clock()->NowMs() < earlier_until_ms_;
  if (!may_know || !info_.ContainsRow(row)) return std::nullopt;
  return db_->nonces()->Find(info_.table, row, nonce);
}

absl::StatusOr<MutateResult> Region::MutateRow(std::string_view row, std::span<const Mutation> mutations,
                                               const vaquita::CheckAndMutate* check, const Nonce& nonce,
                                               const CallContext& context) {
  GatePass pass(&gate_, context.short_waits);
  if (!pass.inside()) return NotServing(context);
  VAQUITA_RETURN_IF_ERROR(CheckRowWrite(row, mutations, check == nullptr ? "batchMutate" : "doCheckAndRowMutate"));
  if (check == nullptr) VAQUITA_RETURN_IF_ERROR(CheckFamilies(mutations));
  if (nonce.value != 0) VAQUITA_RETURN_IF_ERROR(db_->nonces()->Ready(context));
  const HeldRows lock(&row_locks_, {&row, 1}, LockWaitMs(context));
  if (!lock.held()) return LockTimeout(*layout_, row, context);

  ConditionOutcome condition{.holds = true};
  if (check != nullptr) {
    CountReads(1, 0);
    VAQUITA_ASSIGN_OR_RETURN(condition, EvaluateCondition(*db_, *layout_, *check, context.watch));
    // As in HBase, what is not done is not checked.
    if (condition.holds) VAQUITA_RETURN_IF_ERROR(CheckFamilies(mutations));
  }
  MutateResult result;
  result.processed = condition.holds;
  if (condition.holds)
    VAQUITA_RETURN_IF_ERROR(WriteRow(row, mutations, condition.cell_ms, nonce, context, &result.cells));
  return result;
}

absl::Status Region::CheckRowWrite(std::string_view row, std::span<const Mutation> mutations,
                                   std::string_view operation) const {
  for (const Mutation& mutation : mutations) {
    if (!mutation.row.empty() && mutation.row != row) {
      return Error(ErrorKind::kDoNotRetryIO, "Action's getRow must match");
    }
    VAQUITA_RETURN_IF_ERROR(CheckMutation(mutation, row, layout_->max_cell_bytes));
  }
  VAQUITA_RETURN_IF_ERROR(CheckWritable());
  return info_.ContainsRow(row) ? absl::OkStatus() : RowOutOfRange(*layout_, row, operation);
}

absl::Status Region::CheckFamilies(std::span<const Mutation> mutations) const {
  for (const Mutation& mutation : mutations) VAQUITA_RETURN_IF_ERROR(vaquita::CheckFamilies(*layout_, mutation));
  return absl::OkStatus();
}

absl::StatusOr<bool> Region::AddToGroup(const Mutation& put, const CallContext& context, WriteGroup* group) {
  if (put.type != MutationType::kPut || group->broken_ || (!group->empty() && group->db_ != db_)) return false;
  WriteGroup::Put& entry = group->puts_.emplace_back(shared_from_this(), &gate_, context.short_waits, put.row);
  auto undo = absl::MakeCleanup([group] { group->puts_.pop_back(); });
  if (!entry.pass.inside()) return NotServing(context);
  VAQUITA_RETURN_IF_ERROR(CheckRowWrite(put.row, {&put, 1}, "batchMutate"));
  VAQUITA_RETURN_IF_ERROR(CheckFamilies({&put, 1}));
  const Durability durability = EffectiveDurability(put, *layout_->table);
  // The others are written without the log, or wait for the disk.
  if (durability != Durability::kAsyncWal && durability != Durability::kSyncWal) return false;
  entry.lock.emplace(&row_locks_, std::span(&entry.key, 1), /*wait_ms=*/0);
  if (!entry.lock->held()) return false;
  const int64_t now_ms =
      last_writes_.TimeFor(*db_->clock(), [&](int64_t time_ms) { return last_writes_.Hide(put, put.row, time_ms); });
  const size_t bytes_before = group->batch_.bytes();
  MutationWriter writer(*db_, *layout_, now_ms, now_ms, context.watch, &group->batch_);
  group->broken_ = true;
  VAQUITA_RETURN_IF_ERROR(writer.Add(put, put.row, nullptr));  // a put reads nothing, so only memory can be wanting
  group->broken_ = false;
  last_writes_.Add(put, put.row, now_ms, writer.newest_delta_ms());
  write_requests_.fetch_add(1, std::memory_order_relaxed);
  const KeyHeat::Write counted{put.row, static_cast<int64_t>(group->batch_.bytes() - bytes_before)};
  CountWrites({&counted, 1});
  group->db_ = db_;
  group->durability_ = std::max(group->durability_, durability);
  std::move(undo).Cancel();
  return true;
}

// REQUIRES: the row's lock is held. Puts get a time not before `at_least_ms`.
absl::Status Region::WriteRow(std::string_view row, std::span<const Mutation> mutations, int64_t at_least_ms,
                              const Nonce& nonce, const CallContext& context, CellBlock* results) {
  const int64_t now_ms = last_writes_.TimeFor(*db_->clock(), [&](int64_t time_ms) {
    return std::any_of(mutations.begin(), mutations.end(),
                       [&](const Mutation& m) { return last_writes_.Hide(m, row, time_ms); });
  });
  StoreBatch batch;
  MutationWriter writer(*db_, *layout_, now_ms, std::max(now_ms, at_least_ms), context.watch, &batch);
  Durability durability = Durability::kUseDefault;
  for (const Mutation& mutation : mutations) {
    VAQUITA_RETURN_IF_ERROR(writer.Add(mutation, row, results));
    last_writes_.Add(mutation, row, now_ms, writer.newest_delta_ms());
    durability = std::max(durability, EffectiveDurability(mutation, *layout_->table));
  }
  if (nonce.value != 0) {
    db_->nonces()->Add(info_.table, row, nonce, now_ms, NewestTimestamp(*results), &batch);
    durability = std::max(durability, Durability::kAsyncWal);  // as NonceStore asks for
  }
  if (durability == Durability::kFsyncWal && context.short_waits) return WouldWait();
  write_requests_.fetch_add(static_cast<int64_t>(mutations.size()), std::memory_order_relaxed);
  const KeyHeat::Write counted{row, static_cast<int64_t>(batch.bytes())};
  CountWrites({&counted, 1});
  return batch.empty() ? absl::OkStatus() : db_->Write(&batch, durability);
}

// Source: MultiRowMutationEndpoint.mutateRows, HRegion.mutateRowsWithLocks (2.6).
absl::StatusOr<bool> Region::MutateRows(std::span<const Mutation> mutations,
                                        std::span<const vaquita::CheckAndMutate> conditions,
                                        const CallContext& context) {
  GatePass pass(&gate_, context.short_waits);
  if (!pass.inside()) return NotServing(context);
  for (const Mutation& mutation : mutations) {
    VAQUITA_RETURN_IF_ERROR(CheckMutation(mutation, mutation.row, layout_->max_cell_bytes));
  }
  VAQUITA_RETURN_IF_ERROR(CheckWritable());
  VAQUITA_RETURN_IF_ERROR(CheckRows(mutations));
  std::vector<std::string_view> rows;
  for (const Mutation& mutation : mutations) rows.push_back(mutation.row);
  for (const vaquita::CheckAndMutate& condition : conditions) {
    VAQUITA_RETURN_IF_ERROR(CheckRowLength(condition.row));
    rows.push_back(condition.row);
  }
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  const HeldRows locks(&row_locks_, rows, LockWaitMs(context));
  if (!locks.held()) return LockTimeout(*layout_, locks.blocked(), context);
  ReadStop stop(db_->clock());  // conditions that are short each may be long together
  stop.Begin(-1, /*inside_rows=*/false, context.watch);
  for (const vaquita::CheckAndMutate& condition : conditions) {
    if (!info_.ContainsRow(condition.row)) return RowOutOfRange(*layout_, condition.row, "Get");
    VAQUITA_ASSIGN_OR_RETURN(const ConditionOutcome outcome,
                             EvaluateCondition(*db_, *layout_, condition, context.watch));
    if (!outcome.holds) return false;
    stop.AfterRow();
    VAQUITA_RETURN_IF_ERROR(stop.status());
  }
  VAQUITA_RETURN_IF_ERROR(CheckFamilies(mutations));
  VAQUITA_RETURN_IF_ERROR(WriteRows(mutations, context));
  return true;
}

absl::Status Region::CheckRows(std::span<const Mutation> mutations) const {
  for (const Mutation& mutation : mutations) {
    if (!info_.ContainsRow(mutation.row)) {
      return Error(&mutation == &mutations.front() ? ErrorKind::kWrongRegion : ErrorKind::kDoNotRetryIO,
                   absl::StrCat("Requested row out of range '", ToStringBinary(mutation.row), "'"));
    }
  }
  return absl::OkStatus();
}

// REQUIRES: the rows' locks are held.
absl::Status Region::WriteRows(std::span<const Mutation> mutations, const CallContext& context) {
  const int64_t now_ms = last_writes_.TimeFor(*db_->clock(), [&](int64_t time_ms) {
    return std::any_of(mutations.begin(), mutations.end(),
                       [&](const Mutation& m) { return last_writes_.Hide(m, m.row, time_ms); });
  });
  StoreBatch batch;
  MutationWriter writer(*db_, *layout_, now_ms, now_ms, context.watch, &batch);
  Durability durability = Durability::kUseDefault;
  std::vector<KeyHeat::Write> counted;
  counted.reserve(mutations.size());
  for (const Mutation& mutation : mutations) {
    const size_t bytes_before = batch.bytes();
    VAQUITA_RETURN_IF_ERROR(writer.Add(mutation, mutation.row, nullptr));
    counted.push_back({mutation.row, static_cast<int64_t>(batch.bytes() - bytes_before)});
    last_writes_.Add(mutation, mutation.row, now_ms, writer.newest_delta_ms());
    durability = std::max(durability, EffectiveDurability(mutation, *layout_->table));
  }
  write_requests_.fetch_add(static_cast<int64_t>(mutations.size()), std::memory_order_relaxed);
  CountWrites(counted);
  return batch.empty() ? absl::OkStatus() : db_->Write(&batch, durability);
}

std::vector<absl::Status> Region::MutateBatch(std::span<const Mutation* const> mutations, const CallContext& context) {
  std::vector<absl::Status> statuses(mutations.size());
  GatePass pass(&gate_, context.short_waits);
  const absl::Status writable = pass.inside() ? CheckWritable() : NotServing(context);
  if (!writable.ok()) {
    std::fill(statuses.begin(), statuses.end(), writable);
    return statuses;
  }
  const int64_t max_cell_bytes = layout_->max_cell_bytes;
  for (size_t i = 0; i < mutations.size(); ++i) {
    const Mutation& mutation = *mutations[i];
    if (IsDelta(mutation.type)) {
      statuses[i] = Error(ErrorKind::kUnsupportedOperation, "A batch takes puts and deletes only");
      continue;
    }
    statuses[i] = CheckMutation(mutation, mutation.row, max_cell_bytes);
    if (statuses[i].ok()) statuses[i] = CheckAgainstRegion(*layout_, mutation, mutation.row, "batchMutate");
  }
  WriteLocked(mutations, context, &statuses);
  return statuses;
}

// Locks the rows of the mutations without an error so far, and writes these, in their order, as one batch with the
// strongest durability among them (as HBase's batchMutate).
void Region::WriteLocked(std::span<const Mutation* const> mutations, const CallContext& context,
                         std::vector<absl::Status>* statuses) {
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
  const HeldRows locks(&row_locks_, rows, LockWaitMs(context));
  if (!locks.held()) return fail(LockTimeout(*layout_, locks.blocked(), context));

  const int64_t now_ms = last_writes_.TimeFor(*db_->clock(), [&](int64_t time_ms) {
    return std::any_of(mutations.begin(), mutations.end(),
                       [&](const Mutation* m) { return last_writes_.Hide(*m, m->row, time_ms); });
  });
  StoreBatch batch;
  MutationWriter writer(*db_, *layout_, now_ms, now_ms, context.watch, &batch);
  Durability durability = Durability::kUseDefault;
  std::vector<KeyHeat::Write> counted;
  counted.reserve(mutations.size());
  for (size_t i = 0; i < mutations.size(); ++i) {
    if (!(*statuses)[i].ok()) continue;
    const Mutation& mutation = *mutations[i];
    const size_t bytes_before = batch.bytes();
    if (absl::Status added = writer.Add(mutation, mutation.row, nullptr); !added.ok()) return fail(added);
    counted.push_back({mutation.row, static_cast<int64_t>(batch.bytes() - bytes_before)});
    last_writes_.Add(mutation, mutation.row, now_ms, writer.newest_delta_ms());
    durability = std::max(durability, EffectiveDurability(mutation, *layout_->table));
  }
  if (absl::Status status = db_->Write(&batch, durability); !status.ok()) return fail(status);
  write_requests_.fetch_add(static_cast<int64_t>(counted.size()), std::memory_order_relaxed);
  CountWrites(counted);
}

}  // namespace vaquita
