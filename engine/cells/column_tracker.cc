#include "engine/cells/column_tracker.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "engine/cells/cell_key.h"

namespace vaquita {

VersionRules::VersionRules(const FamilyDescriptor& family, int64_t now_ms)
    : min_versions(family.min_versions),
      max_versions(family.max_versions),
      oldest_unexpired_ms(family.TtlMs() ? now_ms - *family.TtlMs() : std::numeric_limits<int64_t>::min()),
      now_ms(now_ms) {}

ReadTracker::ReadTracker(const FamilyDescriptor& family, TrackerQuery query, int64_t now_ms)
    : query_(std::move(query)), keep_deleted_cells_(family.keep_deleted_cells), rules_(family, now_ms) {
  // Before the filter all versions that the family allows count, after it those that were asked for.
  if (query_.raw) {
    rules_.oldest_unexpired_ms = std::numeric_limits<int64_t>::min();
    max_versions_after_filter_ = query_.max_versions;
    rules_.max_versions = query_.filter ? std::numeric_limits<int32_t>::max() : query_.max_versions;
  } else {
    max_versions_after_filter_ = std::min(query_.max_versions, family.max_versions);
    rules_.max_versions = query_.filter ? family.max_versions : max_versions_after_filter_;
    if (family.NewVersionBehavior()) new_versions_ = std::make_unique<NewVersionTracker>(family.max_versions);
  }
}

void ReadTracker::StartRow() {
  deletes_.StartRow();
  if (new_versions_ != nullptr) new_versions_->StartRow();
  asked_ = 0;
  asked_count_ = 0;
}

Verdict ReadTracker::Judge(const CellView& cell) {
  if (query_.filter != nullptr && query_.filter->FilterAllRemaining()) return Verdict::kNextRow;
  if (AllColumnsDone()) return Verdict::kNextRow;
  if (rules_.ExpiredForGood(cell.timestamp_ms)) return NextRowOrColumn(cell);
  if (rules_.CellExpired(cell.timestamp_ms, cell.ttl_ms)) return Verdict::kSkip;

  if (!query_.raw) {
    if (IsDelete(cell.type)) {
      if (SeesMarker(cell.timestamp_ms)) deletes_.Add(cell.type, cell.timestamp_ms);
      const bool all_masked = deletes_.MaskOf(cell.timestamp_ms) == DeleteTracker::Mask::kRestOfColumn;
      return all_masked ? NextRowOrColumn(cell) : Verdict::kSkip;
    }
    if (!deletes_.empty()) {
      const DeleteTracker::Mask mask = deletes_.MaskOf(cell.timestamp_ms);
      if (mask == DeleteTracker::Mask::kRestOfColumn) return NextRowOrColumn(cell);
      if (mask == DeleteTracker::Mask::kCell) return Verdict::kSkip;
    }
  }

  if (!query_.time_range.Contains(cell.timestamp_ms)) {
    return cell.timestamp_ms < query_.time_range.min_ms ? NextRowOrColumn(cell) : Verdict::kSkip;
  }
  Verdict verdict = Verdict::kInclude;
  if (AsksColumns()) {
    verdict = MatchAskedColumn(cell);
  } else if (!versions_.Keeps(rules_, cell.type, cell.timestamp_ms)) {
    verdict = Verdict::kNextCol;
  } else if (!query_.raw && versions_.count() == rules_.max_versions) {
    verdict = Verdict::kIncludeNextCol;  // a raw read sees the markers after the last version
  }
  if (query_.filter == nullptr || verdict == Verdict::kNextCol || verdict == Verdict::kNextRow) return verdict;
  return MergeFilterAnswer(cell, verdict, query_.filter->FilterCell(cell));
}

// NormalUserScanQueryMatcher.match with a NewVersionBehaviorTracker. It judges cells of any age: of two puts the one
// with the smaller timestamp may be the later one.
Verdict ReadTracker::JudgeByOrder(const CellView& cell, int64_t write_number) {
  if (query_.filter != nullptr && query_.filter->FilterAllRemaining()) return Verdict::kNextRow;
  if (AllColumnsDone()) return Verdict::kNextRow;
  if (rules_.CellExpired(cell.timestamp_ms, cell.ttl_ms)) return Verdict::kSkip;
  if (IsDelete(cell.type)) {
    if (SeesMarker(cell.timestamp_ms)) new_versions_->Add(cell, write_number);
    return Verdict::kSkip;
  }
  if (new_versions_->Masks(cell, write_number)) return Verdict::kSkip;
  if (!query_.time_range.Contains(cell.timestamp_ms)) {
    return cell.timestamp_ms < query_.time_range.min_ms ? NextRowOrColumn(cell) : Verdict::kSkip;
  }
  if (AsksColumns()) {
    if (const Verdict verdict = FindAskedColumn(cell); verdict != Verdict::kInclude) return verdict;
  }
  const int32_t count = new_versions_->CountVisible();
  const bool expired = rules_.Expired(cell.timestamp_ms);
  if ((expired && count > rules_.min_versions) || count > max_versions_after_filter_) return NextRowOrColumn(cell);
  Verdict verdict = Verdict::kInclude;
  if ((expired && count == rules_.min_versions) || count == max_versions_after_filter_) {
    DoneWithColumn(cell);
    verdict = AllColumnsDone() ? Verdict::kIncludeNextRow : Verdict::kIncludeNextCol;
  }
  return query_.filter == nullptr ? verdict : MergeFilterAnswer(cell, verdict, query_.filter->FilterCell(cell));
}

// A family that keeps deleted cells shows them to reads of a time before their marker.
bool ReadTracker::SeesMarker(int64_t timestamp_ms) const {
  if (keep_deleted_cells_ != KeepDeletedCells::kFalse) return query_.time_range.Contains(timestamp_ms);
  return timestamp_ms >= query_.time_range.min_ms;
}

// Returns kInclude if the cell's column was asked for.
Verdict ReadTracker::FindAskedColumn(const CellView& cell) {
  int order = cell.qualifier.compare(query_.qualifiers[asked_]);
  while (order > 0) {
    NextAskedColumn();
    if (AllColumnsDone()) return Verdict::kNextRow;
    order = cell.qualifier.compare(query_.qualifiers[asked_]);
  }
  return order < 0 ? Verdict::kNextCol : Verdict::kInclude;
}

Verdict ReadTracker::MatchAskedColumn(const CellView& cell) {
  if (const Verdict verdict = FindAskedColumn(cell); verdict != Verdict::kInclude) return verdict;

  // As in HBase, and unlike VersionCounter, the version after the minimum is included even if it is expired.
  ++asked_count_;
  const bool last =
      asked_count_ >= rules_.max_versions || (asked_count_ >= rules_.min_versions && rules_.Expired(cell.timestamp_ms));
  if (!last) return Verdict::kInclude;
  NextAskedColumn();
  return AllColumnsDone() ? Verdict::kIncludeNextRow : Verdict::kIncludeNextCol;
}

Verdict ReadTracker::MergeFilterAnswer(const CellView& cell, Verdict verdict, FilterCode answer) {
  switch (answer) {
    case FilterCode::kSkip:
      if (verdict == Verdict::kInclude) return Verdict::kSkip;
      return verdict == Verdict::kIncludeNextCol ? Verdict::kNextCol : Verdict::kNextRow;
    case FilterCode::kNextCol:
      return verdict == Verdict::kIncludeNextRow ? Verdict::kNextRow : NextRowOrColumn(cell);
    case FilterCode::kNextRow:
      return Verdict::kNextRow;
    case FilterCode::kSeekNextUsingHint:
      return Verdict::kSeekHint;
    case FilterCode::kInclude:
      break;
    case FilterCode::kIncludeAndNextCol:
      if (verdict == Verdict::kInclude) verdict = Verdict::kIncludeNextCol;
      break;
    case FilterCode::kIncludeAndSeekNextRow:
      verdict = Verdict::kIncludeNextRow;
      break;
  }
  return LimitVersionsAfterFilter(cell, verdict);
}

Verdict ReadTracker::LimitVersionsAfterFilter(const CellView& cell, Verdict verdict) {
  if (++filtered_count_ > max_versions_after_filter_) {
    verdict = verdict == Verdict::kIncludeNextRow ? Verdict::kNextRow : Verdict::kNextCol;
  }
  if (verdict == Verdict::kIncludeNextCol || verdict == Verdict::kNextCol) DoneWithColumn(cell);
  return verdict;
}

void ReadTracker::NextAskedColumn() {
  ++asked_;
  asked_count_ = 0;
}

void ReadTracker::DoneWithColumn(const CellView& cell) {
  while (asked_ < query_.qualifiers.size() && cell.qualifier.compare(query_.qualifiers[asked_]) >= 0) NextAskedColumn();
}

Verdict ReadTracker::NextRowOrColumn(const CellView& cell) {
  DoneWithColumn(cell);
  return AllColumnsDone() ? Verdict::kNextRow : Verdict::kNextCol;
}

const std::string* ReadTracker::NextQualifier() const {
  return asked_ < query_.qualifiers.size() ? &query_.qualifiers[asked_] : nullptr;
}

class CompactionTracker::Impl {
 public:
  Impl(const FamilyDescriptor& family, const RowRange& range, CompactionScope scope, int64_t now_ms)
      : rules_(family, now_ms),
        keep_deleted_cells_(family.keep_deleted_cells),
        major_(scope == CompactionScope::kMajor),
        new_versions_(family.NewVersionBehavior() ? std::make_unique<NewVersionTracker>(family.max_versions) : nullptr),
        begin_(FirstKey(range)),
        end_(EndKey(range)) {}

  Fate Next(std::string_view key, std::string_view stored_value, std::string* skip_until) {
    if (!in_range_) {
      if (key < begin_) {
        *skip_until = begin_;
        reason_ = Reason::kOutside;
        return Fate::kDropToSkip;
      }
      in_range_ = true;  // keys ascend
    }
    if (!end_.empty() && key >= end_) {
      skip_until->assign(kMaxRowLength + 1, '\xff');  // after every key there can be
      reason_ = Reason::kOutside;
      return Fate::kDropToSkip;
    }
    if (!EnterColumn(key)) return Fate::kKeep;
    if (new_versions_ != nullptr && !major_) return Fate::kKeep;  // IncludeAllCompactionQueryMatcher
    if (rest_of_column_goes_) return SkipColumn(skip_until);
    const Fate fate = new_versions_ != nullptr ? JudgeByOrder(key, stored_value) : Judge(key, stored_value);
    if (fate != Fate::kDropToSkip) return fate;

    // A marker of the family may still come among the empty qualifier's cells, so those go one by one.
    if (EmptyQualifier()) return Fate::kDrop;
    rest_of_column_goes_ = true;
    return SkipColumn(skip_until);
  }

  Reason reason() const { return reason_; }

 private:
  Fate SkipColumn(std::string* skip_until) const {
    skip_until->assign(column_);
    ++skip_until->back();  // the column's prefix ends in 0x01; no key lies between its last cell and this
    return Fate::kDropToSkip;
  }

  // Notices where a new column or row begins. Returns false if `key` is malformed.
  bool EnterColumn(std::string_view key) {
    if (!column_.empty() && key.size() == column_.size() + kKeySuffixLength && key.starts_with(column_)) return true;
    const bool same_row =
        layout_.row_length > 0 && key.starts_with(std::string_view(column_).substr(0, layout_.row_length));
    if (!(same_row ? ReadColumnLayout(key, &layout_) : ReadKeyLayout(key, &layout_))) {
      column_.clear();
      layout_ = {};
      StartRow();
      return false;
    }
    column_.assign(key.substr(0, layout_.column_length));
    if (same_row) {
      deletes_.StartColumn();
    } else {
      StartRow();
    }
    versions_.StartColumn();
    rest_of_column_goes_ = false;
    return true;
  }

  void StartRow() {
    deletes_.StartRow();
    if (new_versions_ != nullptr) new_versions_->StartRow();
  }

  // MajorCompactionScanQueryMatcher.match with a NewVersionBehaviorTracker.
  Fate JudgeByOrder(std::string_view key, std::string_view stored_value) {
    CellView cell;
    cell.qualifier = KeyQualifier(key, layout_, &qualifier_scratch_);
    cell.timestamp_ms = KeyTimestamp(key);
    cell.type = KeyType(key);
    const int64_t write_number = StoredWriteNumber(stored_value);
    reason_ = Reason::kCellExpired;
    if (ParseStoredValue(stored_value, &cell.value, &cell.ttl_ms) &&
        rules_.CellExpired(cell.timestamp_ms, cell.ttl_ms)) {
      return Fate::kDrop;
    }
    if (IsDelete(cell.type)) {
      if (!KeepsDeletedCellsOf(cell.timestamp_ms)) {
        new_versions_->Add(cell, write_number);
        reason_ = Reason::kMarker;
        return Fate::kDrop;
      }
    } else if (new_versions_->Masks(cell, write_number)) {
      reason_ = Reason::kDeleted;
      return Fate::kDrop;
    }
    const int32_t count = new_versions_->CountVisible();
    const bool expired = rules_.Expired(cell.timestamp_ms);
    reason_ = expired ? Reason::kExpired : Reason::kVersions;
    return (expired && count > rules_.min_versions) || count > rules_.max_versions ? Fate::kDropToSkip : Fate::kKeep;
  }

  bool EmptyQualifier() const { return layout_.column_length - layout_.row_length == kPartTerminatorLength; }

  Fate Judge(std::string_view key, std::string_view stored_value) {
    const int64_t timestamp_ms = KeyTimestamp(key);
    const CellType type = KeyType(key);
    reason_ = Reason::kExpired;
    if (rules_.ExpiredForGood(timestamp_ms)) return Fate::kDropToSkip;
    reason_ = Reason::kCellExpired;
    std::string_view value;
    int64_t ttl_ms = kNoTtl;
    if (ParseStoredValue(stored_value, &value, &ttl_ms) && rules_.CellExpired(timestamp_ms, ttl_ms)) return Fate::kDrop;

    if (IsDelete(type)) {
      const bool kept_family = KeepsDeletedCellsOf(timestamp_ms);
      if (!kept_family) deletes_.Add(type, timestamp_ms);
      if (!major_) return Fate::kKeep;
      reason_ = Reason::kMarker;
      if (!kept_family) return Fate::kDrop;
    } else if (!deletes_.empty()) {
      reason_ = Reason::kDeleted;
      const DeleteTracker::Mask mask = deletes_.MaskOf(timestamp_ms);
      if (mask == DeleteTracker::Mask::kRestOfColumn) return Fate::kDropToSkip;
      if (mask == DeleteTracker::Mask::kCell) return Fate::kDrop;
    }
    reason_ = rules_.Expired(timestamp_ms) ? Reason::kExpired : Reason::kVersions;
    return versions_.Keeps(rules_, type, timestamp_ms) ? Fate::kKeep : Fate::kDropToSkip;
  }

  // Returns whether a marker of this time keeps the cells that it deletes.
  bool KeepsDeletedCellsOf(int64_t timestamp_ms) const {
    return keep_deleted_cells_ == KeepDeletedCells::kTrue ||
           (keep_deleted_cells_ == KeepDeletedCells::kTtl && !rules_.Expired(timestamp_ms));
  }

  const VersionRules rules_;
  const KeepDeletedCells keep_deleted_cells_;
  const bool major_;
  const std::unique_ptr<NewVersionTracker> new_versions_;  // null: the family has not asked for it
  const std::string begin_;                                // the range in keys; empty: unbounded
  const std::string end_;
  bool in_range_ = false;  // past begin_

  std::string column_;  // the present column's prefix
  KeyLayout layout_;
  DeleteTracker deletes_;
  VersionCounter versions_;
  bool rest_of_column_goes_ = false;
  std::string qualifier_scratch_;
  Reason reason_ = Reason::kOutside;  // why the last cell goes, if it does
};

CompactionTracker::CompactionTracker(const FamilyDescriptor& family, const RowRange& range, CompactionScope scope,
                                     int64_t now_ms)
    : impl_(std::make_unique<Impl>(family, range, scope, now_ms)) {}

CompactionTracker::~CompactionTracker() = default;

CompactionTracker::Fate CompactionTracker::Next(std::string_view encoded_key, std::string_view stored_value,
                                                std::string* skip_until) {
  return impl_->Next(encoded_key, stored_value, skip_until);
}

CompactionTracker::Reason CompactionTracker::reason() const { return impl_->reason(); }

}  // namespace vaquita
