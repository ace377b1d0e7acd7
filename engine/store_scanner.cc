#include "engine/store_scanner.h"

#include <rocksdb/iterator.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "base/big_endian.h"
#include "base/status.h"
#include "engine/cells/cell_key.h"
#include "engine/cells/stored_row.h"
#include "engine/rocksdb/rocksdb_status.h"

namespace vaquita {
namespace {

// Returns the length of the common prefix of `a` and `b`.
size_t CommonPrefixLength(std::string_view a, std::string_view b) {
  const size_t length = std::min(a.size(), b.size());
  size_t at = 0;
  for (; at + sizeof(uint64_t) <= length; at += sizeof(uint64_t)) {
    const uint64_t differing = GetBigEndian<uint64_t>(a.data() + at) ^ GetBigEndian<uint64_t>(b.data() + at);
    if (differing != 0) return at + std::countl_zero(differing) / 8;
  }
  while (at < length && a[at] == b[at]) ++at;
  return at;
}

// The cells to step over before a seek is tried. A seek costs about as much as ten steps; so where steps were in vain,
// few are made the next time, and twice as many after each time that they were enough.
constexpr int kMostStepsBeforeSeek = 10;
constexpr int kFirstStepsBeforeSeek = 4;
constexpr int kLeastStepsBeforeSeek = 2;  // one for a single version, one for a second
// After a column that took a seek, so many are left by a seek at once; more each time that another one then takes a
// seek.
constexpr int kLeastLeavesWithoutStep = 2;
constexpr int kMostLeavesWithoutStep = 32;
constexpr int kMoreLeavesWithoutStep = 4;  // times as many

rocksdb::Slice AsSlice(std::string_view view) { return {view.data(), view.size()}; }

// Returns whether the versions of a column that `query` leaves out are those that a flush drops.
bool SkipsOnlyDead(const FamilyDescriptor& family, const TrackerQuery& query) {
  return !query.raw && query.max_versions >= family.max_versions && query.time_range.IsAll() &&
         query.filter == nullptr && family.keep_deleted_cells == KeepDeletedCells::kFalse;
}

// An iterator that keeps its key: asking RocksDB's costs two virtual calls, and a scanner needs each key several times.
class Cursor {
 public:
  explicit Cursor(std::unique_ptr<rocksdb::Iterator> iterator) : iterator_(std::move(iterator)) {}

  bool Valid() const { return valid_; }
  std::string_view key() const { return key_; }
  std::string_view value() const { return iterator_->value().ToStringView(); }
  rocksdb::Status status() const { return iterator_->status(); }
  // True after an error, until the next seek, which would forget it.
  bool Failed() const { return !valid_ && !iterator_->status().ok(); }

  void SeekToFirst() { iterator_->SeekToFirst(), ReadKey(); }
  void SeekToLast() { iterator_->SeekToLast(), ReadKey(); }
  void Seek(std::string_view target) { iterator_->Seek(AsSlice(target)), ReadKey(); }
  void SeekForPrev(std::string_view target) { iterator_->SeekForPrev(AsSlice(target)), ReadKey(); }
  void Next() { iterator_->Next(), ReadKey(); }

 private:
  void ReadKey() {
    valid_ = iterator_->Valid();
    if (valid_) key_ = iterator_->key().ToStringView();
  }

  std::unique_ptr<rocksdb::Iterator> iterator_;
  bool valid_ = false;
  std::string_view key_;
};

}  // namespace

class StoreScanner::Impl {
 public:
  Impl(std::shared_ptr<const StoreSpec> spec, std::unique_ptr<rocksdb::Iterator> iterator, StoreScanOptions options)
      : spec_(std::move(spec)),
        iterator_(std::move(iterator)),
        family_(spec_->family.name),
        order_(spec_->row_order),
        one_row_(options.one_row),
        backward_(options.reversed && !one_row_),
        filter_(options.query.filter),
        stop_(options.stop),
        seeks_past_dead_(SkipsOnlyDead(spec_->family, options.query) ? options.seeks_past_dead : nullptr),
        tracker_(spec_->family, std::move(options.query), options.now_ms) {
    if (backward_) {
      EnterRowBefore({});
    } else {
      iterator_.SeekToFirst();
      EnterRow();
    }
  }

  ~Impl() {
    if (column_seeks_ > 0) seeks_past_dead_->fetch_add(column_seeks_, std::memory_order_relaxed);
  }

  bool Valid() const { return valid_; }

  absl::Status status() const {
    if (!status_.ok() || iterator_.status().ok()) return status_;
    return FromRocksDb(iterator_.status(), "read store " + spec_->name);
  }

  std::string_view row() const { return row_; }
  std::string_view row_position() const { return std::string_view(column_).substr(0, layout_.row_length); }

  bool NextCell(CellView* cell) {
    while (valid_ && !row_done_) {
      if (stop_ != nullptr && stop_->BeforeCell()) return false;
      Advance();
      if (!ReadCell(cell)) return false;
      const int64_t write_number = tracker_.NeedsWriteNumbers() ? StoredWriteNumber(iterator_.value()) : 0;
      switch (tracker_.Match(*cell, std::exchange(new_column_, false), write_number)) {
        case Verdict::kInclude:
          next_step_ = Step::kNextCell;
          return Include(cell);
        case Verdict::kIncludeNextCol:
          next_step_ = Step::kNextColumn;
          return Include(cell);
        case Verdict::kIncludeNextRow:
          row_done_ = true;
          return Include(cell);
        case Verdict::kSkip:
          next_step_ = Step::kNextCell;
          break;
        case Verdict::kNextCol:
          next_step_ = Step::kNextColumn;
          break;
        case Verdict::kNextRow:
          row_done_ = true;
          break;
        case Verdict::kSeekHint:
          TakeHint(*cell);
          break;
      }
    }
    return false;
  }

  void NextRow() {
    if (!valid_) return;
    if (one_row_) {
      valid_ = false;
      return;
    }
    if (backward_) {
      EnterRowBefore(row_target_.empty() ? row_position() : row_target_);
      return;
    }
    if (!row_target_.empty()) {
      SkipTo(row_target_);
    } else if (!past_row_) {
      Leave(row_position());
    }
    EnterRow();
  }

 private:
  // The step from the last cell to the next one. It is taken when the next cell is asked for, because the caller still
  // reads the last one's bytes.
  enum class Step { kStay, kNextCell, kNextColumn, kTarget };

  void Advance() {
    switch (std::exchange(next_step_, Step::kStay)) {
      case Step::kStay:
        return;
      case Step::kNextCell:
        iterator_.Next();
        return;
      case Step::kNextColumn:
        if (const std::string* qualifier = tracker_.NextQualifier(); qualifier != nullptr) {
          target_.assign(row_position());
          AppendEscaped(*qualifier, &target_);
          SkipTo(target_);
        } else {
          const bool sought = Leave(column_);
          if (sought && seeks_past_dead_ != nullptr) ++column_seeks_;
        }
        return;
      case Step::kTarget:
        SkipTo(target_);
        return;
    }
  }

  // Moves to the first key at or after `target`. `steps_made` were made towards it. Returns whether it took a seek.
  bool SkipTo(std::string_view target, int steps_made = 0) {
    for (int i = steps_made; i < steps_before_seek_ && !IsAt(target); ++i) iterator_.Next();
    if (IsAt(target)) {
      AllowMoreSteps();
      return false;
    }
    steps_before_seek_ = kLeastStepsBeforeSeek;
    iterator_.Seek(target);
    return true;
  }
  void AllowMoreSteps() { steps_before_seek_ = std::min(2 * steps_before_seek_, kMostStepsBeforeSeek); }
  bool IsAt(std::string_view target) const { return !iterator_.Valid() || iterator_.key() >= target; }

  // Moves past the keys that begin with `prefix`, a row's or a column's, from one of them. Mostly it is the only one,
  // so a step is tried first, but not where the last ones were in vain. Returns whether it took a seek.
  bool Leave(std::string_view prefix) {
    const bool step = leaves_without_step_ == 0;
    if (step) {
      iterator_.Next();
      if (!iterator_.Valid() || !iterator_.key().starts_with(prefix)) {
        next_leaves_without_step_ = kLeastLeavesWithoutStep;
        AllowMoreSteps();
        return false;
      }
    }
    target_.assign(prefix);
    ++target_.back();  // the first key after all that begin so
    if (!step) {
      --leaves_without_step_;
      iterator_.Seek(target_);
      return true;
    }
    const bool sought = SkipTo(target_, /*steps_made=*/1);
    leaves_without_step_ = sought ? next_leaves_without_step_ : 0;
    next_leaves_without_step_ =
        sought ? std::min(kMoreLeavesWithoutStep * next_leaves_without_step_, kMostLeavesWithoutStep)
               : kLeastLeavesWithoutStep;
    return sought;
  }

  // Begins the row whose first key the iterator stands on.
  void EnterRow() {
    valid_ = false;
    if (!iterator_.Valid()) return;
    const std::string_view key = iterator_.key();
    if (!ReadKeyLayout(key, &layout_)) return FailMalformed();
    EnterColumn(key);
    ReadRow();
    tracker_.StartRow();
    valid_ = true;
    row_done_ = false;
    past_row_ = false;
    next_step_ = Step::kStay;
    row_target_.clear();
  }

  // Begins the last row that lies wholly before `key`; an empty key is after every row.
  void EnterRowBefore(std::string_view key) {
    valid_ = false;
    if (iterator_.Failed()) return;
    if (key.empty()) {
      iterator_.SeekToLast();
    } else {
      iterator_.SeekForPrev(key);
    }
    if (!iterator_.Valid()) return;
    const std::string_view found = iterator_.key();
    if (!ReadKeyLayout(found, &layout_)) return FailMalformed();
    target_.assign(found.data(), layout_.row_length);
    iterator_.Seek(target_);
    EnterRow();
  }

  void EnterColumn(std::string_view key) {
    const char* const bytes = column_.data();
    column_.assign(key.data(), layout_.column_length);
    new_column_ = true;
    if (column_.data() != bytes) ReadRow();
  }

  void ReadRow() { row_ = RowOfStored(order_, KeyRow(row_position(), layout_, &row_scratch_), &order_scratch_); }

  // Reads the cell that the iterator stands on, unless the row has ended.
  bool ReadCell(CellView* cell) {
    if (!iterator_.Valid()) return EndRow();
    const std::string_view key = iterator_.key();
    if (!new_column_ && !StaysInRow(key)) return false;
    cell->row = row_;
    cell->family = family_;
    cell->qualifier = KeyQualifier(key, layout_, &qualifier_scratch_);
    cell->timestamp_ms = KeyTimestamp(key);
    cell->type = KeyType(key);
    return ParseStoredValue(iterator_.value(), &cell->value, &cell->ttl_ms) || EndMalformed();
  }

  // One comparison with the cell before tells apart its column, another column of the row, and another row.
  bool StaysInRow(std::string_view key) {
    const size_t common = CommonPrefixLength(key, column_);
    if (common == column_.size() && key.size() == column_.size() + kKeySuffixLength) return true;
    if (common < layout_.row_length) return EndRow();
    if (!ReadColumnLayout(key, &layout_)) return EndMalformed();
    EnterColumn(key);
    return true;
  }

  bool EndRow() {
    row_done_ = true;
    past_row_ = true;
    return false;
  }

  bool Include(CellView* cell) {
    if (filter_ != nullptr) *cell = filter_->TransformCell(*cell);
    return true;
  }

  // Prepares to go where the filter's hint leads; only onward in the scan's direction, as HBase.
  void TakeHint(const CellView& cell) {
    next_step_ = Step::kNextCell;
    CellView hint;
    if (!filter_->GetNextCellHint(cell, &hint)) return;
    if (hint.row != row_) {
      std::string scratch;
      std::string prefix = RowPrefix(StoredRow(order_, hint.row, &scratch));
      if ((prefix > row_position()) == backward_) return;
      row_target_ = std::move(prefix);
      if (backward_) ++row_target_.back();  // as in Leave
      row_done_ = true;
      return;
    }
    if (backward_ || hint.family < family_) return;
    if (hint.family > family_) {
      row_done_ = true;
      return;
    }
    target_.assign(row_position());
    AppendEscaped(hint.qualifier, &target_);
    AppendBigEndian(~static_cast<uint64_t>(hint.timestamp_ms), &target_);
    if (target_ > iterator_.key()) next_step_ = Step::kTarget;
  }

  void FailMalformed() {
    valid_ = false;
    status_ = Error(ErrorKind::kCorruptHFile, "read store " + spec_->name + ": a cell is malformed");
  }
  bool EndMalformed() {
    FailMalformed();
    return false;
  }

  const std::shared_ptr<const StoreSpec> spec_;  // before iterator_, which reads the store that it may keep
  Cursor iterator_;
  const std::string family_;
  const RowOrder order_;
  const bool one_row_;
  const bool backward_;  // one row is read forward: that costs a seek less, and row blooms help
  CellFilter* const filter_;
  ReadStop* const stop_;
  std::atomic<int64_t>* const seeks_past_dead_;
  int64_t column_seeks_ = 0;  // not yet added to it
  int steps_before_seek_ = kFirstStepsBeforeSeek;
  ReadTracker tracker_;

  absl::Status status_;
  bool valid_ = false;
  bool row_done_ = false;  // nothing more of the row is wanted
  bool past_row_ = false;  // the iterator has left the row
  Step next_step_ = Step::kStay;

  int leaves_without_step_ = 0;
  int next_leaves_without_step_ = kLeastLeavesWithoutStep;  // after the next column that takes a seek

  KeyLayout layout_;         // belongs to the key that was read last
  std::string column_;       // its column's prefix, which begins with the row's
  std::string_view row_;     // in column_, or in one of the scratches
  bool new_column_ = false;  // no cell of it was judged yet
  std::string row_scratch_;
  std::string order_scratch_;
  std::string qualifier_scratch_;
  std::string target_;      // where Step::kTarget leads; otherwise scratch
  std::string row_target_;  // where a filter's hint leads NextRow; empty: to the next row
};

StoreScanner::StoreScanner(std::shared_ptr<const StoreSpec> spec, std::unique_ptr<rocksdb::Iterator> iterator,
                           StoreScanOptions options)
    : impl_(std::make_unique<Impl>(std::move(spec), std::move(iterator), std::move(options))) {}

StoreScanner::~StoreScanner() = default;
StoreScanner::StoreScanner(StoreScanner&&) noexcept = default;

bool StoreScanner::Valid() const { return impl_->Valid(); }
absl::Status StoreScanner::status() const { return impl_->status(); }
std::string_view StoreScanner::row() const { return impl_->row(); }
std::string_view StoreScanner::row_position() const { return impl_->row_position(); }
bool StoreScanner::NextCell(CellView* cell) { return impl_->NextCell(cell); }
void StoreScanner::NextRow() { impl_->NextRow(); }

}  // namespace vaquita
