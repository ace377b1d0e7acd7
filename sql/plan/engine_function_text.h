// sql/plan/engine_function_text.h: writes calls of functions, casts and arrays as SQL for SQLite.
//
// sql/engine/ defines the functions named px_. Threads: functions.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "sql/front/ast.h"

namespace vaquita::sql {

// Returns the expression as CASE and arrays have it among others, in the type of all of them: a CHAR keeps its blanks.
absl::StatusOr<std::string> ResultForm(const Expr& expr, const SqlType& type);
absl::StatusOr<std::string> FunctionForm(const Expr& call);
absl::StatusOr<std::string> ConcatForm(const Expr& concat);
absl::StatusOr<std::string> CastForm(const Expr& cast);
absl::StatusOr<std::string> ArrayForm(const Expr& array);
absl::StatusOr<std::string> ElementForm(const Expr& element);
absl::StatusOr<std::string> QuantifiedForm(const Expr& quantified);

}  // namespace vaquita::sql
