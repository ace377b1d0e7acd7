#include "sql/aggregate/condition.h"

#include "base/status.h"
#include "sql/encoding/like.h"

namespace vaquita::sql {
namespace {

using phoenix::Condition;
using Truth = std::optional<bool>;

absl::Status Malformed() { return Error(ErrorKind::kIllegalArgument, "the plan has a condition without its parts"); }

Truth TruthOf(const FormView& form) {
  if (form.is_null()) return std::nullopt;
  return form.kind == FormKind::kReal ? form.real != 0 : form.integer != 0;
}

Truth Compare(Condition::Op op, const FormView& a, const FormView& b) {
  if (a.is_null() || b.is_null()) return std::nullopt;
  const auto order = CompareForms(a, b);
  switch (op) {
    case Condition::LESS:
      return order < 0;
    case Condition::LESS_OR_EQUAL:
      return order <= 0;
    case Condition::GREATER:
      return order > 0;
    case Condition::GREATER_OR_EQUAL:
      return order >= 0;
    default:
      return order == 0;
  }
}

Truth IsIn(const phoenix::AggregatePlan& plan, const Condition& condition, const FormView& value) {
  bool any_null = false;
  for (const int32_t constant : condition.constants()) {
    const Truth equal = Compare(Condition::EQUAL, value, ViewOf(plan.constants(constant)));
    if (equal.value_or(false)) return true;
    any_null = any_null || !equal.has_value();
  }
  return any_null ? std::nullopt : Truth(false);
}

// AND ends at the first false, OR at the first true.
absl::StatusOr<Truth> Joined(const phoenix::AggregatePlan& plan, const Condition& condition, RowColumns* row) {
  const bool end = condition.op() == Condition::OR;
  Truth all = !end;
  for (const Condition& child : condition.children()) {
    VAQUITA_ASSIGN_OR_RETURN(const Truth one, Holds(plan, child, row));
    if (one == end) return Truth(end);
    if (!one.has_value()) all = std::nullopt;
  }
  return all;
}

}  // namespace

absl::Status CheckCondition(const phoenix::AggregatePlan& plan, const Condition& condition) {
  for (const int32_t constant : condition.constants())
    if (constant < 0 || constant >= plan.constants_size()) return Malformed();
  for (const Condition& child : condition.children()) VAQUITA_RETURN_IF_ERROR(CheckCondition(plan, child));
  const auto op = condition.op();
  if (op < Condition::CONSTANT || op > Condition::LIKE) return Malformed();
  const bool joins = op == Condition::AND || op == Condition::OR || op == Condition::NOT;
  if (op == Condition::NOT && condition.children_size() != 1) return Malformed();
  if (!joins && op != Condition::CONSTANT && (condition.column() < 0 || condition.column() >= plan.columns_size())) {
    return Malformed();
  }
  const bool takes_one = op == Condition::CONSTANT || (op >= Condition::EQUAL && op != Condition::IN);
  return takes_one && condition.constants_size() != 1 ? Malformed() : absl::OkStatus();
}

absl::StatusOr<Truth> Holds(const phoenix::AggregatePlan& plan, const Condition& condition, RowColumns* row) {
  switch (condition.op()) {
    case Condition::CONSTANT:
      return TruthOf(ViewOf(plan.constants(condition.constants(0))));
    case Condition::AND:
    case Condition::OR:
      return Joined(plan, condition, row);
    case Condition::NOT: {
      VAQUITA_ASSIGN_OR_RETURN(const Truth truth, Holds(plan, condition.children(0), row));
      return truth.has_value() ? Truth(!*truth) : std::nullopt;
    }
    default:
      break;
  }
  VAQUITA_ASSIGN_OR_RETURN(const FormView value, row->FormOf(static_cast<size_t>(condition.column())));
  if (condition.op() == Condition::COLUMN) return TruthOf(value);
  if (condition.op() == Condition::IS_NULL) return Truth(value.is_null());
  if (condition.op() == Condition::IN) return IsIn(plan, condition, value);
  const FormView constant = ViewOf(plan.constants(condition.constants(0)));
  if (condition.op() != Condition::LIKE) return Compare(condition.op(), value, constant);
  if (value.is_null() || constant.is_null()) return Truth(std::nullopt);
  VAQUITA_ASSIGN_OR_RETURN(const bool matches, MatchesLike(value.bytes, constant.bytes));
  return Truth(matches);
}

}  // namespace vaquita::sql
