#include <utility>

#include "base/status.h"
#include "sql/encoding/sql_error.h"
#include "sql/encoding/text.h"
#include "sql/engine/query.h"
#include "sql/engine/statements.h"
#include "sql/plan/engine_text.h"

namespace vaquita::sql {
namespace {

class SelectStatement : public PreparedStatement {
 public:
  SelectStatement(std::unique_ptr<Query> query, std::vector<OutputColumn> columns, std::vector<SqlType> parameters)
      : query_(std::move(query)), columns_(std::move(columns)), parameters_(std::move(parameters)) {}

  bool is_query() const override { return true; }
  const std::vector<OutputColumn>& columns() const override { return columns_; }
  const std::vector<SqlType>& parameters() const override { return parameters_; }
  absl::StatusOr<int64_t> Execute(std::span<const Value> values) override {
    VAQUITA_RETURN_IF_ERROR(CheckParameters(parameters_.size(), values.size()));
    VAQUITA_RETURN_IF_ERROR(query_->Start(parameters_, values));
    return 0;
  }
  absl::StatusOr<std::optional<std::vector<Value>>> Next() override { return query_->Next(); }
  int64_t rows_read() const override { return query_->rows_read(); }

 private:
  std::unique_ptr<Query> query_;
  std::vector<OutputColumn> columns_;
  std::vector<SqlType> parameters_;
};

// Phoenix computes a constant column when it compiles, and labels the column with the result.
absl::Status LabelConstants(const QuerySource& source, const Select& select, std::vector<OutputColumn>* columns) {
  for (size_t i = 0; i < select.items.size(); ++i) {
    const Expr& item = *select.items[i].expr;
    if (!select.items[i].alias.empty() || item.kind == ExprKind::kLiteral || !IsConstant(item)) continue;
    Expr literal;
    literal.type = item.type;
    VAQUITA_ASSIGN_OR_RETURN(literal.literal, ConstantValue(source, item));
    if (item.type.kind() == ValueKind::kBoolean && !literal.literal.is_null()) {
      literal.text = literal.literal.integer() != 0 ? "true" : "false";
    } else if (item.type.kind() == ValueKind::kInteger && !literal.literal.is_null()) {
      literal.text = Concat(literal.literal.integer());
    }
    (*columns)[i].label = LabelOf(literal);
  }
  return absl::OkStatus();
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
  auto& select = std::get<Select>(statement.body);
  Resolver resolver(state->Finder(), statement.parameters);
  VAQUITA_ASSIGN_OR_RETURN(std::vector<OutputColumn> columns, resolver.ResolveSelect(&select));
  VAQUITA_RETURN_IF_ERROR(CheckSequences(state, resolver));
  VAQUITA_RETURN_IF_ERROR(LabelConstants(state->Source(), select, &columns));
  std::vector<SqlType> types;
  for (const OutputColumn& column : columns) types.push_back(column.type);
  VAQUITA_ASSIGN_OR_RETURN(const std::string text, EngineQuery(select, types));
  VAQUITA_ASSIGN_OR_RETURN(auto query, Query::Prepare(state->Source(), resolver.tables(), text, types));
  return std::make_unique<SelectStatement>(std::move(query), std::move(columns), ParameterTypes(resolver));
}

}  // namespace vaquita::sql
