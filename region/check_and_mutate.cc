#include "region/check_and_mutate.h"

#include "base/status.h"
#include "region/filter/comparator.h"
#include "region/read_plan.h"

namespace vaquita {
namespace {

bool Matches(CompareOp op, int order) {
  switch (op) {
    case CompareOp::kLess:
      return order < 0;
    case CompareOp::kLessOrEqual:
      return order <= 0;
    case CompareOp::kEqual:
      return order == 0;
    case CompareOp::kNotEqual:
      return order != 0;
    case CompareOp::kGreaterOrEqual:
      return order >= 0;
    case CompareOp::kGreater:
      return order > 0;
    case CompareOp::kNoOp:
      break;
  }
  return false;
}

}  // namespace

absl::StatusOr<ConditionOutcome> EvaluateCondition(const StoreDb& db, const RegionLayout& layout,
                                                   const CheckAndMutate& check, ReadWatch* watch) {
  ReadOptions read;
  read.time_range = check.time_range;
  read.filter = check.filter;
  if (!check.filter.has_value()) read.columns[check.family] = {check.qualifier};
  CellBlock cells;
  VAQUITA_RETURN_IF_ERROR(ReadRow(db, layout, check.row, read, false, watch, &cells));

  ConditionOutcome outcome;
  if (!cells.empty()) outcome.cell_ms = cells[0].timestamp_ms;
  if (check.filter.has_value()) {
    outcome.holds = !cells.empty();
    return outcome;
  }
  const std::string_view given =
      check.comparator.has_value() ? std::string_view(check.comparator->bytes) : std::string_view();
  if (given.empty()) {
    const bool absent_or_empty = cells.empty() || cells[0].value.empty();
    outcome.holds = absent_or_empty == (check.op != CompareOp::kNotEqual);
  } else if (!cells.empty() && check.op == CompareOp::kNoOp) {
    return Error(ErrorKind::kDoNotRetryIO, "Unknown Compare op NO_OP");
  } else if (!cells.empty()) {
    VAQUITA_ASSIGN_OR_RETURN(const auto comparator, MakeComparator(*check.comparator));
    const int order = comparator->Compare(cells[0].value);
    VAQUITA_RETURN_IF_ERROR(comparator->status());
    outcome.holds = Matches(check.op, order);
  }
  return outcome;
}

}  // namespace vaquita
