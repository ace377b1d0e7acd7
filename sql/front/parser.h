// sql/front/parser.h: reads one statement of Phoenix's SQL.
//
// Threads: functions. Source: PhoenixSQL.g, and its errors as PhoenixParserException words them (5.2).
#pragma once

#include <string_view>

#include "absl/status/statusor.h"
#include "sql/front/ast.h"

namespace vaquita::sql {

// Returns the statement. Syntax errors have Phoenix's codes 601, 602 and 604 with line and column. Returns
// NotSupported, naming the statement, for one of Phoenix's that Vaquita does not have.
// `is_stored`: the catalog has the text (sql/front/token_reader.h).
absl::StatusOr<Statement> ParseStatement(std::string_view text, bool is_stored = false);

// Parses `text`, a column's DEFAULT or an index's expression, which the catalog has, as one expression.
absl::StatusOr<ExprPtr> ParseExpression(std::string_view text);

}  // namespace vaquita::sql
