#include <algorithm>
#include <span>
#include <utility>

#include "base/status.h"
#include "sql/encoding/sql_error.h"
#include "sql/encoding/text.h"
#include "sql/engine/pushed_query.h"
#include "sql/engine/query.h"
#include "sql/engine/statements.h"
#include "sql/plan/engine_text.h"
#include "sql/plan/flattened_query.h"
#include "sql/plan/index_choice.h"
#include "sql/plan/pushed_aggregates.h"
#include "sql/plan/row_outputs.h"

namespace vaquita::sql {
namespace {

// A query that is ready to run.
struct PreparedQuery {
  std::unique_ptr<Query> query;
  std::unique_ptr<PushedQuery> pushed;  // null: regions do not compute its aggregates
  std::vector<OutputColumn> columns;
  std::vector<SqlType> parameters;
  std::vector<TablePtr> tables;  // that the statement names
};

class SelectStatement : public PreparedStatement {
 public:
  explicit SelectStatement(PreparedQuery query) : prepared_(std::move(query)) {}

  bool is_query() const override { return true; }
  const std::vector<OutputColumn>& columns() const override { return prepared_.columns; }
  const std::vector<SqlType>& parameters() const override { return prepared_.parameters; }
  absl::StatusOr<int64_t> Execute(std::span<const Value> values) override {
    VAQUITA_RETURN_IF_ERROR(CheckParameters(prepared_.parameters.size(), values.size()));
    values_.assign(values.begin(), values.end());
    pushes_ = prepared_.pushed != nullptr && prepared_.pushed->Start(prepared_.parameters, values_).ok();
    has_row_ = false;
    if (!pushes_) VAQUITA_RETURN_IF_ERROR(prepared_.query->Start(prepared_.parameters, values_));
    return 0;
  }
  absl::StatusOr<std::optional<std::vector<Value>>> Next() override {
    if (!pushes_) return prepared_.query->Next();
    auto row = prepared_.pushed->Next();
    if (row.ok() || has_row_ || !IsError(row.status(), ErrorKind::kUnsupportedOperation)) {
      has_row_ = true;
      return row;
    }
    pushes_ = false;
    VAQUITA_RETURN_IF_ERROR(prepared_.query->Start(prepared_.parameters, values_));
    return prepared_.query->Next();
  }
  int64_t rows_read() const override {
    return prepared_.query->rows_read() + (prepared_.pushed == nullptr ? 0 : prepared_.pushed->rows_read());
  }
  int64_t cells_read() const override { return prepared_.query->cells_read(); }
  int64_t rows_shipped() const override {
    return prepared_.query->rows_read() + (prepared_.pushed == nullptr ? 0 : prepared_.pushed->parts_read());
  }
  std::vector<TablePtr> tables() const override { return prepared_.tables; }

 private:
  int64_t engine_bytes() const override {
    return prepared_.query->memory_bytes() + (prepared_.pushed == nullptr ? 0 : prepared_.pushed->memory_bytes());
  }

  const PreparedQuery prepared_;
  std::vector<Value> values_;  // the parameters'
  bool pushes_ = false;        // regions compute the aggregates of this run
  bool has_row_ = false;       // this run has answered
};

bool HasCast(const Expr& expr) {
  return AnyPart(expr,
                 [](const Expr& part) { return part.kind == ExprKind::kCast || part.kind == ExprKind::kQuantified; });
}

// Returns a copy of the expression, and adds its constant parts, which are to become literals. Phoenix leaves those
// with a CAST as they are, and computes a list of operands only as a whole.
ExprPtr WithConstants(const ExprPtr& expr, std::vector<ExprPtr>* constants, bool in_list = false) {
  if (expr->kind == ExprKind::kLiteral || expr->kind == ExprKind::kColumn) return expr;
  auto copy = std::make_shared<Expr>(*expr);
  if (IsConstant(*expr) && !HasCast(*expr) && expr->kind != ExprKind::kRow && !in_list) {
    constants->push_back(copy);
    return copy;
  }
  for (ExprPtr& child : copy->children) {
    child = WithConstants(child, constants, expr->continues && child == copy->children[0]);
  }
  return copy;
}

bool HasConstant(const Expr& expr) {
  return AnyPart(expr, [](const Expr& part) { return part.kind != ExprKind::kLiteral && IsConstant(part); });
}

// Phoenix computes constants when it compiles, and labels the columns with the results.
absl::Status LabelConstants(const QuerySource& source, const Select& select, std::vector<OutputColumn>* columns) {
  std::vector<std::pair<size_t, ExprPtr>> items;
  std::vector<ExprPtr> constants;
  FlattenedQuery flattened(select);
  for (size_t i = 0; i < select.items.size(); ++i) {
    if (!select.items[i].alias.empty()) continue;
    const ExprPtr output = flattened.Output(select.items[i].expr);
    if (HasConstant(*output)) items.emplace_back(i, WithConstants(output, &constants));
  }
  VAQUITA_RETURN_IF_ERROR(ComputeConstants(source, constants));
  for (const auto& [i, item] : items)
    if (flattened.queries().back()->from.size() < 2 || item->kind == ExprKind::kLiteral)
      (*columns)[i].label = LabelOf(*item);
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<Query>> EngineQueryOf(SessionState* state, const Select& select,
                                                     std::vector<TablePtr> tables, std::vector<SqlType> types) {
  if (auto outputs = FindRowOutputs(select, tables.size()); outputs.has_value()) {
    VAQUITA_ASSIGN_OR_RETURN(const std::string text, EngineQuery(outputs->rows));
    return Query::PrepareRows(state->Source(), std::move(tables[0]), text, std::move(outputs->columns));
  }
  VAQUITA_ASSIGN_OR_RETURN(const std::string text, EngineQuery(select, types));
  return Query::Prepare(state->Source(), std::move(tables), text, std::move(types));
}

absl::StatusOr<PreparedQuery> MakeQuery(SessionState* state, Statement statement) {
  auto& select = std::get<Select>(statement.body);
  PreparedQuery made;
  Resolver resolver(state->Finder(), statement.parameters);
  VAQUITA_ASSIGN_OR_RETURN(made.columns, resolver.ResolveSelect(&select));
  VAQUITA_RETURN_IF_ERROR(CheckSequences(state, resolver));
  VAQUITA_RETURN_IF_ERROR(LabelConstants(state->Source(), select, &made.columns));
  std::vector<TablePtr> tables = resolver.tables();
  VAQUITA_RETURN_IF_ERROR(UseIndexes(statement.hints, &select, &tables));
  std::vector<SqlType> types;
  for (const OutputColumn& column : made.columns) types.push_back(column.type);
  if (auto pushed = PushAggregates(select, tables); pushed.has_value()) {
    const auto& table = tables[pushed->source];
    VAQUITA_ASSIGN_OR_RETURN(made.pushed, PushedQuery::Prepare(state->Source(), *std::move(pushed), table, types));
  }
  VAQUITA_ASSIGN_OR_RETURN(made.query, EngineQueryOf(state, select, std::move(tables), std::move(types)));
  made.parameters = ParameterTypes(resolver);
  made.tables = resolver.tables();
  return made;
}

}  // namespace

absl::StatusOr<Value> ConstantValue(const QuerySource& source, const Expr& expr) {
  VAQUITA_ASSIGN_OR_RETURN(const std::string text, EngineExpression(expr));
  VAQUITA_ASSIGN_OR_RETURN(const auto query, Query::Prepare(source, {}, "SELECT " + text, {expr.type}));
  VAQUITA_RETURN_IF_ERROR(query->Start({}, {}));
  VAQUITA_ASSIGN_OR_RETURN(const auto row, query->Next());
  return (*row)[0];
}

absl::Status ComputeConstants(const QuerySource& source, const std::vector<ExprPtr>& constants) {
  constexpr size_t kMostOfQuery = 500;  // a query costs much more than a constant
  for (size_t first = 0; first < constants.size(); first += kMostOfQuery) {
    const auto some = std::span(constants).subspan(first, std::min(kMostOfQuery, constants.size() - first));
    Select select;
    std::vector<SqlType> types;
    for (const ExprPtr& constant : some) {
      select.items.emplace_back().expr = constant;
      types.push_back(constant->type);
    }
    VAQUITA_ASSIGN_OR_RETURN(const std::string text, EngineQuery(select, types));
    VAQUITA_ASSIGN_OR_RETURN(const auto query, Query::Prepare(source, {}, text, std::move(types)));
    VAQUITA_RETURN_IF_ERROR(query->Start({}, {}));
    VAQUITA_ASSIGN_OR_RETURN(auto row, query->Next());
    for (size_t i = 0; i < some.size(); ++i) {
      const SqlType type = some[i]->type;
      *some[i] = Expr();
      some[i]->type = type;
      some[i]->literal = std::move((*row)[i]);
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<PreparedStatement>> PrepareSelect(SessionState* state, Statement statement) {
  VAQUITA_ASSIGN_OR_RETURN(PreparedQuery query, MakeQuery(state, std::move(statement)));
  return std::make_unique<SelectStatement>(std::move(query));
}

}  // namespace vaquita::sql
