// sql/engine/statements.h: prepares parsed statements.
//
// Threads: one at a time.
#pragma once

#include <memory>
#include <optional>

#include "absl/status/statusor.h"
#include "sql/catalog/table_def.h"
#include "sql/engine/session.h"
#include "sql/engine/session_state.h"
#include "sql/front/ast.h"

namespace vaquita::sql {

// `state` outlives the statements.
absl::StatusOr<std::unique_ptr<PreparedStatement>> PrepareSelect(SessionState* state, Statement statement);
absl::StatusOr<std::unique_ptr<PreparedStatement>> PrepareUpsert(SessionState* state, Statement statement);
absl::StatusOr<std::unique_ptr<PreparedStatement>> PrepareDelete(SessionState* state, Statement statement);
absl::StatusOr<std::unique_ptr<PreparedStatement>> PrepareDefinition(SessionState* state, Statement statement);
// Prepares EXPLAIN of the statement.
absl::StatusOr<std::unique_ptr<PreparedStatement>> PrepareExplain(SessionState* state, Statement statement);

// The base of statements that change something and return no rows.
class ChangeStatement : public PreparedStatement {
 public:
  bool is_query() const override { return false; }
  const std::vector<OutputColumn>& columns() const override { return columns_; }
  const std::vector<SqlType>& parameters() const override { return parameters_; }
  absl::StatusOr<std::optional<std::vector<Value>>> Next() override { return std::nullopt; }
  int64_t rows_read() const override { return 0; }

 protected:
  std::vector<OutputColumn> columns_;
  std::vector<SqlType> parameters_;
};

// Returns the types of the parameters: VARCHAR if the statement does not say one.
std::vector<SqlType> ParameterTypes(const Resolver& resolver);
// Returns an error unless there is a value for each parameter.
absl::Status CheckParameters(size_t parameters, size_t values);
// Returns the value of a resolved expression without columns and parameters.
absl::StatusOr<Value> ConstantValue(const QuerySource& source, const Expr& expr);
// Returns the value of the column that equals `value`, which is the expression `given`, as a query compares them;
// nullopt if none does: 1.239 is no DECIMAL(5,2), and nothing equals null.
std::optional<Value> EqualValueOf(const Expr& column, const Expr& given, const Value& value);
// Makes literals of such expressions.
absl::Status ComputeConstants(const QuerySource& source, const std::vector<ExprPtr>& constants);
// Resolves the statement's conditions. Returns the query that finds the keys of the rows to remove.
absl::StatusOr<Select> KeysToDelete(const Delete& body, const ResolvedSource& source, Resolver* resolver);
// Returns the error with which a row of the statement would fail for its sequences.
absl::Status CheckSequences(SessionState* state, const Resolver& resolver);
// Returns an error if Vaquita must not write the table.
absl::Status CheckWritable(SessionState* state, const TableDef& table);

}  // namespace vaquita::sql
