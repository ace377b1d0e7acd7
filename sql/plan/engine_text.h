// sql/plan/engine_text.h: writes a resolved query as SQL for SQLite.
//
// SQLite never sees the user's own text. Table number N of the statement (sql/plan/resolver.h) is the virtual table tN,
// named sN in the query, with columns c0, c1, ..., the row key k and the row's time t; parameters are ?1, ?2, ....
//
// A value's form in SQLite sorts as the value does: whole numbers, dates (ms) and booleans are INTEGER; FLOAT and
// DOUBLE REAL; VARCHAR and CHAR TEXT; DECIMAL, TIMESTAMP and arrays their bytes (sql/encoding/value_codec.h), BLOB.
// sql/engine/ defines the functions named px_. Threads: functions.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "sql/front/ast.h"

namespace vaquita::sql {

// Returns the query. Its columns get the types `wanted`; if that is empty, their own. Returns NotSupported for a query
// that SQLite cannot run.
absl::StatusOr<std::string> EngineQuery(const Select& select, const std::vector<SqlType>& wanted = {});
absl::StatusOr<std::string> EngineExpression(const Expr& expr);
// Returns the expression's value in the form of another type.
absl::StatusOr<std::string> EngineExpressionAs(const Expr& expr, const SqlType& type);
// Returns `text`, of type `from`, in the form of `to`.
std::string ConvertedForm(const std::string& text, const SqlType& from, const SqlType& to);
// Joins terms by an operator that may group them at will: AND, OR or ||. An expression of SQLite is at most 1,000 deep,
// so many terms are joined in groups.
std::string JoinedInGroups(std::vector<std::string> terms, std::string_view between);

}  // namespace vaquita::sql
