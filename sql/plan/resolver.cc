#include "sql/plan/resolver.h"

#include <algorithm>
#include <utility>

#include "base/status.h"
#include "sql/encoding/decimal.h"
#include "sql/encoding/sql_error.h"
#include "sql/encoding/text.h"
#include "sql/encoding/value_codec.h"
#include "sql/front/parser.h"
#include "sql/plan/decimal_types.h"
#include "sql/plan/filter_terms.h"
#include "sql/plan/flattened_query.h"
#include "sql/plan/visit.h"

namespace vaquita::sql {
namespace {

// Returns the name of the first table of FROM, or the alias of a sub-query there.
std::string TableOf(const Scope& scope) {
  if (scope.sources.empty()) return "";
  const ResolvedSource& source = scope.sources.front();
  return source.table != nullptr ? source.table->ident.ToString() : source.alias;
}

// Returns the name that an error gives the table of an undefined column.
std::string TableInError(const Scope& scope) {
  if (scope.sources.empty() || scope.sources.front().table != nullptr || scope.select == nullptr) return TableOf(scope);
  const FlattenedQuery flattened(*scope.select);
  const std::vector<Source>& from = flattened.queries().back()->from;
  const bool reads_table = flattened.has_subquery() && !from.empty() && from.front().subquery == nullptr;
  return reads_table ? from.front().table.ToString() : "";
}

// Phoenix compares a FLOAT or an unsigned one with nothing that it does not make of it. A constant stands on the right.
absl::Status CheckComparedReal(const ExprPtr& a, const std::string& op, const ExprPtr& b) {
  const bool swapped = IsConstant(*a) && !IsConstant(*b);
  const ExprPtr& left = swapped ? b : a;
  const ExprPtr& right = swapped ? a : b;
  const bool is_real = !left->type.array && left->type.kind() == ValueKind::kReal && right->subquery == nullptr;
  if (!is_real || IsCoercible(left->type, right->type)) return absl::OkStatus();
  Expr compared;
  compared.kind = ExprKind::kCompare;
  compared.text = swapped ? Flipped(op) : op;
  compared.children = {left, right};
  return MismatchIn(left->type, right->type, compared);
}

absl::Status RowWithinRow() { return NotSupported("A row of values within another one"); }

struct FoundColumn {
  int32_t source;
  int32_t column;
  SqlType type;
};

bool IsOfKey(const Expr& expr, const Scope& scope) {
  const auto source = std::ranges::find(scope.sources, expr.source, &ResolvedSource::number);
  return expr.kind == ExprKind::kColumn && source != scope.sources.end() && source->table != nullptr &&
         source->table->columns[static_cast<size_t>(expr.column)].is_key();
}

// Returns whether a column may be written NAME.COLUMN. An alias does not hide the table's own name, as in Phoenix.
bool IsCalled(const ResolvedSource& source, std::string_view name) {
  return source.alias == name || (source.table != nullptr && source.table->ident.ToString() == name);
}

// Adds the source's columns of that name: its qualifier is the source's name or a family.
void FindIn(const ResolvedSource& source, const Expr& expr, std::vector<FoundColumn>* found) {
  const bool of_source = expr.qualifier.empty() || IsCalled(source, expr.qualifier);
  if (source.table == nullptr) {
    for (size_t i = 0; of_source && i < source.columns.size(); ++i)
      if (source.columns[i].name == expr.text)
        found->push_back({source.number, static_cast<int32_t>(i), source.columns[i].type});
    return;
  }
  for (size_t i = 0; i < source.table->columns.size(); ++i) {
    const ColumnDef& column = source.table->columns[i];
    if (column.name == expr.text && (of_source || expr.qualifier == column.family))
      found->push_back({source.number, static_cast<int32_t>(i), column.type});
  }
}

absl::Status CheckQualifier(const Scope& scope, const std::string& qualifier) {
  const auto is_called = [&](const ResolvedSource& source) { return IsCalled(source, qualifier); };
  if (qualifier.empty() || std::ranges::count_if(scope.sources, is_called) < 2) return absl::OkStatus();
  return SqlError(ErrorCode::kAmbiguousTable);
}

bool KnowsQualifier(const Scope& scope, const std::string& qualifier) {
  return std::ranges::any_of(scope.sources, [&](const ResolvedSource& source) {
    if (IsCalled(source, qualifier)) return true;
    return source.table != nullptr && std::ranges::any_of(source.table->columns, [&](const ColumnDef& column) {
             return column.family == qualifier;
           });
  });
}

absl::Status UnknownQualifier(const Scope& scope, const std::string& qualifier) {
  if (scope.sources.size() > 1) return TableError(ErrorCode::kUndefinedTable, qualifier);
  return SqlError(ErrorCode::kUndefinedFamily, Concat("familyName=", qualifier));
}

// Returns both conditions as one. `a` may be null.
ExprPtr BothConditions(const ExprPtr& a, const ExprPtr& b) {
  if (a == nullptr) return b;
  auto both = std::make_shared<Expr>();
  both->kind = ExprKind::kAnd;
  both->type = TypeId::kBoolean;
  for (const ExprPtr& side : {a, b}) {
    if (side->kind == ExprKind::kAnd) {
      both->children.insert(both->children.end(), side->children.begin(), side->children.end());
    } else {
      both->children.push_back(side);
    }
  }
  return both;
}

}  // namespace

absl::Status MismatchIn(const SqlType& a, const SqlType& b, const Expr& expr) {
  return SqlError(ErrorCode::kTypeMismatch, Concat(a.Name(), " and ", b.Name(), " for ", LabelOf(expr)));
}

absl::StatusOr<TablePtr> Resolver::Find(const TableIdent& table) {
  TablePtr& found = found_[table];
  if (found == nullptr) {
    if (find_ == nullptr) return NotSupported("A sub-query in a definition");
    VAQUITA_ASSIGN_OR_RETURN(found, find_(table));
  }
  return found;
}

absl::StatusOr<std::vector<OutputColumn>> Resolver::ResolveSelect(Select* select, const Scope* outer) {
  const bool before = std::exchange(in_output_, false);  // the query's own outputs set it again
  auto columns = ResolveQuery(select, outer);
  in_output_ = before;
  return columns;
}

absl::StatusOr<std::vector<OutputColumn>> Resolver::ResolveQuery(Select* select, const Scope* outer) {
  constexpr size_t kMostKeys = 2'000;  // as many as SQLite takes
  if (select->group_by.size() > kMostKeys || select->order_by.size() > kMostKeys) {
    return NotSupported(Concat("GROUP BY or ORDER BY of more than ", kMostKeys, " expressions"));
  }
  Scope scope;
  scope.outer = outer;
  scope.select = select;
  VAQUITA_RETURN_IF_ERROR(ResolveFrom(select, &scope));
  std::vector<OutputColumn> columns;
  VAQUITA_RETURN_IF_ERROR(ResolveItems(select, scope, &columns));
  VAQUITA_RETURN_IF_ERROR(ResolveWhere(select, scope));
  scope.with_aliases = true;
  for (const ExprPtr& key : select->group_by) {
    VAQUITA_RETURN_IF_ERROR(Resolve(key.get(), scope));
    if (HasAggregate(*key)) return SqlError(ErrorCode::kAggregateInGroupBy, LabelOf(*key));
  }
  if (select->having != nullptr) VAQUITA_RETURN_IF_ERROR(ResolveCondition(select->having.get(), scope));
  VAQUITA_RETURN_IF_ERROR(ResolveUnion(select, outer, &columns));
  VAQUITA_RETURN_IF_ERROR(ResolveOrder(select, scope));
  VAQUITA_RETURN_IF_ERROR(CheckGroups(*select));
  CutQuotients(select);
  for (size_t i = 0; i < columns.size(); ++i)
    if (HasWholeQuotient(*select->items[i].expr)) columns[i].type.scale = std::nullopt;
  for (const ExprPtr& limit : {select->limit, select->offset})
    if (limit != nullptr) VAQUITA_RETURN_IF_ERROR(ResolveLimit(limit.get(), scope));
  for (const SelectItem& item : select->items) JoinSequences({item.expr});
  return columns;
}

// Resolves the queries of a UNION after the first one, and gives the columns their common types.
absl::Status Resolver::ResolveUnion(Select* select, const Scope* outer, std::vector<OutputColumn>* columns) {
  for (const SelectPtr& next : select->union_all) {
    // Phoenix sorts each query by itself, too. Source: QueryCompiler.compileUnionAll (5.2).
    for (const OrderItem& item : select->order_by) {
      constexpr int64_t kMostSorted = 500'000;
      AddSize(item.expr, kMostSorted, &sorted_);
      if (sorted_ > kMostSorted)
        return NotSupported(Concat("A UNION with more than ", kMostSorted, " parts of ORDER BY"));
      next->order_by.emplace_back(item).expr = CopyOf(*item.expr);
    }
    VAQUITA_ASSIGN_OR_RETURN(const std::vector<OutputColumn> others, ResolveSelect(next.get(), outer));
    next->order_by.clear();
    if (others.size() != columns->size()) {
      return SqlError(ErrorCode::kColumnsOfUnion,
                      Concat("1st query has ", columns->size(), " columns whereas 2nd query has ", others.size()));
    }
    for (size_t i = 0; i < columns->size(); ++i) {
      const std::optional<SqlType> common = CommonType((*columns)[i].type, others[i].type);
      if (!common.has_value()) {
        return SqlError(ErrorCode::kTypesOfUnion,
                        Concat("Column # ", i, " is ", (*columns)[i].type.Name(), " in 1st query where as it is ",
                               others[i].type.Name(), " in 2nd query"));
      }
      (*columns)[i].type = *common;
    }
  }
  select->types.clear();
  for (size_t i = 0; !select->union_all.empty() && i < columns->size(); ++i)
    select->types.push_back((*columns)[i].type);
  return absl::OkStatus();
}

absl::Status ErrorOfGiven(const SqlType& type, const ColumnDef& column, const Value& given,
                          const absl::Status& refused) {
  if (refused.ok() || column.type.array || !IsCoercible(type, column.type)) return refused;
  const auto* text = std::get_if<std::string>(&given);
  if (text != nullptr ? !IsTime(column.type) : IsInRange(column.type, given)) return refused;
  Expr literal;
  literal.type = type.id == column.type.id ? SqlType(TypeId::kBigint) : type;  // a parameter has the column's
  literal.literal = given;
  return SqlError(ErrorCode::kTypeMismatch, Concat(column.type.Name(), " and ", literal.type.Name(), " for ",
                                                   text != nullptr ? *text : LabelOf(literal)));
}

absl::Status ResolveViewCondition(Expr* condition, ResolvedSource source) {
  if (HasSubquery(*condition)) return NotSupported("A sub-query in the condition of a view");
  Scope scope;
  scope.sources.push_back(std::move(source));
  VAQUITA_RETURN_IF_ERROR(Resolver(nullptr, 0).Resolve(condition, scope, TypeId::kBoolean));
  if (HasAggregate(*condition)) return SqlError(ErrorCode::kAggregateInWhere);
  return IsBoolean(condition->type) ? absl::OkStatus() : MismatchIn(TypeId::kBoolean, condition->type, *condition);
}

absl::StatusOr<ExprPtr> ViewCondition(const ResolvedSource& view) {
  if (view.table == nullptr || view.table->statement.empty()) return nullptr;
  VAQUITA_ASSIGN_OR_RETURN(const Statement statement, ParseStatement(view.table->statement, /*is_stored=*/true));
  const auto* select = std::get_if<Select>(&statement.body);
  if (select == nullptr || select->where == nullptr) return nullptr;
  ResolvedSource source = view;
  source.alias = view.table->parent.name;
  VAQUITA_RETURN_IF_ERROR(ResolveViewCondition(select->where.get(), std::move(source)));
  return select->where;
}

// A view's condition belongs to its place in the join: after LEFT it decides which rows match.
absl::Status Resolver::AddViewConditions(Select* select, const Scope& scope) {
  for (size_t i = 0; i < select->from.size(); ++i) {
    Source& from = select->from[i];
    if (from.has_view_condition) continue;
    VAQUITA_ASSIGN_OR_RETURN(const ExprPtr condition, ViewCondition(scope.sources[i]));
    if (condition == nullptr) continue;
    for (const Source& other : select->from) {
      if (other.join == JoinKind::kRight || other.join == JoinKind::kFull) {
        return NotSupported("A view with a condition in a RIGHT or FULL JOIN");
      }
    }
    from.has_view_condition = true;
    ExprPtr& place = from.join == JoinKind::kLeft ? from.on : select->where;
    place = BothConditions(place, condition);
  }
  return absl::OkStatus();
}

namespace {

// Returns the columns that `*` or `NAME.*` stands for. `subquery`: the only source, if it becomes part of the query.
absl::StatusOr<std::vector<SelectItem>> ExpandStar(const SelectItem& star, const Scope& scope, const Select* subquery) {
  std::vector<SelectItem> items;
  VAQUITA_RETURN_IF_ERROR(CheckQualifier(scope, star.star_of));
  // NAME.* of one table names a family, and S.T.* the table.
  const bool family_only = scope.sources.size() == 1 && star.star_of.find('.') == std::string::npos;
  for (const ResolvedSource& source : scope.sources) {
    const bool all = star.star_of.empty() || (star.star_of == source.alias && !family_only);
    const size_t count = source.table != nullptr ? source.table->columns.size() : source.columns.size();
    for (size_t i = 0; i < count; ++i) {
      const ColumnDef* const def = source.table != nullptr ? &source.table->columns[i] : nullptr;
      if (!all && (def == nullptr || def->family != star.star_of)) continue;
      SelectItem& item = items.emplace_back();
      const std::string& name = def != nullptr ? def->name : source.columns[i].name;
      // In a join Phoenix labels a column of * by its name alone.
      item.alias = subquery != nullptr ? subquery->items[i].alias : name;
      item.expr =
          ColumnExpr(source.number, static_cast<int32_t>(i), name, def != nullptr ? def->type : source.columns[i].type);
      if (subquery != nullptr) item.expr->qualifier = subquery->items[i].expr->qualifier;
    }
  }
  if (items.empty() && !star.star_of.empty()) return UnknownQualifier(scope, star.star_of);
  return items;
}

// Returns the expression with its columns' names as a join has them: E.NAME.
ExprPtr Qualified(const ExprPtr& expr, const std::vector<Source>& from) {
  auto qualified = std::make_shared<Expr>(*expr);
  const auto source = std::ranges::find(from, expr->source, &Source::number);
  if (expr->kind == ExprKind::kColumn && source != from.end()) {
    qualified->text = Concat(source->alias.empty() ? source->table.ToString() : source->alias, ".", expr->text);
  }
  for (ExprPtr& child : qualified->children) child = Qualified(child, from);
  return qualified;
}

// Returns whether the condition has IN or EXISTS with a sub-query, which Phoenix makes a join.
bool HasSubqueryOfRows(const Expr& condition) {
  return AnyPart(condition,
                 [](const Expr& part) { return part.kind == ExprKind::kInSubquery || part.kind == ExprKind::kExists; });
}

// Returns whether Phoenix makes a join of the query.
bool IsJoin(const FlattenedQuery& query) {
  return query.queries().back()->from.size() > 1 || std::ranges::any_of(query.queries(), [](const Select* part) {
           return part->where != nullptr && HasSubqueryOfRows(*part->where);
         });
}

// Returns the label of a column of a query, which has the form that Phoenix brings expressions into: a literal stands
// on the right, the values of IN are sorted.
std::string LabelInQuery(const ExprPtr& expr, bool is_join, const std::vector<Source>& from) {
  const auto name = [](const Expr& column) { return column.text; };
  if (!is_join) return LabelOf(*PlannedExpression(*expr, name, {}));
  if (expr->kind == ExprKind::kColumn) {  // as it is written
    return expr->qualifier.empty() ? expr->text : Concat(expr->qualifier, ".", expr->text);
  }
  return LabelOf(*PlannedExpression(*Qualified(expr, from), name, {}));
}

}  // namespace

absl::Status Resolver::ResolveItems(Select* select, const Scope& scope, std::vector<OutputColumn>* columns) {
  constexpr size_t kMostOutputs = 10'000;
  FlattenedQuery flattened(*select);
  const Select* const subquery = flattened.has_subquery() ? flattened.queries()[1] : nullptr;
  std::vector<SelectItem> items;
  const bool of_statement = scope.outer == nullptr && !in_source_;
  for (SelectItem& item : select->items) {
    if (items.size() > kMostOutputs) break;
    if (item.expr != nullptr) {
      VAQUITA_RETURN_IF_ERROR(of_statement && !select->distinct ? ResolveOutput(item.expr.get(), scope)
                                                                : Resolve(item.expr.get(), scope));
      items.push_back(std::move(item));
      continue;
    }
    VAQUITA_ASSIGN_OR_RETURN(std::vector<SelectItem> expanded, ExpandStar(item, scope, subquery));
    std::ranges::move(expanded, std::back_inserter(items));
  }
  if (items.size() > kMostOutputs) return NotSupported(Concat("A query of more than ", kMostOutputs, " columns"));
  select->items = std::move(items);
  const bool is_join = IsJoin(flattened);
  for (const SelectItem& item : select->items) {
    OutputColumn& column = columns->emplace_back();
    const ExprPtr output = flattened.Output(item.expr);
    column.type = item.expr->type;
    column.nullable = MayBeNull(*output);
    column.case_sensitive = !HasColumn(*output);
    column.table = TableOf(scope);
    const Expr& named = of_statement ? *output : *item.expr;  // a query around this one uses its own names
    if (named.kind == ExprKind::kColumn) column.name = named.text;
    if (!item.alias.empty()) column.name = item.alias;
    column.label = item.alias;
    if (column.label.empty()) column.label = LabelInQuery(output, is_join, flattened.queries().back()->from);
  }
  return absl::OkStatus();
}

absl::Status Resolver::ResolveCondition(Expr* expr, const Scope& scope) {
  VAQUITA_RETURN_IF_ERROR(Resolve(expr, scope, TypeId::kBoolean));
  if (IsBoolean(expr->type) || expr->type.is_null()) return absl::OkStatus();
  return MismatchIn(TypeId::kBoolean, expr->type, *expr);
}

absl::Status Resolver::ResolveWhere(Select* select, const Scope& scope) {
  if (select->where != nullptr) {
    VAQUITA_RETURN_IF_ERROR(ResolveCondition(select->where.get(), scope));
    if (HasAggregate(*select->where)) return SqlError(ErrorCode::kAggregateInWhere);
  }
  return AddViewConditions(select, scope);
}

// A parameter may have got its type elsewhere.
absl::Status Resolver::ResolveLimit(Expr* limit, const Scope& scope) {
  VAQUITA_RETURN_IF_ERROR(Resolve(limit, scope, TypeId::kInteger));
  const SqlType& type = limit->type;
  const bool whole = !type.array && type.kind() == ValueKind::kInteger;
  return whole || type.is_null() ? absl::OkStatus() : MismatchIn(type, TypeId::kInteger, *limit);
}

absl::Status Resolver::ResolveRows(Select* select, const ResolvedSource& source) {
  Scope scope;
  scope.sources.push_back(source);
  scope.select = select;
  VAQUITA_RETURN_IF_ERROR(ResolveWhere(select, scope));
  VAQUITA_RETURN_IF_ERROR(ResolveOrder(select, scope));
  VAQUITA_RETURN_IF_ERROR(CheckGroups(*select));
  return select->limit == nullptr ? absl::OkStatus() : ResolveLimit(select->limit.get(), scope);
}

absl::Status Resolver::ResolveChildren(Expr* expr, const Scope& scope, const SqlType& wanted) {
  for (const ExprPtr& child : expr->children) VAQUITA_RETURN_IF_ERROR(Resolve(child.get(), scope, wanted));
  return absl::OkStatus();
}

absl::Status Resolver::ResolveParameter(Expr* expr, const SqlType& wanted) {
  const auto index = static_cast<size_t>(expr->parameter);
  if (index >= parameter_types_.size()) return SqlError(ErrorCode::kParameterOutOfRange, "a definition has none");
  SqlType& type = parameter_types_[index];
  if (type.is_null()) type = wanted;
  expr->type = type;
  return absl::OkStatus();
}

// Returns the output whose alias the column's name is; null if it is none. Returns Phoenix's error if the name is also
// that of another column.
absl::StatusOr<ExprPtr> Resolver::AliasedOutput(const Expr& expr, const Scope& scope) {
  if (!scope.with_aliases || expr.kind != ExprKind::kColumn || !expr.qualifier.empty()) return nullptr;
  const std::vector<SelectItem>& items = scope.select->items;
  const auto last = std::find_if(items.rbegin(), items.rend(), [&](const SelectItem& item) {
    return !item.alias.empty() && item.alias == expr.text;
  });
  if (last == items.rend()) return nullptr;
  if (const Expr* sequence = SequenceIn(*last->expr); sequence != nullptr) return MisplacedSequence(*sequence);
  std::vector<FoundColumn> found;
  for (const ResolvedSource& source : scope.sources) FindIn(source, expr, &found);
  const Expr& output = *last->expr;
  const auto is_other = [&](const FoundColumn& column) {
    return output.kind != ExprKind::kColumn || output.source != column.source || output.column != column.column;
  };
  if (std::ranges::any_of(found, is_other)) return ColumnError(ErrorCode::kAmbiguousColumn, expr.text);
  constexpr int64_t kMostAliased = 500'000;  // as many as the parser lets CASE and others repeat
  AddSize(last->expr, kMostAliased, &aliased_);
  if (aliased_ <= kMostAliased) return last->expr;
  return NotSupported(Concat("A query whose aliases stand for more than ", kMostAliased,
                             " parts of expressions and bytes of literals"));
}

absl::Status Resolver::ResolveColumn(Expr* expr, const Scope& scope) {
  VAQUITA_ASSIGN_OR_RETURN(const ExprPtr output, AliasedOutput(*expr, scope));
  if (output != nullptr) {
    *expr = *output;
    return absl::OkStatus();
  }
  for (const Scope* at = &scope; at != nullptr; at = at->outer) {
    VAQUITA_RETURN_IF_ERROR(CheckQualifier(*at, expr->qualifier));
    std::vector<FoundColumn> found;
    for (const ResolvedSource& source : at->sources) FindIn(source, *expr, &found);
    if (found.size() > 1) return ColumnError(ErrorCode::kAmbiguousColumn, expr->text);
    if (found.empty()) continue;
    for (const Scope* within = &scope; within != at; within = within->outer)
      if (within->select != nullptr) within->select->correlated = true;
    expr->source = found[0].source;
    expr->column = found[0].column;
    expr->type = found[0].type;
    return absl::OkStatus();
  }
  if (expr->qualifier.find('.') != std::string::npos) {
    return ColumnError(ErrorCode::kUndefinedColumn, expr->text, expr->qualifier);
  }
  if (!expr->qualifier.empty() && !KnowsQualifier(scope, expr->qualifier)) {
    return UnknownQualifier(scope, expr->qualifier);
  }
  return ColumnError(ErrorCode::kUndefinedColumn, expr->text, TableInError(scope));
}

absl::Status Resolver::Resolve(Expr* expr, const Scope& scope, const SqlType& wanted) {
  switch (expr->kind) {
    case ExprKind::kLiteral:
      return absl::OkStatus();
    case ExprKind::kParameter:
      return ResolveParameter(expr, wanted);
    case ExprKind::kColumn:
      return ResolveColumn(expr, scope);
    case ExprKind::kArithmetic:
    case ExprKind::kNegate:
      return ResolveArithmetic(expr, scope);
    case ExprKind::kFunction:
      return ResolveFunction(expr, scope);
    case ExprKind::kCase:
      return ResolveCase(expr, scope);
    case ExprKind::kCast:
      return ResolveCast(expr, scope);
    case ExprKind::kConcat:
      return ResolveConcat(expr, scope);
    case ExprKind::kAnd:
    case ExprKind::kOr:
    case ExprKind::kNot:
      expr->type = TypeId::kBoolean;
      for (const ExprPtr& child : expr->children) VAQUITA_RETURN_IF_ERROR(ResolveCondition(child.get(), scope));
      return absl::OkStatus();
    case ExprKind::kIsNull:
      expr->type = TypeId::kBoolean;
      return ResolveChildren(expr, scope, TypeId::kVarchar);
    case ExprKind::kLike: {
      expr->type = TypeId::kBoolean;
      VAQUITA_RETURN_IF_ERROR(ResolveChildren(expr, scope, TypeId::kVarchar));
      const auto is_text = [](const SqlType& type) { return type.is_null() || IsText(type); };
      const SqlType& type = expr->children[0]->type;
      const SqlType& pattern = expr->children[1]->type;
      if (!is_text(type)) return MismatchIn(type, TypeId::kVarchar, *expr);
      return is_text(pattern) ? absl::OkStatus() : MismatchIn(type, pattern, *expr);
    }
    case ExprKind::kCompare:
    case ExprKind::kBetween: {
      expr->type = TypeId::kBoolean;
      std::vector<Expr*> sides;
      for (const ExprPtr& child : expr->children) sides.push_back(child.get());
      VAQUITA_RETURN_IF_ERROR(ResolveComparable(expr, sides, scope));
      // A definition may have been made when this was not checked.
      for (size_t i = 1; i < sides.size() && find_ != nullptr; ++i) {
        const std::string op = expr->kind == ExprKind::kCompare ? expr->text : i == 1 ? ">=" : "<=";
        VAQUITA_RETURN_IF_ERROR(CheckComparedReal(expr->children[0], op, expr->children[i]));
      }
      if (std::ranges::any_of(sides, [&](const Expr* side) { return IsOfKey(*side, scope); })) PadLiterals(sides);
      return absl::OkStatus();
    }
    case ExprKind::kIn:
    case ExprKind::kInSubquery:
      return ResolveIn(expr, scope);
    case ExprKind::kExists:
      expr->type = TypeId::kBoolean;
      return ResolveSelect(expr->subquery.get(), &scope).status();
    case ExprKind::kSubquery: {
      VAQUITA_ASSIGN_OR_RETURN(const std::vector<OutputColumn> columns, ResolveSelect(expr->subquery.get(), &scope));
      if (columns.size() != 1) return NotSupported("A sub-query of several columns in an expression");
      expr->type = columns[0].type;
      return absl::OkStatus();
    }
    case ExprKind::kArray:
      return ResolveArray(expr, scope);
    case ExprKind::kElement:
      return ResolveElement(expr, scope);
    case ExprKind::kQuantified:
      return ResolveQuantified(expr, scope);
    case ExprKind::kSequence:
      return ResolveSequence(expr);
    case ExprKind::kRow:
      if (std::ranges::any_of(expr->children, [](const ExprPtr& part) { return part->kind == ExprKind::kRow; })) {
        return RowWithinRow();
      }
      return ResolveChildren(expr, scope, wanted);
  }
  return absl::OkStatus();
}

absl::Status Resolver::ResolveOutput(Expr* expr, const Scope& scope, const SqlType& wanted) {
  in_output_ = true;
  absl::Status resolved = Resolve(expr, scope, wanted);
  in_output_ = false;
  return resolved;
}

absl::Status Resolver::MisplacedSequence(const Expr& sequence) {
  const TableIdent name{sequence.qualifier, sequence.text};
  return TableError(ErrorCode::kSequenceInCondition, name.ToString());
}

absl::Status Resolver::ResolveSequence(Expr* expr) {
  const TableIdent name{expr->qualifier, expr->text};
  if (!in_output_) return MisplacedSequence(*expr);
  int64_t& takes = sequences_[name];
  if (!expr->literal.is_null()) takes = std::max(takes, expr->literal.integer());
  if (expr->literal == Value(int64_t{0})) return TableError(ErrorCode::kValuesMustBePositive, name.ToString());
  return absl::OkStatus();
}

void Resolver::JoinSequences(const std::vector<ExprPtr>& outputs) const {
  for (const ExprPtr& output : outputs) {
    if (output->kind == ExprKind::kSequence) output->takes = sequences_.at({output->qualifier, output->text});
    JoinSequences(output->children);
  }
}

absl::Status Resolver::ResolveConcat(Expr* expr, const Scope& scope) {
  expr->type = TypeId::kVarchar;
  VAQUITA_RETURN_IF_ERROR(ResolveChildren(expr, scope, TypeId::kVarchar));
  for (const ExprPtr& child : expr->children) {
    if (child->type.kind() != ValueKind::kBytes) continue;
    return SqlError(ErrorCode::kOperatorTypes,
                    Concat("Concatenation does not support ", child->type.Name(), " in expression", LabelOf(*expr)));
  }
  return absl::OkStatus();
}

// Resolves what is compared, so that a parameter has the type of the rest.
absl::Status Resolver::ResolveComparable(Expr* expr, const std::vector<Expr*>& sides, const Scope& scope) {
  SqlType type;
  for (Expr* side : sides) {
    if (side->kind == ExprKind::kParameter) continue;
    VAQUITA_RETURN_IF_ERROR(Resolve(side, scope));
    if (!type.is_null()) continue;
    type = ComparedParameter(side->type);
  }
  for (Expr* side : sides)
    if (side->kind == ExprKind::kParameter) VAQUITA_RETURN_IF_ERROR(Resolve(side, scope, type));
  for (Expr* side : sides) {
    if (side->kind == ExprKind::kRow) {
      for (size_t i = 0; i < side->children.size(); ++i) {
        const Expr* first =
            sides[0]->kind == ExprKind::kRow && i < sides[0]->children.size() ? sides[0]->children[i].get() : nullptr;
        if (first == nullptr || sides[0]->children.size() != side->children.size()) {
          return SqlError(ErrorCode::kTypeMismatch, "Rows of different lengths are compared");
        }
        if (side->children[i]->kind == ExprKind::kParameter) {
          VAQUITA_RETURN_IF_ERROR(ResolveParameter(side->children[i].get(), ComparedParameter(first->type)));
        }
        if (!CommonType(first->type, side->children[i]->type))
          return MismatchIn(first->type, side->children[i]->type, *expr);
      }
    } else if (!CommonType(sides[0]->type, side->type).has_value() || sides[0]->kind == ExprKind::kRow) {
      return MismatchIn(sides[0]->type, side->type, *expr);
    }
  }
  return absl::OkStatus();
}

namespace {

// A null beside other values counts for nothing, also in NOT IN. Source: InListExpression.create (5.2).
void DropNulls(Expr* in) {
  const auto first = in->children.begin() + 1;
  const auto end = std::remove_if(first, in->children.end(), [](const ExprPtr& item) { return IsNullLiteral(*item); });
  if (end != first) in->children.erase(end, in->children.end());
}

}  // namespace

absl::Status Resolver::ResolveIn(Expr* expr, const Scope& scope) {
  expr->type = TypeId::kBoolean;
  if (expr->kind == ExprKind::kIn) {
    std::vector<Expr*> sides;
    for (const ExprPtr& child : expr->children) sides.push_back(child.get());
    VAQUITA_RETURN_IF_ERROR(ResolveComparable(expr, sides, scope));
    PadLiterals(sides);
    DropNulls(expr);
    return absl::OkStatus();
  }
  VAQUITA_ASSIGN_OR_RETURN(const std::vector<OutputColumn> columns, ResolveSelect(expr->subquery.get(), &scope));
  const std::vector<ExprPtr> values = ValuesOf(expr->children[0]);
  if (columns.size() != values.size()) return SqlError(ErrorCode::kColumnsOfInSubquery);
  for (size_t i = 0; i < values.size(); ++i) {
    if (values[i]->kind == ExprKind::kRow) return RowWithinRow();
    VAQUITA_RETURN_IF_ERROR(Resolve(values[i].get(), scope, ComparedParameter(columns[i].type)));
    const SqlType& left = values[i]->type;
    if (!CommonType(left, columns[i].type).has_value()) return MismatchIn(left, columns[i].type, *expr);
  }
  return absl::OkStatus();
}

absl::Status Resolver::ResolveCase(Expr* expr, const Scope& scope) {
  SqlType type;
  std::vector<Expr*> parameters;
  for (size_t i = 0; i < expr->children.size(); ++i) {
    Expr* part = expr->children[i].get();
    if (i % 2 == 0 && i + 1 < expr->children.size()) {
      VAQUITA_RETURN_IF_ERROR(ResolveCondition(part, scope));
    } else if (part->kind == ExprKind::kParameter) {
      parameters.push_back(part);
    } else {
      VAQUITA_RETURN_IF_ERROR(Resolve(part, scope));
      VAQUITA_ASSIGN_OR_RETURN(type, TypeOfResults(type, part->type));
    }
  }
  for (Expr* parameter : parameters) {
    VAQUITA_RETURN_IF_ERROR(ResolveParameter(parameter, ParameterBeside(type)));
    type = CommonType(type, parameter->type).value_or(type);
  }
  expr->type = type;
  return absl::OkStatus();
}

}  // namespace vaquita::sql
