#include "sql/front/token_reader.h"

#include <algorithm>

#include "sql/encoding/sql_error.h"
#include "sql/encoding/text.h"

namespace vaquita::sql {
namespace {

// Words that cannot name a column or an alias.
constexpr std::string_view kReserved[] = {
    "SELECT", "FROM",  "WHERE",   "GROUP",      "BY",    "HAVING", "ORDER", "LIMIT",   "OFFSET", "UNION",  "ALL",
    "JOIN",   "INNER", "LEFT",    "RIGHT",      "FULL",  "OUTER",  "ON",    "AND",     "OR",     "NOT",    "IN",
    "IS",     "NULL",  "LIKE",    "ILIKE",      "CASE",  "WHEN",   "THEN",  "ELSE",    "END",    "EXISTS", "BETWEEN",
    "UPSERT", "INTO",  "VALUES",  "DELETE",     "AS",    "CAST",   "TRUE",  "FALSE",   "ASC",    "DESC",   "DISTINCT",
    "CREATE", "TABLE", "PRIMARY", "CONSTRAINT", "SPLIT", "NULLS",  "FETCH", "DEFAULT", "IF",     "SET"};

}  // namespace

std::string TokenReader::Place() const { return Concat(" at line ", Peek().line, ", column ", Peek().column, "."); }

absl::Status TokenReader::Unexpected() const {
  return SqlError(ErrorCode::kSyntax, Concat("Encountered \"", Peek().raw, "\"", Place()));
}

absl::Status TokenReader::Extra(std::string_view expected) const {
  return SqlError(ErrorCode::kExtraToken,
                  Concat("Unexpected input. Expecting \"", expected, "\", got \"", Peek().raw, "\"", Place()));
}

absl::Status TokenReader::Missing(std::string_view token) const {
  return SqlError(ErrorCode::kMissingToken, Concat("Missing \"", token, "\"", Place()));
}

absl::Status TokenReader::Mismatched(std::string_view expected) const {
  return SqlError(ErrorCode::kMismatchedToken,
                  Concat("Mismatched input. Expecting \"", expected, "\", got \"", Peek().raw, "\"", Place()));
}

absl::Status TokenReader::ExpectWord(std::string_view word) {
  return TakeWord(word) ? absl::OkStatus() : Mismatched(word);
}

absl::Status TokenReader::ExpectSymbol(std::string_view symbol, std::string_view name) {
  return TakeSymbol(symbol) ? absl::OkStatus() : Mismatched(name);
}

bool TokenReader::IsName() const {
  if (Peek().kind == TokenKind::kQuotedName) return true;
  return Peek().kind == TokenKind::kWord && std::ranges::find(kReserved, Peek().text) == std::end(kReserved);
}

absl::StatusOr<std::string> TokenReader::ExpectName() {
  if (!IsName()) return AtEnd() ? Mismatched("NAME") : Unexpected();
  return Take().text;
}

}  // namespace vaquita::sql
