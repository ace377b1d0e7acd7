// sql/front/token_reader.h: reads a statement's tokens one by one, and makes Phoenix's syntax errors.
//
// Threads: one at a time.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "sql/front/lexer.h"

namespace vaquita::sql {

// Returns whether a word, in capitals, names something only in quotes.
bool IsReserved(std::string_view word);

class TokenReader {
 public:
  // `is_stored`: the catalog has the text, where an older Vaquita may have written names that are reserved now.
  explicit TokenReader(std::vector<Token> tokens, bool is_stored = false)
      : tokens_(std::move(tokens)), is_stored_(is_stored) {}

  const Token& Peek(size_t ahead = 0) const { return tokens_[std::min(at_ + ahead, tokens_.size() - 1)]; }
  const Token& Take() { return tokens_[at_ + 1 < tokens_.size() ? at_++ : at_]; }
  bool AtEnd() const { return Peek().kind == TokenKind::kEnd; }

  bool IsWord(std::string_view word, size_t ahead = 0) const {
    return Peek(ahead).kind == TokenKind::kWord && Peek(ahead).text == word;
  }
  bool IsSymbol(std::string_view symbol, size_t ahead = 0) const {
    return Peek(ahead).kind == TokenKind::kSymbol && Peek(ahead).text == symbol;
  }
  // Takes the token if it is this one.
  bool TakeWord(std::string_view word) { return IsWord(word) && (Take(), true); }
  bool TakeSymbol(std::string_view symbol) { return IsSymbol(symbol) && (Take(), true); }
  // Takes both words, or none.
  bool TakeWords(std::string_view first, std::string_view second) {
    return IsWord(first) && IsWord(second, 1) && (Take(), Take(), true);
  }
  // Takes ASC, DESC or none of them. Returns whether it is DESC.
  bool TakeDescending() { return !TakeWord("ASC") && TakeWord("DESC"); }

  absl::Status ExpectWord(std::string_view word);
  // `name` is the symbol's name in Phoenix's grammar, such as "LPAREN".
  absl::Status ExpectSymbol(std::string_view symbol, std::string_view name);
  // Takes a name: quoted, or a word that is not reserved.
  absl::StatusOr<std::string> ExpectName();
  absl::StatusOr<std::string> ExpectAlias();  // as ExpectName, with the error that Phoenix has for an alias
  bool IsName() const;

  size_t position() const { return at_; }
  // Returns the tokens from a position to the next one as SQL: names are folded, and one space parts them.
  std::string TextSince(size_t position) const;

  // Returns error 601, 602, 603 or 604, with the line and column of the next token.
  absl::Status Unexpected() const;
  absl::Status Missing(std::string_view token) const;
  absl::Status Extra(std::string_view expected) const;  // the next token is one too many
  absl::Status Mismatched(std::string_view expected) const;

 private:
  std::string Place() const;

  std::vector<Token> tokens_;
  bool is_stored_;
  size_t at_ = 0;
};

}  // namespace vaquita::sql
