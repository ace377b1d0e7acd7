// sql/front/parser.h: reads one statement of Phoenix's SQL.
//
// Threads: functions. Source: PhoenixSQL.g, and its errors as PhoenixParserException words them (5.2).
#pragma once

#include <string_view>

#include "absl/status/statusor.h"
#include "sql/front/ast.h"

namespace vaquita::sql {

// Returns the statement. Errors have Phoenix's codes 601, 602 and 604 with line and column; statements of Phoenix that
// Vaquita does not have are NotSupported, which names them.
absl::StatusOr<Statement> ParseStatement(std::string_view text);

// Returns the expression that is all of `text`: a column's DEFAULT.
absl::StatusOr<ExprPtr> ParseExpression(std::string_view text);

}  // namespace vaquita::sql
