#include "sql/plan/filter_terms.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "sql/encoding/text.h"
#include "sql/encoding/value_codec.h"
#include "sql/plan/expression_parts.h"

namespace vaquita::sql {
namespace {

ExprPtr Literal(const SqlType& type, Value value, std::string text = "") {
  auto literal = std::make_shared<Expr>();
  literal->type = type;
  literal->text = std::move(text);
  const bool whole = !type.array && type.kind() == ValueKind::kInteger;
  if (literal->text.empty() && whole && !value.is_null()) literal->text = Concat(value.integer());
  if (IsBoolean(type) && !value.is_null()) literal->text = value.integer() != 0 ? "true" : "false";
  literal->literal = std::move(value);
  return literal;
}

ExprPtr Boolean(bool value) { return Literal(TypeId::kBoolean, int64_t{value}); }

ExprPtr Not(ExprPtr condition) {
  auto negation = std::make_shared<Expr>();
  negation->kind = ExprKind::kNot;
  negation->type = TypeId::kBoolean;
  negation->children = {std::move(condition)};
  return negation;
}

bool IsLiteral(const Expr& expr) { return expr.kind == ExprKind::kLiteral; }

bool IsAlways(const Expr& planned) { return IsLiteral(planned) && planned.literal == Value(int64_t{1}); }

// Returns the greatest whole number that is not above the value; nullopt if a BIGINT cannot hold it.
std::optional<int64_t> Floor(const Decimal& value) {
  const std::string digits = value.ToPlainString();
  int64_t whole = 0;
  if (!ReadNumber(digits.substr(0, digits.find('.')), &whole)) return std::nullopt;
  const int64_t step = value.unscaled() < 0 && Decimal(whole) != value ? 1 : 0;
  return __builtin_sub_overflow(whole, step, &whole) ? std::nullopt : std::optional(whole);
}

// Returns the literal in the type of the other side. A whole number above 5.5 is one above 5, one below it is below 6.
// Returns null if no value of the type is equal to the literal and the operator asks for that.
ExprPtr InTypeOf(const SqlType& type, const ExprPtr& literal, std::string_view op) {
  if (literal->literal.is_null() || type == literal->type || type.is_null()) return literal;
  if (type.kind() == ValueKind::kInteger && literal->type.kind() == ValueKind::kDecimal) {
    std::optional<int64_t> whole = Floor(literal->literal.decimal());
    if (!whole.has_value()) return literal;
    if (Decimal(*whole) == literal->literal.decimal()) return Literal(type, *whole);
    if (op == "=" || op == "!=") return nullptr;
    const int64_t step = op == ">=" || op == "<" ? 1 : 0;
    return __builtin_add_overflow(*whole, step, &*whole) ? literal : Literal(type, *whole);
  }
  const bool convert =
      (type.kind() == ValueKind::kReal && IsNumber(literal->type)) || (IsTime(type) && IsTime(literal->type));
  if (!convert) return literal;
  auto converted = CoerceValue(literal->type, type, literal->literal, "");
  return converted.ok() ? Literal(type, *std::move(converted)) : literal;
}

ExprPtr PlannedComparison(ExprPtr compare) {
  if (IsLiteral(*compare->children[0]) && !IsLiteral(*compare->children[1])) {
    std::swap(compare->children[0], compare->children[1]);
    compare->text = Flipped(compare->text);
  }
  if (!IsLiteral(*compare->children[1])) return compare;
  compare->children[1] = InTypeOf(compare->children[0]->type, compare->children[1], compare->text);
  return compare->children[1] == nullptr ? Boolean(compare->text == "!=") : compare;
}

// Sorts the list, and drops values that are there twice. One value alone is a comparison.
ExprPtr PlannedList(ExprPtr in) {
  const SqlType type = in->children[0]->type;
  std::vector<std::pair<std::string, ExprPtr>> items;
  for (size_t i = 1; i < in->children.size(); ++i) {
    if (!IsLiteral(*in->children[i])) return in;
    ExprPtr item = InTypeOf(type, in->children[i], "=");
    if (item == nullptr || item->literal.is_null()) continue;  // the column has no such value
    auto value = CoerceValue(item->type, type, item->literal, "");
    items.emplace_back(value.ok() ? EncodeValue(type, *value) : "", std::move(item));
  }
  std::ranges::stable_sort(items, {}, [](const auto& item) { return item.first; });
  items.erase(std::unique(items.begin(), items.end(), [](const auto& a, const auto& b) { return a.first == b.first; }),
              items.end());
  if (items.empty()) return Boolean(false);
  in->children.resize(1);
  for (auto& item : items) in->children.push_back(std::move(item.second));
  if (in->children.size() > 2) return in;
  in->kind = ExprKind::kCompare;
  in->text = "=";
  return in;
}

}  // namespace

std::string Flipped(const std::string& op) {
  if (op[0] == '<') return ">" + op.substr(1);
  if (op[0] == '>') return "<" + op.substr(1);
  return op;
}

ExprPtr PlannedExpression(const Expr& expr, const ColumnNamer& name, std::span<const Value> parameters) {
  if (expr.kind == ExprKind::kLiteral) return Literal(expr.type, expr.literal, expr.text);
  if (expr.kind == ExprKind::kParameter && !parameters.empty()) {
    return Literal(expr.type, parameters[static_cast<size_t>(expr.parameter)]);
  }
  auto planned = std::make_shared<Expr>(expr);
  if (expr.kind == ExprKind::kColumn) {
    planned->text = name(expr);
    planned->qualifier.clear();
  }
  for (ExprPtr& child : planned->children) child = PlannedExpression(*child, name, parameters);
  const bool keeps_negation = expr.kind == ExprKind::kIsNull || expr.kind == ExprKind::kQuantified;
  const bool negated = std::exchange(planned->negated, keeps_negation && expr.negated);
  if (expr.kind == ExprKind::kCompare) planned = PlannedComparison(std::move(planned));
  if (expr.kind == ExprKind::kIn) planned = PlannedList(std::move(planned));
  return negated && !keeps_negation ? Not(std::move(planned)) : planned;
}

bool IsNever(const Expr& planned) {
  if (IsLiteral(planned)) return planned.literal.is_null() || planned.literal == Value(int64_t{0});
  if (planned.kind != ExprKind::kCompare && planned.kind != ExprKind::kBetween) return false;
  return std::ranges::any_of(planned.children, [](const ExprPtr& side) { return IsNullLiteral(*side); });
}

void AddTerms(const ExprPtr& condition, std::vector<ExprPtr>* terms) {
  if (condition->kind != ExprKind::kAnd) {
    terms->push_back(condition);
    return;
  }
  for (const ExprPtr& term : condition->children) AddTerms(term, terms);
}

ExprPtr WithoutTerms(const ExprPtr& condition, const std::unordered_set<const Expr*>& without) {
  if (condition->kind != ExprKind::kAnd) {
    return IsAlways(*condition) || without.contains(condition.get()) ? nullptr : condition;
  }
  auto rest = std::make_shared<Expr>(*condition);
  rest->children.clear();
  for (const ExprPtr& term : condition->children) {
    if (ExprPtr left = WithoutTerms(term, without)) rest->children.push_back(std::move(left));
  }
  if (rest->children.empty()) return nullptr;
  return rest->children.size() == 1 ? rest->children[0] : rest;
}

}  // namespace vaquita::sql
