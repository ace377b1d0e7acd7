#include "tools/bench/answer_check.h"

#include <algorithm>
#include <memory>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/big_endian.h"
#include "base/status.h"
#include "base/whole_number.h"
#include "lab/records/random_number.h"
#include "model/region_info.h"
#include "tools/bench/row_values.h"

namespace vaquita::bench {
namespace {

std::string RowText(std::string_view key) { return absl::StrCat("row '", ToStringBinary(key), "'"); }

}  // namespace

size_t FieldBytes(const Workload& workload, int field, uint64_t tag) {
  if (workload.constant_field_bytes) return static_cast<size_t>(workload.field_bytes);
  const auto span = static_cast<uint64_t>(workload.field_bytes - workload.least_field_bytes) + 1;
  return static_cast<size_t>(workload.least_field_bytes) +
         lab::RandomBelow(lab::RandomNumber(tag, static_cast<uint64_t>(field)), span);
}

absl::StatusOr<std::unique_ptr<AnswerCheck>> AnswerCheck::Make(const Workload* workload, const RowKeys& keys,
                                                               bool rows_are_new) {
  auto check = std::unique_ptr<AnswerCheck>(new AnswerCheck(workload, rows_are_new));
  if (!rows_are_new || !workload->load) return check;
  KeyMaker maker(&keys);
  std::vector<std::string> sorted;
  for (uint64_t row = 0; row < workload->rows; ++row) {
    VAQUITA_ASSIGN_OR_RETURN(sorted.emplace_back(), maker.KeyOf(row));
  }
  std::sort(sorted.begin(), sorted.end());
  if (const auto twice = std::adjacent_find(sorted.begin(), sorted.end()); twice != sorted.end()) {
    return absl::InvalidArgumentError(
        absl::StrCat("two rows have the key '", ToStringBinary(*twice), "': --verify wants a key for each row"));
  }
  const bool rows_stay = workload->Share(OperationKind::kDelete) == 0 &&
                         workload->Share(OperationKind::kCheckAndDelete) == 0 && !workload->parsed_filter &&
                         !workload->filter_by_value;
  if (rows_stay) check->sorted_ = std::move(sorted);
  return check;
}

std::vector<std::unique_lock<std::mutex>> AnswerCheck::Lock(std::span<const uint64_t> rows) {
  std::set<size_t> stripes;  // in order, so that no two threads wait for each other
  for (const uint64_t row : rows) stripes.insert(row % kStripes);
  std::vector<std::unique_lock<std::mutex>> locks;
  for (const size_t stripe : stripes) locks.emplace_back(stripes_[stripe].mutex);
  return locks;
}

AnswerCheck::RowState& AnswerCheck::StateOf(uint64_t row) {
  const auto [found, is_new] = stripes_[row % kStripes].rows.try_emplace(row);
  RowState& state = found->second;
  if (!is_new) return state;
  const bool loaded = workload_->load && row < workload_->rows;
  state.tags.assign(static_cast<size_t>(workload_->fields), !rows_are_new_ ? kUnread : loaded ? 0 : kAbsent);
  if (rows_are_new_) {
    state.counter = 0;
    state.appended = "";
  }
  return state;
}

void AnswerCheck::Wrote(uint64_t row, int field, uint64_t tag, bool done) {
  RowState& state = StateOf(row);
  for (int i = 0; i < workload_->fields; ++i) {
    if (field != kAllFields && field != i) continue;
    state.tags[static_cast<size_t>(i)] = done ? static_cast<int64_t>(tag) : kAnything;
  }
}

void AnswerCheck::Deleted(uint64_t row, bool done) {
  DeletedField(row, kAllFields, done);
  RowState& state = StateOf(row);
  state.counter = done ? std::optional<int64_t>(0) : std::nullopt;
  state.appended = done ? std::optional<std::string>("") : std::nullopt;
}

void AnswerCheck::DeletedField(uint64_t row, int field, bool done) {
  RowState& state = StateOf(row);
  for (int i = 0; i < workload_->fields; ++i) {
    if (field == kAllFields || field == i) state.tags[static_cast<size_t>(i)] = done ? kAbsent : kAnything;
  }
}

std::optional<int> AnswerCheck::FieldOf(std::string_view qualifier) const {
  int field = 0;
  if (!qualifier.starts_with(workload_->field_prefix) ||
      !ReadWholeNumber(qualifier.substr(workload_->field_prefix.size()), &field) || field < 0 ||
      field >= workload_->fields) {
    return std::nullopt;
  }
  return field;
}

// Returns "" if the cell is one that some operation writes to this row.
std::string AnswerCheck::CheckCell(std::string_view key, const Cell& cell) const {
  if (cell.row != key) return absl::StrCat(RowText(key), " has a cell of ", RowText(cell.row));
  if (cell.family != workload_->family) return absl::StrCat(RowText(key), " has a cell of family '", cell.family, "'");
  if (cell.qualifier == kCounterColumn || cell.qualifier == kAppendedColumn) return "";
  const std::optional<int> field = FieldOf(cell.qualifier);
  if (!field) return absl::StrCat(RowText(key), " has a column '", ToStringBinary(cell.qualifier), "'");
  const uint64_t tag = TagOf(cell.value);
  if (cell.value.size() >= sizeof(tag) && cell.value.size() != FieldBytes(*workload_, *field, tag)) {
    return absl::StrCat(RowText(key), ": ", cell.qualifier, " has ", cell.value.size(), " bytes, not ",
                        FieldBytes(*workload_, *field, tag));
  }
  if (cell.value != MakeValue(key, *field, tag, cell.value.size(), workload_->compressible)) {
    return absl::StrCat(RowText(key), ": ", cell.qualifier, " has a value that was never written to it");
  }
  return "";
}

int64_t AnswerCheck::TagOfFirstRead(const Cell* cell) {
  if (cell == nullptr) return kAbsent;
  return cell->value.size() < sizeof(uint64_t) ? kAnything : static_cast<int64_t>(TagOf(cell->value));
}

std::string AnswerCheck::CheckGet(uint64_t row, std::string_view key, int field, const client::Result& result) {
  RowState& state = StateOf(row);
  std::vector<const Cell*> cells(static_cast<size_t>(workload_->fields), nullptr);
  for (const Cell& cell : result.cells) {
    if (std::string wrong = CheckCell(key, cell); !wrong.empty()) return wrong;
    const std::optional<int> column = FieldOf(cell.qualifier);
    if (!column) continue;
    if (field != kAllFields && field != *column) return absl::StrCat(RowText(key), " has ", cell.qualifier, " too");
    if (std::exchange(cells[static_cast<size_t>(*column)], &cell) != nullptr) {
      return absl::StrCat(RowText(key), " has ", cell.qualifier, " twice");
    }
  }
  if (workload_->parsed_filter) return "";
  for (int i = 0; i < workload_->fields; ++i) {
    if (field != kAllFields && field != i) continue;
    int64_t& tag = state.tags[static_cast<size_t>(i)];
    const Cell* const cell = cells[static_cast<size_t>(i)];
    if (tag == kUnread) tag = TagOfFirstRead(cell);
    if (tag == kAnything) continue;
    const std::string column = absl::StrCat(RowText(key), ": ", workload_->field_prefix, i);
    if (tag == kAbsent && cell != nullptr) return column + " was deleted, or never written, and is there";
    if (tag == kAbsent) continue;
    if (cell == nullptr) return column + " is not there";
    const auto written = static_cast<uint64_t>(tag);
    const size_t bytes = FieldBytes(*workload_, i, written);
    if (cell->value.size() != bytes || TagOf(cell->value) != TagThatFits(written, bytes)) {
      return absl::StrCat(column, " is of write ", TagOf(cell->value), ", not ", tag);
    }
  }
  return "";
}

std::string AnswerCheck::CheckIncrement(uint64_t row, std::string_view key, const client::Result& result, bool done) {
  RowState& state = StateOf(row);
  const std::optional<int64_t> before = std::exchange(state.counter, std::nullopt);
  if (!done) return "";
  const std::string* const value = result.Value(workload_->family, kCounterColumn);
  if (value == nullptr || value->size() != sizeof(int64_t)) {
    return absl::StrCat(RowText(key), ": the increment's answer has no counter of 8 bytes");
  }
  const auto now = static_cast<int64_t>(GetBigEndian<uint64_t>(value->data()));
  state.counter = now;
  if (!before || now == *before + 1) return "";
  return absl::StrCat(RowText(key), ": the counter went from ", *before, " to ", now);
}

std::string AnswerCheck::CheckAppend(uint64_t row, std::string_view key, const client::Result& result, bool done) {
  RowState& state = StateOf(row);
  const std::optional<std::string> before = std::exchange(state.appended, std::nullopt);
  if (!done) return "";
  const std::string* const value = result.Value(workload_->family, kAppendedColumn);
  if (value == nullptr) return absl::StrCat(RowText(key), ": the append's answer has no value");
  state.appended = *value;
  if (!before || *value == *before + std::string(key)) return "";
  return absl::StrCat(RowText(key), ": the append made ", value->size(), " bytes of ", before->size(), " and ",
                      key.size());
}

AnswerCheck::ScanCheck::ScanCheck(const AnswerCheck* check, std::string start, std::string stop, int64_t limit)
    : check_(check), start_(std::move(start)), stop_(std::move(stop)), limit_(limit) {}

std::string AnswerCheck::ScanCheck::Row(const client::Result& result) {
  if (result.cells.empty()) return "a scan's result has no cell";
  const std::string& key = result.cells[0].row;
  const bool reversed = check_->workload_->reversed;
  if (++rows_ > limit_ && limit_ > 0) return absl::StrCat("a scan of ", limit_, " rows returned one more");
  if (rows_ > 1 && (reversed ? key >= last_ : key <= last_)) {
    return absl::StrCat(RowText(key), " came behind ", RowText(last_), " in a scan");
  }
  if (!start_.empty() && (reversed ? key > start_ : key < start_)) {
    return absl::StrCat(RowText(key), " came in a scan from ", RowText(start_));
  }
  if (!stop_.empty() && (reversed ? key <= stop_ : key >= stop_)) {
    return absl::StrCat(RowText(key), " came in a scan to ", RowText(stop_));
  }
  for (const Cell& cell : result.cells) {
    if (std::string wrong = check_->CheckCell(key, cell); !wrong.empty()) return wrong;
  }
  std::string missing = Missing(key);
  last_ = key;
  return missing;
}

std::string AnswerCheck::ScanCheck::End() {
  if (limit_ > 0 && rows_ >= limit_) return "";
  return Missing("");
}

// Returns the loaded row between the last one and `before`, which the scan passed over. `before` empty: the scan's end.
std::string AnswerCheck::ScanCheck::Missing(std::string_view before) const {
  const std::vector<std::string>& sorted = check_->sorted_;
  const bool first = rows_ == 0 || (rows_ == 1 && !before.empty());
  const std::string& from = first ? start_ : last_;
  if (sorted.empty()) return "";
  if (check_->workload_->reversed) {
    auto next = from.empty() ? sorted.end()
                : first      ? std::upper_bound(sorted.begin(), sorted.end(), from)
                             : std::lower_bound(sorted.begin(), sorted.end(), from);
    if (next == sorted.begin()) return "";
    --next;
    if (before.empty() ? (!stop_.empty() && *next <= stop_) : *next <= before) return "";
    return absl::StrCat(RowText(*next), " is missing in a scan");
  }
  const auto next = first ? std::lower_bound(sorted.begin(), sorted.end(), from)
                          : std::upper_bound(sorted.begin(), sorted.end(), from);
  if (next == sorted.end()) return "";
  if (before.empty() ? (!stop_.empty() && *next >= stop_) : *next >= before) return "";
  return absl::StrCat(RowText(*next), " is missing in a scan");
}

}  // namespace vaquita::bench
