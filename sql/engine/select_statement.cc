#include <algorithm>
#include <utility>

#include "base/status.h"
#include "sql/encoding/sql_error.h"
#include "sql/encoding/text.h"
#include "sql/engine/pushed_query.h"
#include "sql/engine/query.h"
#include "sql/engine/statements.h"
#include "sql/front/parser.h"
#include "sql/plan/engine_text.h"
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
  std::vector<std::shared_ptr<const TableDef>> indexes;  // that it reads
};

absl::StatusOr<PreparedQuery> MakeQuery(SessionState* state, Statement statement);

class SelectStatement : public PreparedStatement {
 public:
  SelectStatement(SessionState* state, std::string text, PreparedQuery query)
      : state_(state), text_(std::move(text)), prepared_(std::move(query)) {}

  bool is_query() const override { return true; }
  const std::vector<OutputColumn>& columns() const override { return prepared_.columns; }
  const std::vector<SqlType>& parameters() const override { return prepared_.parameters; }
  absl::StatusOr<int64_t> Execute(std::span<const Value> values) override {
    VAQUITA_RETURN_IF_ERROR(CheckParameters(prepared_.parameters.size(), values.size()));
    VAQUITA_RETURN_IF_ERROR(Refresh());
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

 private:
  int64_t engine_bytes() const override {
    return prepared_.query->memory_bytes() + (prepared_.pushed == nullptr ? 0 : prepared_.pushed->memory_bytes());
  }

  // Nobody keeps an index that was dropped or disabled meanwhile.
  absl::Status Refresh() {
    for (const auto& index : prepared_.indexes) {
      VAQUITA_ASSIGN_OR_RETURN(const auto now, state_->catalog.Refreshed(index->indexed));
      if (now == index->indexed) continue;
      VAQUITA_ASSIGN_OR_RETURN(Statement statement, ParseStatement(text_));
      VAQUITA_ASSIGN_OR_RETURN(prepared_, MakeQuery(state_, std::move(statement)));
      return absl::OkStatus();
    }
    return absl::OkStatus();
  }

  SessionState* const state_;
  const std::string text_;
  PreparedQuery prepared_;
  std::vector<Value> values_;  // the parameters'
  bool pushes_ = false;        // regions compute the aggregates of this run
  bool has_row_ = false;       // this run has answered
};

bool HasCast(const Expr& expr) {
  return expr.kind == ExprKind::kCast || expr.kind == ExprKind::kQuantified ||
         std::ranges::any_of(expr.children, [](const ExprPtr& child) { return HasCast(*child); });
}

// Returns the expression with its constant parts as literals. Phoenix leaves those with a CAST as they are.
absl::StatusOr<ExprPtr> WithLiterals(const QuerySource& source, const ExprPtr& expr) {
  if (expr->kind == ExprKind::kLiteral || expr->kind == ExprKind::kColumn) return expr;
  auto result = std::make_shared<Expr>(*expr);
  if (IsConstant(*expr) && !HasCast(*expr) && expr->kind != ExprKind::kRow) {
    *result = Expr();
    result->type = expr->type;
    VAQUITA_ASSIGN_OR_RETURN(result->literal, ConstantValue(source, *expr));
    return result;
  }
  for (ExprPtr& child : result->children) {
    VAQUITA_ASSIGN_OR_RETURN(child, WithLiterals(source, child));
  }
  return result;
}

bool HasConstant(const Expr& expr) {
  return (expr.kind != ExprKind::kLiteral && IsConstant(expr)) ||
         std::ranges::any_of(expr.children, [](const ExprPtr& child) { return HasConstant(*child); });
}

// Phoenix computes constants when it compiles, and labels the columns with the results.
absl::Status LabelConstants(const QuerySource& source, const Select& select, std::vector<OutputColumn>* columns) {
  for (size_t i = 0; i < select.items.size(); ++i) {
    if (!select.items[i].alias.empty() || !HasConstant(*select.items[i].expr)) continue;
    VAQUITA_ASSIGN_OR_RETURN(const ExprPtr item, WithLiterals(source, select.items[i].expr));
    if (select.from.size() < 2 || item->kind == ExprKind::kLiteral) (*columns)[i].label = LabelOf(*item);
  }
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<Query>> EngineQueryOf(SessionState* state, const Select& select,
                                                     std::vector<std::shared_ptr<const TableDef>> tables,
                                                     std::vector<SqlType> types) {
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
  std::vector<std::shared_ptr<const TableDef>> tables = resolver.tables();
  VAQUITA_RETURN_IF_ERROR(UseIndexes(statement.hints, &select, &tables));
  for (size_t i = 0; i < tables.size(); ++i)
    if (tables[i] != resolver.tables()[i]) made.indexes.push_back(tables[i]);
  std::vector<SqlType> types;
  for (const OutputColumn& column : made.columns) types.push_back(column.type);
  if (auto pushed = PushAggregates(select, tables); pushed.has_value()) {
    const auto& table = tables[pushed->source];
    VAQUITA_ASSIGN_OR_RETURN(made.pushed, PushedQuery::Prepare(state->Source(), *std::move(pushed), table, types));
  }
  VAQUITA_ASSIGN_OR_RETURN(made.query, EngineQueryOf(state, select, std::move(tables), std::move(types)));
  made.parameters = ParameterTypes(resolver);
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

absl::StatusOr<std::unique_ptr<PreparedStatement>> PrepareSelect(SessionState* state, Statement statement) {
  std::string text = statement.text;
  VAQUITA_ASSIGN_OR_RETURN(PreparedQuery query, MakeQuery(state, std::move(statement)));
  return std::make_unique<SelectStatement>(state, std::move(text), std::move(query));
}

}  // namespace vaquita::sql
