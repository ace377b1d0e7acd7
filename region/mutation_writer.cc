#include "region/mutation_writer.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/big_endian.h"
#include "base/status.h"
#include "region/mutation_check.h"
#include "region/read_plan.h"

namespace vaquita {
namespace {

int64_t OrNow(int64_t timestamp_ms, int64_t now_ms) { return timestamp_ms == kLatestTimestamp ? now_ms : timestamp_ms; }

// Wraps at the end of time, as Java's sum does.
int64_t TimeAfter(int64_t timestamp_ms) { return static_cast<int64_t>(static_cast<uint64_t>(timestamp_ms) + 1); }

int64_t TtlOf(const Mutation& mutation, const Cell& cell) {
  return mutation.ttl_ms != kNoTtl ? mutation.ttl_ms : cell.ttl_ms;
}

bool OfWholeFamily(CellType type) { return type == CellType::kDeleteFamily || type == CellType::kDeleteFamilyVersion; }

absl::StatusOr<uint64_t> LongValue(std::string_view value) {
  if (value.size() != sizeof(uint64_t)) {
    return Error(ErrorKind::kDoNotRetryIO, absl::StrCat("Field is not a long, it's ", value.size(), " bytes wide"));
  }
  return GetBigEndian<uint64_t>(value.data());
}

// Returns the value after `delta` was added or appended to `old` (null if absent). A sum wraps, as Java's does.
absl::StatusOr<std::string> NewValue(MutationType type, const Cell* old, const Cell& delta) {
  if (type == MutationType::kAppend) return old == nullptr ? delta.value : absl::StrCat(old->value, delta.value);
  VAQUITA_ASSIGN_OR_RETURN(uint64_t sum, LongValue(delta.value));
  if (old != nullptr) {
    VAQUITA_ASSIGN_OR_RETURN(const uint64_t before, LongValue(old->value));
    sum += before;
  }
  std::string value;
  AppendBigEndian(sum, &value);
  return value;
}

bool ColumnBefore(const Cell* a, const Cell* b) {
  const int families = a->family.compare(b->family);
  return families != 0 ? families < 0 : a->qualifier < b->qualifier;
}

}  // namespace

Durability EffectiveDurability(const Mutation& mutation, const TableDescriptor& table) {
  if (mutation.durability != Durability::kUseDefault) return mutation.durability;
  return table.durability != Durability::kUseDefault ? table.durability : Durability::kSyncWal;
}

absl::Status MutationWriter::Add(const Mutation& mutation, std::string_view row, CellBlock* results) {
  newest_delta_ms_ = 0;
  switch (mutation.type) {
    case MutationType::kPut:
      AddPut(mutation, row);
      return absl::OkStatus();
    case MutationType::kDelete:
      return AddDelete(mutation, row);
    case MutationType::kIncrement:
    case MutationType::kAppend:
      return AddDeltas(mutation, row, results);
  }
  return absl::OkStatus();
}

void MutationWriter::AddPut(const Mutation& put, std::string_view row) {
  for (const Cell& cell : put.cells) {
    // Markers among a put's cells are taken as they are: one without a time does not look for the newest version.
    batch_->Add(StoreOf(cell.family), row, OfWholeFamily(cell.type) ? std::string_view() : cell.qualifier,
                OrNow(cell.timestamp_ms, put_ms_), cell.type, cell.value, TtlOf(put, cell));
  }
}

absl::Status MutationWriter::AddDelete(const Mutation& del, std::string_view row) {
  if (del.cells.empty()) {
    for (const auto& store : layout_.stores) {
      batch_->Add(*store, row, {}, OrNow(del.timestamp_ms, now_ms_), CellType::kDeleteFamily, {});
    }
  }
  // The second "delete the latest" of one column means the version before the latest.
  struct LatestDeletes {
    int32_t markers = 0;
    size_t done = 0;
    std::vector<int64_t> versions;
  };
  const auto is_latest = [](const Cell& cell) {
    return cell.type == CellType::kDelete && cell.timestamp_ms == kLatestTimestamp;
  };
  std::map<std::pair<std::string_view, std::string_view>, LatestDeletes> latest_deletes;
  for (const Cell& cell : del.cells) {
    if (is_latest(cell)) ++latest_deletes[{cell.family, cell.qualifier}].markers;
  }
  for (const Cell& cell : del.cells) {
    int64_t timestamp_ms = OrNow(cell.timestamp_ms, now_ms_);
    if (is_latest(cell)) {
      LatestDeletes& latest = latest_deletes[{cell.family, cell.qualifier}];
      if (latest.done == 0) {
        VAQUITA_ASSIGN_OR_RETURN(latest.versions, LatestVersions(row, cell, latest.markers));
      }
      if (latest.done < latest.versions.size()) timestamp_ms = latest.versions[latest.done];
      ++latest.done;
    }
    batch_->Add(StoreOf(cell.family), row, OfWholeFamily(cell.type) ? std::string_view() : cell.qualifier, timestamp_ms,
                cell.type, {}, TtlOf(del, cell));
  }
  return absl::OkStatus();
}

// Returns the timestamps of the `count` newest versions of the marker's column, or of all if it has fewer.
absl::StatusOr<std::vector<int64_t>> MutationWriter::LatestVersions(std::string_view row, const Cell& marker,
                                                                    int32_t count) {
  ReadOptions read;
  read.columns[marker.family] = {marker.qualifier};
  read.max_versions = count;
  std::vector<int64_t> versions;
  VAQUITA_RETURN_IF_ERROR(Read(row, read, [&](const CellView& cell) {
    versions.push_back(cell.timestamp_ms);
    return true;
  }));
  return versions;
}

// Reads that are short each may be long together.
absl::Status MutationWriter::Read(std::string_view row, const ReadOptions& read,
                                  absl::FunctionRef<bool(const CellView&)> visit) {
  VAQUITA_RETURN_IF_ERROR(VisitRow(db_, layout_, row, read, watch_, visit));
  stop_.AfterRow();
  return stop_.status();
}

absl::Status MutationWriter::AddDeltas(const Mutation& mutation, std::string_view row, CellBlock* results) {
  std::vector<const Cell*> deltas;
  deltas.reserve(mutation.cells.size());
  for (const Cell& cell : mutation.cells) deltas.push_back(&cell);
  std::stable_sort(deltas.begin(), deltas.end(), ColumnBefore);
  for (size_t begin = 0, end; begin < deltas.size(); begin = end) {
    end = begin + 1;
    while (end < deltas.size() && deltas[end]->family == deltas[begin]->family) ++end;
    VAQUITA_RETURN_IF_ERROR(AddFamilyDeltas(mutation, row, std::span(deltas).subspan(begin, end - begin),
                                            mutation.return_results ? results : nullptr));
  }
  return absl::OkStatus();
}

absl::Status MutationWriter::AddFamilyDeltas(const Mutation& mutation, std::string_view row,
                                             std::span<const Cell* const> deltas, CellBlock* results) {
  ReadOptions read;
  std::vector<std::string>& qualifiers = read.columns[deltas.front()->family];
  for (const Cell* delta : deltas) qualifiers.push_back(delta->qualifier);
  read.time_range = mutation.time_range;
  std::vector<Cell> current;
  // The batch keeps all that is read, with something added, so all families and mutations together have one bound.
  const int64_t most_bytes = db_.options().max_row_bytes;
  VAQUITA_RETURN_IF_ERROR(Read(row, read, [&](const CellView& cell) {
    current.emplace_back(cell);
    delta_bytes_ += SerializedCellBytes(row, current.back());
    return delta_bytes_ <= most_bytes;
  }));
  if (delta_bytes_ > most_bytes) return RowTooBig(static_cast<size_t>(most_bytes));

  const Store& store = StoreOf(deltas.front()->family);
  const int64_t max_cell_bytes = layout_.max_cell_bytes;
  size_t next = 0;
  for (const Cell* delta : deltas) {
    while (next < current.size() && current[next].qualifier < delta->qualifier) ++next;
    const bool exists = next < current.size() && current[next].qualifier == delta->qualifier;
    const Cell* old = exists ? &current[next] : nullptr;
    Cell cell = *delta;
    VAQUITA_ASSIGN_OR_RETURN(cell.value, NewValue(mutation.type, old, *delta));
    // The new version must come after the one it replaces, even if the clock went back; it lives as long as that one
    // would.
    cell.timestamp_ms = exists ? std::max(TimeAfter(old->timestamp_ms), now_ms_) : OrNow(delta->timestamp_ms, now_ms_);
    if (exists) newest_delta_ms_ = std::max(newest_delta_ms_, cell.timestamp_ms);
    cell.ttl_ms = TtlOf(mutation, *delta);
    if (cell.ttl_ms == kNoTtl && exists) cell.ttl_ms = old->ttl_ms;
    const int64_t bytes = SerializedCellBytes(row, cell);
    if (max_cell_bytes > 0 && bytes > max_cell_bytes) {
      return Error(ErrorKind::kDoNotRetryIO, absl::StrCat("Cell with size ", bytes, " exceeds limit of ",
                                                          max_cell_bytes, " bytes in region ", layout_.NameText()));
    }
    batch_->Add(store, row, cell.qualifier, cell.timestamp_ms, CellType::kPut, cell.value, cell.ttl_ms);
    if (results != nullptr) {
      CellView view = cell.view();
      view.row = row;
      results->Append(view);
    }
  }
  return absl::OkStatus();
}

}  // namespace vaquita
