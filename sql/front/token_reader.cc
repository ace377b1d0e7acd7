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

std::string TokenReader::TextSince(size_t position) const {
  std::string text;
  bool apart = false;  // a space may stand before the next token
  for (size_t i = position; i < at_; ++i) {
    const Token& token = tokens_[i];
    const bool joins = token.kind == TokenKind::kSymbol &&
                       (token.text == ")" || token.text == "," || token.text == "." || token.text == "]");
    const bool call = token.kind == TokenKind::kSymbol && token.text == "(" && i > position &&
                      tokens_[i - 1].kind == TokenKind::kWord && tokens_[i - 1].text != "IN" &&
                      tokens_[i - 1].text != "AND" && tokens_[i - 1].text != "OR" && tokens_[i - 1].text != "NOT";
    if (apart && !joins && !call) text += ' ';
    text += token.kind == TokenKind::kWord ? token.text : token.raw;
    apart = token.kind != TokenKind::kSymbol || (token.text != "(" && token.text != "." && token.text != "[");
  }
  return text;
}

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
