// sql/plan/engine_text.h: a resolved query as SQL for SQLite.
//
// SQLite never sees what a user wrote. Table number N of the statement (sql/plan/resolver.h) is the virtual table tN,
// named sN in the query, with columns c0, c1, ...; parameters are ?1, ?2, ....
//
// Values have forms in SQLite whose order is theirs: whole numbers, dates (ms) and booleans are INTEGER; FLOAT and
// DOUBLE REAL; VARCHAR and CHAR TEXT; DECIMAL, TIMESTAMP and arrays their bytes (sql/encoding/value_codec.h), BLOB.
// Functions named px_ are sql/engine/'s. Threads: functions.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "sql/front/ast.h"

namespace vaquita::sql {

// `types`: those that the columns shall have; empty: their own. NotSupported for what SQLite cannot do.
absl::StatusOr<std::string> EngineQuery(const Select& select, const std::vector<SqlType>& types = {});
absl::StatusOr<std::string> EngineExpression(const Expr& expr);
// Returns the expression's value in the form of another type.
absl::StatusOr<std::string> EngineExpressionAs(const Expr& expr, const SqlType& type);

}  // namespace vaquita::sql
