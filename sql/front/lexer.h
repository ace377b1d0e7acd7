// sql/front/lexer.h: splits a statement's text into tokens.
//
// Unquoted words fold to upper case. Comments are left out, and hints stand apart. Threads: functions. Source:
// PhoenixSQL.g (5.2).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace vaquita::sql {

enum class TokenKind { kWord, kQuotedName, kNumber, kString, kSymbol, kEnd };

struct Token {
  TokenKind kind = TokenKind::kEnd;
  std::string text;  // a word in upper case; a string or a quoted name without quotes; "<EOF>" at the end
  std::string raw;   // as it was written
  int line = 1;
  int column = 1;  // from 1
};

// Returns the tokens, "<EOF>" last. Adds the text of hints, /*+ ... */, to `*hints`, which may be null. Returns a
// syntax error for a string without an end, or a character that begins no token; NotSupported for more than 4 MB of
// text or 500,000 tokens.
absl::StatusOr<std::vector<Token>> Tokenize(std::string_view text, std::string* hints = nullptr);

}  // namespace vaquita::sql
