// Filters that compare a part of each cell with a value of the client's.
// Source: RowFilter, FamilyFilter, QualifierFilter, ValueFilter, SingleColumnValueFilter,
// SingleColumnValueExcludeFilter, DependentColumnFilter, ColumnValueFilter (2.6).

#include <string>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "base/status.h"
#include "region/filter/comparator.h"
#include "region/filter/filter_makers.h"

namespace vaquita {
namespace {

// An operator and a comparator: what is out and what is not.
struct Condition {
  CompareOp op;
  std::shared_ptr<FilterRun> run;  // outlives the comparator
  std::unique_ptr<Comparator> comparator;
  bool IsOut(std::string_view bytes) const {
    if (op == CompareOp::kNoOp) return true;
    const int comparison = comparator->Compare(bytes);
    if (comparison == kIncomparable) run->failed = true;
    return IsFilteredOut(op, comparison);
  }
  absl::Status status() const { return comparator == nullptr ? absl::OkStatus() : comparator->status(); }
};

absl::StatusOr<Condition> MakeCondition(CompareOp op, const ComparatorSpec& spec, const FilterMaking& making) {
  VAQUITA_ASSIGN_OR_RETURN(auto comparator,
                           MakeComparator(spec, making.in_list ? &making.run->search_limits : nullptr));
  return Condition{op, making.run, std::move(comparator)};
}

// A filter with a condition, whose errors are the filter's.
class ConditionFilter : public Filter {
 public:
  explicit ConditionFilter(Condition condition) : condition_(std::move(condition)) {}
  absl::Status status() const override { return condition_.status(); }

 protected:
  const Condition condition_;
};

// A column of the client's.
struct Column {
  std::string family;
  std::string qualifier;
  bool Holds(const CellView& cell) const { return cell.qualifier == qualifier && cell.family == family; }
};

class RowFilter : public ConditionFilter {
 public:
  using ConditionFilter::ConditionFilter;
  void Reset() override { out_ = false; }
  bool FilterRowKey(std::string_view row) override {
    if (condition_.IsOut(row)) out_ = true;
    return out_;
  }
  FilterCode FilterCell(const CellView&) override { return out_ ? FilterCode::kNextRow : FilterCode::kInclude; }
  bool FilterRow() override { return out_; }

 private:
  bool out_ = false;
};

class FamilyFilter : public ConditionFilter {
 public:
  using ConditionFilter::ConditionFilter;
  FilterCode FilterCell(const CellView& cell) override {
    return !cell.family.empty() && condition_.IsOut(cell.family) ? FilterCode::kNextRow : FilterCode::kInclude;
  }
};

class QualifierFilter : public ConditionFilter {
 public:
  using ConditionFilter::ConditionFilter;
  FilterCode FilterCell(const CellView& cell) override {
    return condition_.IsOut(cell.qualifier) ? FilterCode::kSkip : FilterCode::kInclude;
  }
};

class ValueFilter : public ConditionFilter {
 public:
  using ConditionFilter::ConditionFilter;
  FilterCode FilterCell(const CellView& cell) override {
    return condition_.IsOut(cell.value) ? FilterCode::kSkip : FilterCode::kInclude;
  }
};

// Whole rows by the value of one column.
class SingleColumnValueFilter : public ConditionFilter {
 public:
  SingleColumnValueFilter(const SingleColumnValueFilterSpec& spec, Condition condition)
      : ConditionFilter(std::move(condition)),
        column_{spec.family, spec.qualifier},
        filter_if_missing_(spec.filter_if_missing),
        latest_version_only_(spec.latest_version_only),
        exclude_column_(spec.exclude_column) {}

  void Reset() override { found_ = matched_ = false; }

  FilterCode FilterCell(const CellView& cell) override {
    if (matched_) return FilterCode::kInclude;
    if (latest_version_only_ && found_) return FilterCode::kNextRow;
    if (!column_.Holds(cell)) return FilterCode::kInclude;
    found_ = true;
    if (condition_.IsOut(cell.value)) return latest_version_only_ ? FilterCode::kNextRow : FilterCode::kInclude;
    matched_ = true;
    return FilterCode::kInclude;
  }

  bool HasFilterRow() const override { return true; }
  void FilterRowCells(const std::vector<CellView>& row_cells, std::vector<bool>* keep) override {
    if (!exclude_column_) return;
    for (size_t i = 0; i < row_cells.size(); ++i) {
      if (column_.Holds(row_cells[i])) (*keep)[i] = false;
    }
  }
  bool FilterRow() override { return found_ ? !matched_ : filter_if_missing_; }
  bool IsFamilyEssential(std::string_view family) const override {
    return !filter_if_missing_ || family == column_.family;
  }

 private:
  const Column column_;
  const bool filter_if_missing_;
  const bool latest_version_only_;
  const bool exclude_column_;
  bool found_ = false;
  bool matched_ = false;
};

// Cells that have the timestamp of a cell of the column.
class DependentColumnFilter : public ConditionFilter {
 public:
  // `condition` may have no comparator: then every value is in.
  DependentColumnFilter(const DependentColumnFilterSpec& spec, Condition condition)
      : ConditionFilter(std::move(condition)),
        column_{spec.family, spec.qualifier},
        drop_column_(spec.drop_dependent_column) {}

  void Reset() override { timestamps_.clear(); }
  FilterCode FilterCell(const CellView& cell) override {
    if (!column_.Holds(cell)) return FilterCode::kInclude;  // for now: FilterRowCells knows all timestamps
    if (condition_.comparator != nullptr && condition_.IsOut(cell.value)) return FilterCode::kSkip;
    timestamps_.insert(cell.timestamp_ms);
    return drop_column_ ? FilterCode::kSkip : FilterCode::kInclude;
  }
  bool HasFilterRow() const override { return true; }
  void FilterRowCells(const std::vector<CellView>& row_cells, std::vector<bool>* keep) override {
    for (size_t i = 0; i < row_cells.size(); ++i) {
      if (!timestamps_.contains(row_cells[i].timestamp_ms)) (*keep)[i] = false;
    }
  }

 private:
  const Column column_;
  const bool drop_column_;
  absl::flat_hash_set<int64_t> timestamps_;
};

// Only the cells of one column, by their value.
class ColumnValueFilter : public ConditionFilter {
 public:
  ColumnValueFilter(Column column, Condition condition)
      : ConditionFilter(std::move(condition)), column_(std::move(column)) {}

  void Reset() override { found_ = false; }
  FilterCode FilterCell(const CellView& cell) override {
    if (!column_.Holds(cell)) return found_ ? FilterCode::kNextRow : FilterCode::kNextCol;
    found_ = true;
    return condition_.IsOut(cell.value) ? FilterCode::kSkip : FilterCode::kInclude;
  }
  bool IsFamilyEssential(std::string_view family) const override { return family == column_.family; }

 private:
  const Column column_;
  bool found_ = false;
};

}  // namespace

FilterOr MakeFilterOf(const CompareFilterSpec& spec, const FilterMaking& making) {
  VAQUITA_ASSIGN_OR_RETURN(Condition condition, MakeCondition(spec.op, spec.comparator, making));
  switch (spec.what) {
    case CompareFilterSpec::What::kRow:
      return std::make_unique<RowFilter>(std::move(condition));
    case CompareFilterSpec::What::kFamily:
      return std::make_unique<FamilyFilter>(std::move(condition));
    case CompareFilterSpec::What::kQualifier:
      return std::make_unique<QualifierFilter>(std::move(condition));
    case CompareFilterSpec::What::kValue:
      return std::make_unique<ValueFilter>(std::move(condition));
  }
  return Error(ErrorKind::kIllegalArgument, "unknown compare filter");
}

FilterOr MakeFilterOf(const SingleColumnValueFilterSpec& spec, const FilterMaking& making) {
  // HBase finds out at the first value it compares.
  if (spec.op == CompareOp::kNoOp) return Error(ErrorKind::kDoNotRetryIO, "Unknown Compare op NO_OP");
  VAQUITA_ASSIGN_OR_RETURN(Condition condition, MakeCondition(spec.op, spec.comparator, making));
  return std::make_unique<SingleColumnValueFilter>(spec, std::move(condition));
}

FilterOr MakeFilterOf(const DependentColumnFilterSpec& spec, const FilterMaking& making) {
  Condition condition{spec.op, making.run, nullptr};
  if (!spec.comparator.empty()) {
    VAQUITA_ASSIGN_OR_RETURN(condition, MakeCondition(spec.op, spec.comparator.front(), making));
  }
  return std::make_unique<DependentColumnFilter>(spec, std::move(condition));
}

FilterOr MakeFilterOf(const ColumnValueFilterSpec& spec, const FilterMaking& making) {
  VAQUITA_ASSIGN_OR_RETURN(Condition condition, MakeCondition(spec.op, spec.comparator, making));
  return std::make_unique<ColumnValueFilter>(Column{spec.family, spec.qualifier}, std::move(condition));
}

}  // namespace vaquita
