#include "sql/plan/pushed_aggregates.h"

#include <algorithm>
#include <map>
#include <utility>

#include "model/row_after_prefix.h"
#include "sql/encoding/like.h"
#include "sql/plan/key_ranges.h"
#include "sql/plan/resolver.h"

namespace vaquita::sql {
namespace {

using phoenix::Aggregate;
using phoenix::Condition;

// Returns whether the expression has one value, which the parameters' values tell.
bool IsKnown(const Expr& expr) {
  return !AnyPart(expr, [](const Expr& part) {
    return part.kind == ExprKind::kColumn || part.kind == ExprKind::kSequence || part.kind == ExprKind::kRow ||
           part.subquery != nullptr || IsAggregate(part) ||
           (part.kind == ExprKind::kFunction && (part.source >= 0 || part.text == "RAND"));
  });
}

ExprPtr Call(std::string_view name, const SqlType& type, std::vector<ExprPtr> children) {
  auto call = std::make_shared<Expr>();
  call->kind = ExprKind::kFunction;
  call->text = name;
  call->type = type;
  call->children = std::move(children);
  return call;
}

class Pusher {
 public:
  explicit Pusher(const Select& select) : select_(select) {
    pushed_.source = static_cast<size_t>(select.from[0].number);
  }

  std::optional<PushedAggregates> Push() {
    if (select_.where != nullptr && !Compile(*select_.where, pushed_.plan.mutable_where())) return std::nullopt;
    for (const ExprPtr& key : select_.group_by)
      if (!AddGroup(*key)) return std::nullopt;
    pushed_.merge = select_;
    Select& merge = pushed_.merge;
    merge.where = nullptr;
    for (ExprPtr& key : merge.group_by) key = OverParts(key);
    for (SelectItem& item : merge.items) item.expr = OverParts(item.expr);
    for (OrderItem& item : merge.order_by) item.expr = OverParts(item.expr);
    if (merge.having != nullptr) merge.having = OverParts(merge.having);
    return refused_ ? std::nullopt : std::optional(std::move(pushed_));
  }

 private:
  // --- The query over the parts.

  ExprPtr PartColumn(size_t column) const {
    return ColumnExpr(static_cast<int32_t>(pushed_.source), static_cast<int32_t>(column), "",
                      pushed_.part_types[column]);
  }

  bool AddGroup(const Expr& key) {
    if (!IsColumn(key) || key.type.kind() == ValueKind::kReal) return false;
    pushed_.plan.add_groups(PlanColumn(key));
    pushed_.part_types.push_back(key.type);
    return true;
  }

  // Returns the same expression for the same one: ORDER BY names an output by it.
  ExprPtr OverParts(const ExprPtr& expr) {
    const auto found = over_parts_.find(expr.get());
    if (found != over_parts_.end()) return found->second;
    ExprPtr over = MakeOverParts(expr);
    over_parts_.emplace(expr.get(), over);
    return over;
  }

  ExprPtr MakeOverParts(const ExprPtr& expr) {
    for (size_t i = 0; i < select_.group_by.size(); ++i)
      if (SameExpression(*select_.group_by[i], *expr)) return PartColumn(i);
    if (IsAggregate(*expr)) return MergedCall(*expr);
    const bool asks_row = expr->kind == ExprKind::kColumn || expr->kind == ExprKind::kSequence ||
                          expr->subquery != nullptr || (expr->kind == ExprKind::kFunction && expr->source >= 0);
    if (asks_row) return Refuse(expr);
    auto over = std::make_shared<Expr>(*expr);
    for (ExprPtr& child : over->children) child = OverParts(child);
    return over;
  }

  ExprPtr Refuse(const ExprPtr& expr) {
    refused_ = true;
    return expr;
  }

  ExprPtr MergedCall(const Expr& call) {
    const auto refuse = [&] { return Refuse(std::make_shared<Expr>(call)); };
    if (call.distinct) return refuse();
    if (call.text == "COUNT") {
      const bool rows = call.children.empty() ||
                        (call.children[0]->kind == ExprKind::kLiteral && !call.children[0]->literal.is_null());
      if (!rows && !IsColumn(*call.children[0])) return refuse();
      return MergedCount(rows ? nullptr : call.children[0].get());
    }
    if (call.children.size() != 1 || !IsColumn(*call.children[0])) return refuse();
    const Expr& column = *call.children[0];
    if (call.text == "MIN" || call.text == "MAX") {
      const auto kind = call.text == "MIN" ? Aggregate::MIN : Aggregate::MAX;
      return Call(call.text, call.type, {AggregateColumn(kind, &column, column.type)});
    }
    if (call.text == "SUM" && call.type.kind() == ValueKind::kInteger) {
      return Call("SUM", call.type, {AggregateColumn(Aggregate::SUM, &column, TypeId::kBigint)});
    }
    if (call.text == "SUM" && call.type.kind() == ValueKind::kDecimal) {
      return Call("SUM", call.type, {AggregateColumn(Aggregate::TOTAL, &column, TypeId::kDecimal)});
    }
    if (call.text != "AVG") return refuse();
    return Call("AVG", call.type,
                {AggregateColumn(Aggregate::TOTAL, &column, TypeId::kDecimal),
                 AggregateColumn(Aggregate::COUNT, &column, TypeId::kBigint)});
  }

  // Without a row there is no part, but a number.
  ExprPtr MergedCount(const Expr* column) {
    const auto kind = column == nullptr ? Aggregate::ROWS : Aggregate::COUNT;
    auto none = std::make_shared<Expr>();
    none->type = TypeId::kBigint;
    none->literal = Value(int64_t{0});
    ExprPtr sum = Call("SUM", TypeId::kBigint, {AggregateColumn(kind, column, TypeId::kBigint)});
    return Call("COALESCE", TypeId::kBigint, {std::move(sum), std::move(none)});
  }

  ExprPtr AggregateColumn(Aggregate::Kind kind, const Expr* column, const SqlType& type) {
    const int32_t number = column == nullptr ? 0 : PlanColumn(*column);
    const size_t groups = select_.group_by.size();
    for (int i = 0; i < pushed_.plan.aggregates_size(); ++i) {
      const Aggregate& other = pushed_.plan.aggregates(i);
      if (other.kind() == kind && other.column() == number) return PartColumn(groups + static_cast<size_t>(i));
    }
    Aggregate* const added = pushed_.plan.add_aggregates();
    added->set_kind(kind);
    added->set_column(number);
    pushed_.part_types.push_back(type);
    return PartColumn(pushed_.part_types.size() - 1);
  }

  // --- The plan.

  bool IsColumn(const Expr& expr) const {
    return expr.kind == ExprKind::kColumn && expr.source == static_cast<int32_t>(pushed_.source) && !expr.type.array;
  }

  int32_t PlanColumn(const Expr& column) {
    const auto found = std::ranges::find(pushed_.columns, column.column);
    const auto place = static_cast<int32_t>(found - pushed_.columns.begin());
    if (found == pushed_.columns.end()) pushed_.columns.push_back(column.column);
    return place;
  }

  void AddConstant(const ExprPtr& expr, const SqlType& type, Condition* condition) {
    condition->add_constants(static_cast<int32_t>(pushed_.constants.size()));
    pushed_.constants.push_back(expr);
    pushed_.constant_types.push_back(type);
  }

  // These return false if the plan has no such condition.
  bool Compile(const Expr& expr, Condition* condition) {
    switch (expr.kind) {
      case ExprKind::kAnd:
      case ExprKind::kOr:
      case ExprKind::kNot:
        condition->set_op(expr.kind == ExprKind::kAnd  ? Condition::AND
                          : expr.kind == ExprKind::kOr ? Condition::OR
                                                       : Condition::NOT);
        return std::ranges::all_of(expr.children,
                                   [&](const ExprPtr& child) { return Compile(*child, condition->add_children()); });
      case ExprKind::kIsNull:
        if (!IsColumn(*expr.children[0])) return false;
        condition = Negated(expr.negated, condition);
        condition->set_op(Condition::IS_NULL);
        condition->set_column(PlanColumn(*expr.children[0]));
        return true;
      case ExprKind::kCompare:
        return Compare(expr.children[0], expr.text, expr.children[1], condition);
      case ExprKind::kBetween:
        condition = Negated(expr.negated, condition);
        condition->set_op(Condition::AND);
        return Compare(expr.children[0], ">=", expr.children[1], condition->add_children()) &&
               Compare(expr.children[0], "<=", expr.children[2], condition->add_children());
      case ExprKind::kIn:
        return CompileIn(expr, condition);
      case ExprKind::kLike:
        return CompileLike(expr, condition);
      case ExprKind::kColumn:
        if (!IsColumn(expr) || expr.type.kind() != ValueKind::kBoolean) return false;
        condition->set_op(Condition::COLUMN);
        condition->set_column(PlanColumn(expr));
        return true;
      default:
        if (!IsKnown(expr)) return false;
        condition->set_op(Condition::CONSTANT);
        AddConstant(std::make_shared<Expr>(expr), expr.type, condition);
        return true;
    }
  }

  static Condition* Negated(bool negated, Condition* condition) {
    if (!negated) return condition;
    condition->set_op(Condition::NOT);
    return condition->add_children();
  }

  // The column's form must be the one that is compared.
  bool Comparable(const Expr& column, const SqlType& common) const {
    return IsColumn(column) && !common.array && common.kind() == column.type.kind();
  }

  bool Compare(const ExprPtr& left, const std::string& op, const ExprPtr& right, Condition* condition) {
    static const std::map<std::string, std::pair<Condition::Op, Condition::Op>> ops = {
        {"=", {Condition::EQUAL, Condition::EQUAL}},  {"!=", {Condition::EQUAL, Condition::EQUAL}},
        {"<", {Condition::LESS, Condition::GREATER}}, {"<=", {Condition::LESS_OR_EQUAL, Condition::GREATER_OR_EQUAL}},
        {">", {Condition::GREATER, Condition::LESS}}, {">=", {Condition::GREATER_OR_EQUAL, Condition::LESS_OR_EQUAL}}};
    const auto found = ops.find(op);
    const bool turned = left->kind != ExprKind::kColumn;
    const ExprPtr& column = turned ? right : left;
    const ExprPtr& value = turned ? left : right;
    const auto common = ComparedType(*left, *right);
    if (found == ops.end() || !common.has_value()) return false;
    if (!Comparable(*column, *common) || !IsKnown(*value)) return false;
    condition = Negated(op == "!=", condition);
    condition->set_op(turned ? found->second.second : found->second.first);
    condition->set_column(PlanColumn(*column));
    AddConstant(value, *common, condition);
    return true;
  }

  bool CompileIn(const Expr& expr, Condition* condition) {
    const SqlType common = ComparedType(expr.children);
    if (!Comparable(*expr.children[0], common)) return false;
    condition = Negated(expr.negated, condition);
    condition->set_op(Condition::IN);
    condition->set_column(PlanColumn(*expr.children[0]));
    for (size_t i = 1; i < expr.children.size(); ++i) {
      if (!IsKnown(*expr.children[i])) return false;
      AddConstant(expr.children[i], common, condition);
    }
    return true;
  }

  bool CompileLike(const Expr& expr, Condition* condition) {
    const Expr& pattern = *expr.children[1];
    const bool texts = IsColumn(*expr.children[0]) && IsText(expr.children[0]->type) && IsText(pattern.type);
    // The regions' form of a CHAR has no blanks.
    if (!texts || expr.ignores_case || IsChar(expr.children[0]->type) || !IsKnown(pattern)) return false;
    condition = Negated(expr.negated, condition);
    condition->set_op(Condition::LIKE);
    condition->set_column(PlanColumn(*expr.children[0]));
    AddConstant(expr.children[1], pattern.type, condition);
    return true;
  }

  const Select& select_;
  PushedAggregates pushed_;
  std::map<const Expr*, ExprPtr> over_parts_;
  bool refused_ = false;
};

std::optional<KeyOp> KeyOpIn(Condition::Op op) {
  switch (op) {
    case Condition::IS_NULL:
      return KeyOp::kIsNull;
    case Condition::EQUAL:
    case Condition::IN:
      return KeyOp::kEqual;
    case Condition::LESS:
      return KeyOp::kLess;
    case Condition::LESS_OR_EQUAL:
      return KeyOp::kLessOrEqual;
    case Condition::GREATER:
      return KeyOp::kGreater;
    case Condition::GREATER_OR_EQUAL:
      return KeyOp::kGreaterOrEqual;
    default:
      return std::nullopt;
  }
}

// Every match begins with the pattern's first letters.
void AddLikeBounds(const std::string& pattern, const ColumnDef& column, KeyCondition* condition) {
  const std::string prefix = LikePrefix(pattern);
  if (prefix.empty()) return;
  AddKeyCondition(KeyOp::kGreaterOrEqual, {prefix}, column, condition);
  const std::string after = RowAfterPrefix(prefix);
  if (!after.empty()) AddKeyCondition(KeyOp::kLess, {after}, column, condition);
}

void AddKeyConditions(const PushedAggregates& pushed, const Condition& condition, const TableDef& table,
                      const std::vector<Value>& constants, std::vector<KeyCondition>* key) {
  if (condition.op() == Condition::AND) {
    for (const Condition& child : condition.children()) AddKeyConditions(pushed, child, table, constants, key);
    return;
  }
  const std::optional<KeyOp> op = KeyOpIn(condition.op());
  if (!op.has_value() && condition.op() != Condition::LIKE) return;
  const int32_t number = pushed.columns[static_cast<size_t>(condition.column())];
  const ColumnDef& column = table.columns[static_cast<size_t>(number)];
  if (!column.is_key()) return;
  const std::vector<int32_t> order = table.KeyIndexes();
  KeyCondition& of_column = (*key)[static_cast<size_t>(std::ranges::find(order, number) - order.begin())];
  std::vector<Value> values;
  for (const int32_t constant : condition.constants()) values.push_back(constants[static_cast<size_t>(constant)]);
  if (op.has_value()) {
    AddKeyCondition(*op, values, column, &of_column);
  } else if (!values[0].is_null()) {
    AddLikeBounds(values[0].text(), column, &of_column);
  }
}

}  // namespace

std::optional<PushedAggregates> PushAggregates(const Select& select, const std::vector<TablePtr>& tables) {
  if (select.from.size() != 1 || select.from[0].subquery != nullptr || !select.union_all.empty()) return std::nullopt;
  if (!IsGrouped(select)) return std::nullopt;
  const TableDef* table = tables[static_cast<size_t>(select.from[0].number)].get();
  if (table == nullptr || table->type == 's') return std::nullopt;  // a system table may not be there yet
  return Pusher(select).Push();
}

std::vector<RowRange> RangesOf(const PushedAggregates& pushed, const TableDef& table,
                               const std::vector<Value>& constants) {
  const std::vector<KeyColumn> key = table.KeyColumns();
  std::vector<KeyCondition> conditions(key.size());
  if (pushed.plan.has_where()) AddKeyConditions(pushed, pushed.plan.where(), table, constants, &conditions);
  return KeyRanges(key, conditions, table.salt_buckets);
}

}  // namespace vaquita::sql
