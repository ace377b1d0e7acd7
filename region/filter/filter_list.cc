// Several filters as one: all must pass, or one.
// Source: FilterList, FilterListBase, FilterListWithAND, FilterListWithOR (2.6).

#include <algorithm>
#include <string>
#include <utility>

#include "base/status.h"
#include "region/filter/filter_makers.h"

namespace vaquita {
namespace {

// A filter's answer as two questions: is the cell in, and how far may the scan leap. A hint is kept apart, since it
// leads anywhere.
struct Answer {
  bool include = true;
  enum Leap { kNextCell, kNextColumn, kNextRow } leap = kNextCell;
};

Answer ToAnswer(FilterCode code) {
  switch (code) {
    case FilterCode::kInclude:
      return {true, Answer::kNextCell};
    case FilterCode::kIncludeAndNextCol:
      return {true, Answer::kNextColumn};
    case FilterCode::kIncludeAndSeekNextRow:
      return {true, Answer::kNextRow};
    case FilterCode::kSkip:
      return {false, Answer::kNextCell};
    case FilterCode::kNextCol:
      return {false, Answer::kNextColumn};
    case FilterCode::kNextRow:
      return {false, Answer::kNextRow};
    case FilterCode::kSeekNextUsingHint:
      return {false, Answer::kNextCell};
  }
  return {};
}

FilterCode ToCode(Answer answer) {
  static constexpr FilterCode kCodes[2][3] = {
      {FilterCode::kSkip, FilterCode::kNextCol, FilterCode::kNextRow},
      {FilterCode::kInclude, FilterCode::kIncludeAndNextCol, FilterCode::kIncludeAndSeekNextRow}};
  return kCodes[answer.include][answer.leap];
}

// CellComparator's order of two cells: negative if `a` comes first.
int CompareCells(const CellView& a, const CellView& b) {
  if (const int rows = a.row.compare(b.row)) return rows;
  if (const int families = a.family.compare(b.family)) return families;
  if (const int qualifiers = a.qualifier.compare(b.qualifier)) return qualifiers;
  if (a.timestamp_ms != b.timestamp_ms) return a.timestamp_ms > b.timestamp_ms ? -1 : 1;
  return static_cast<int>(b.type) - static_cast<int>(a.type);
}

using Filters = std::vector<std::unique_ptr<Filter>>;

// The common part of both kinds of list. An empty list lets everything pass.
class FilterList : public Filter {
 public:
  FilterList(Filters filters, const FilterMaking& making)
      : filters_(std::move(filters)), run_(making.run), outermost_(!making.in_list) {}

  bool HasFilterRow() const override {
    return std::any_of(filters_.begin(), filters_.end(), [](const auto& f) { return f->HasFilterRow(); });
  }
  bool LearnsFromRefusedRows() const override {
    return std::any_of(filters_.begin(), filters_.end(), [](const auto& f) { return f->LearnsFromRefusedRows(); });
  }
  void FilterRowCells(const std::vector<CellView>& row_cells, std::vector<bool>* keep) override {
    for (const auto& filter : filters_) filter->FilterRowCells(row_cells, keep);
  }
  absl::Status status() const override {
    for (const auto& filter : filters_) VAQUITA_RETURN_IF_ERROR(filter->status());
    return absl::OkStatus();
  }
  bool IsFamilyEssential(std::string_view family) const override {
    return filters_.empty() ||
           std::any_of(filters_.begin(), filters_.end(), [&](const auto& f) { return f->IsFamilyEssential(family); });
  }

 protected:
  // Begins the work on a cell or a row key.
  void Begin() {
    if (outermost_) run_->search_limits = {};
  }

  const Filters filters_;
  const std::shared_ptr<FilterRun> run_;

 private:
  const bool outermost_;
};

class FilterListAnd : public FilterList {
 public:
  using FilterList::FilterList;

  void Reset() override {
    for (const auto& filter : filters_) filter->Reset();
    seeker_ = nullptr;
  }

  // Every filter is asked, whatever the others say: some learn of a new row only here.
  bool FilterRowKey(std::string_view row) override {
    Begin();
    bool out = false;
    for (const auto& filter : filters_) {
      if (run_->failed) return true;
      if (filter->FilterAllRemaining() || filter->FilterRowKey(row)) out = true;
    }
    return out;
  }

  bool FilterAllRemaining() override {
    return std::any_of(filters_.begin(), filters_.end(), [](const auto& f) { return f->FilterAllRemaining(); });
  }

  // A filter sees a cell only if those before it let it through, so that counting filters count what gets to them.
  FilterCode FilterCell(const CellView& cell) override {
    Begin();
    seeker_ = nullptr;
    Answer merged;
    for (const auto& filter : filters_) {
      if (run_->failed) return FilterCode::kNextRow;
      if (filter->FilterAllRemaining()) return FilterCode::kNextRow;
      const FilterCode code = filter->FilterCell(cell);
      if (code == FilterCode::kSeekNextUsingHint) {
        seeker_ = filter.get();
        return code;
      }
      const Answer answer = ToAnswer(code);
      merged = {answer.include, std::max(merged.leap, answer.leap)};
      if (!merged.include) break;
    }
    return ToCode(merged);
  }

  bool GetNextCellHint(const CellView& cell, CellView* hint) override {
    return seeker_ != nullptr && !seeker_->FilterAllRemaining() && seeker_->GetNextCellHint(cell, hint);
  }

  CellView TransformCell(const CellView& cell) override {
    CellView transformed = cell;
    for (const auto& filter : filters_) transformed = filter->TransformCell(transformed);
    return transformed;
  }

  bool FilterRow() override {
    return std::any_of(filters_.begin(), filters_.end(), [](const auto& f) { return f->FilterRow(); });
  }

 private:
  Filter* seeker_ = nullptr;  // the one whose hint the last answer was
};

class FilterListOr : public FilterList {
 public:
  FilterListOr(Filters filters, const FilterMaking& making)
      : FilterList(std::move(filters), making), members_(filters_.size()) {}

  void Reset() override {
    for (size_t i = 0; i < filters_.size(); ++i) {
      filters_[i]->Reset();
      members_[i].included = members_[i].has_answer = false;
    }
  }

  bool FilterRowKey(std::string_view row) override {
    Begin();
    bool out = !filters_.empty();
    for (const auto& filter : filters_) {
      if (run_->failed) return true;
      if (!filter->FilterAllRemaining() && !filter->FilterRowKey(row)) out = false;
    }
    return out;
  }

  bool FilterAllRemaining() override {
    return !filters_.empty() &&
           std::all_of(filters_.begin(), filters_.end(), [](const auto& f) { return f->FilterAllRemaining(); });
  }

  // A filter that asked to leap is not shown the cells it would have leapt over, which the scan visits for the others'
  // sake.
  FilterCode FilterCell(const CellView& cell) override {
    if (filters_.empty()) return FilterCode::kInclude;
    Begin();
    bool any = false;
    bool all_seek = true;
    Answer merged{false, Answer::kNextRow};
    for (size_t i = 0; i < filters_.size(); ++i) {
      if (run_->failed) return FilterCode::kNextRow;
      members_[i].included = false;
      if (filters_[i]->FilterAllRemaining()) continue;
      FilterCode code;
      if (!StillLeaping(i, cell, &code)) code = filters_[i]->FilterCell(cell);
      const Answer answer = ToAnswer(code);
      Remember(i, cell, code, answer.include);
      any = true;
      all_seek = all_seek && code == FilterCode::kSeekNextUsingHint;
      merged = {merged.include || answer.include, std::min(merged.leap, answer.leap)};
    }
    if (!any) return FilterCode::kSkip;
    return all_seek ? FilterCode::kSeekNextUsingHint : ToCode(merged);
  }

  // The nearest of the hints.
  bool GetNextCellHint(const CellView& cell, CellView* hint) override {
    bool found = false;
    for (const auto& filter : filters_) {
      if (filter->FilterAllRemaining()) continue;
      CellView candidate;
      if (!filter->GetNextCellHint(cell, &candidate)) return false;
      if (!found || Compare(candidate, *hint) < 0) *hint = candidate;
      found = true;
    }
    return found;
  }

  CellView TransformCell(const CellView& cell) override {
    CellView transformed = cell;
    for (size_t i = 0; i < filters_.size(); ++i) {
      if (members_[i].included) transformed = filters_[i]->TransformCell(transformed);
    }
    return transformed;
  }

  bool FilterRow() override {
    return !filters_.empty() &&
           std::all_of(filters_.begin(), filters_.end(), [](const auto& f) { return f->FilterRow(); });
  }

 private:
  // The state of one filter in this row. The strings keep their capacity from cell to cell.
  struct Member {
    bool included = false;    // its answer to the current cell was to include
    bool has_answer = false;  // `code` and, if it leaps, `cell` are its last answer
    FilterCode code = FilterCode::kInclude;
    std::string row, family, qualifier;
    int64_t timestamp_ms = 0;
    CellType type = CellType::kPut;
    CellView cell() const { return {row, family, qualifier, timestamp_ms, type, {}}; }
  };

  int Compare(const CellView& a, const CellView& b) const {
    return reversed_ ? -CompareCells(a, b) : CompareCells(a, b);
  }

  // Returns true, with the answer in `*code`, if filter `i` asked to leap from an earlier cell over `cell`.
  bool StillLeaping(size_t i, const CellView& cell, FilterCode* code) {
    const Member& member = members_[i];
    if (!member.has_answer) return false;
    switch (member.code) {
      case FilterCode::kInclude:
      case FilterCode::kSkip:
        return false;
      case FilterCode::kSeekNextUsingHint: {
        CellView hint;
        *code = FilterCode::kSeekNextUsingHint;
        return filters_[i]->GetNextCellHint(member.cell(), &hint) && Compare(cell, hint) < 0;
      }
      case FilterCode::kNextCol:
      case FilterCode::kIncludeAndNextCol:
        *code = FilterCode::kNextCol;
        return member.qualifier == cell.qualifier && member.family == cell.family;
      case FilterCode::kNextRow:
      case FilterCode::kIncludeAndSeekNextRow:
        *code = FilterCode::kNextRow;
        return member.family == cell.family;
    }
    return false;
  }

  void Remember(size_t i, const CellView& cell, FilterCode code, bool included) {
    Member& member = members_[i];
    member.included = included;
    member.has_answer = true;
    member.code = code;
    if (code == FilterCode::kInclude || code == FilterCode::kSkip) return;
    member.row = cell.row;
    member.family = cell.family;
    member.qualifier = cell.qualifier;
    member.timestamp_ms = cell.timestamp_ms;
    member.type = cell.type;
  }

  std::vector<Member> members_;  // one per filter
};

}  // namespace

FilterOr MakeFilterOf(const FilterListSpec& spec, const FilterMaking& making) {
  FilterMaking inside = making;
  inside.in_list = true;
  Filters filters;
  filters.reserve(spec.filters.size());
  for (const FilterSpec& member : spec.filters) {
    VAQUITA_ASSIGN_OR_RETURN(filters.emplace_back(), MakePart(member, inside));
  }
  if (spec.op == FilterListSpec::Operator::kMustPassAll) {
    return std::make_unique<FilterListAnd>(std::move(filters), making);
  }
  return std::make_unique<FilterListOr>(std::move(filters), making);
}

}  // namespace vaquita
