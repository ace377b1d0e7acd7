#include "sql/front/token_reader.h"

#include <algorithm>
#include <span>

#include "sql/encoding/sql_error.h"
#include "sql/encoding/text.h"

namespace vaquita::sql {
namespace {

// Words that cannot name a column, a table or an alias. Source: the tokens of PhoenixSQL.g (5.2).
constexpr std::string_view kReserved[] = {
    "ALL",    "AND",   "AS",       "ASC",    "BETWEEN", "BY",     "CASE",   "CAST",   "CONSTRAINT", "CREATE", "DEFAULT",
    "DELETE", "DESC",  "DISTINCT", "ELSE",   "END",     "EXISTS", "FALSE",  "FETCH",  "FROM",       "FULL",   "GROUP",
    "HAVING", "IF",    "ILIKE",    "IN",     "INNER",   "INTO",   "IS",     "JOIN",   "LEFT",       "LIKE",   "LIMIT",
    "NOT",    "NULL",  "NULLS",    "OFFSET", "ON",      "OR",     "ORDER",  "OUTER",  "PRIMARY",    "RIGHT",  "SELECT",
    "SET",    "SPLIT", "TABLE",    "THEN",   "TRUE",    "UNION",  "UPSERT", "VALUES", "WHEN",       "WHERE"};

// The others, which stored texts may have as names: Vaquita once did not reserve them.
constexpr std::string_view kReservedLater[] = {
    "ACTIVE",       "ADD",       "ALTER",         "ANY",        "ARRAY",   "ASYNC",       "CACHE",     "CASCADE",
    "CLOSE",        "COLUMN",    "COLUMNS",       "CONSTANT",   "CURRENT", "CURSOR",      "CYCLE",     "DECLARE",
    "DEFAULTVALUE", "DISABLE",   "DROP",          "DUPLICATE",  "EXECUTE", "EXPLAIN",     "FIRST",     "FOR",
    "FUNCTION",     "GRANT",     "IGNORE",        "IMMUTABLE",  "INCLUDE", "INCREMENT",   "INDEX",     "JAR",
    "JARS",         "KEY",       "LAST",          "LIST",       "LOCAL",   "MAXVALUE",    "MINVALUE",  "NEXT",
    "OFF",          "ONLY",      "OPEN",          "REBUILD",    "REGIONS", "REPLACE",     "RETURNS",   "REVOKE",
    "ROW",          "ROWS",      "ROW_TIMESTAMP", "SAMPLING",   "SCHEMA",  "SCHEMAS",     "SEQUENCE",  "SESSION",
    "SHOW",         "SOME",      "START",         "STATISTICS", "TABLES",  "TABLESAMPLE", "TEMPORARY", "TO",
    "TRACE",        "UNCOVERED", "UNUSABLE",      "UPDATE",     "UPGRADE", "USABLE",      "USE",       "USING",
    "VALUE",        "VIEW",      "WITH",          "WITHIN"};

bool Has(std::span<const std::string_view> sorted, std::string_view word) {
  return std::ranges::binary_search(sorted, word);
}
static_assert(std::ranges::is_sorted(kReserved) && std::ranges::is_sorted(kReservedLater));

}  // namespace

bool IsReserved(std::string_view word) { return Has(kReserved, word) || Has(kReservedLater, word); }

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
  return Peek().kind == TokenKind::kWord && !(is_stored_ ? Has(kReserved, Peek().text) : IsReserved(Peek().text));
}

absl::StatusOr<std::string> TokenReader::ExpectName() {
  if (!IsName()) return AtEnd() ? Mismatched("NAME") : Unexpected();
  return Take().text;
}

absl::StatusOr<std::string> TokenReader::ExpectAlias() {
  if (!IsName()) return Mismatched("NAME");
  return Take().text;
}

}  // namespace vaquita::sql
