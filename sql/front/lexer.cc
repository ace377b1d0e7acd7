#include "sql/front/lexer.h"

#include <algorithm>

#include "base/status.h"
#include "sql/encoding/sql_error.h"
#include "sql/encoding/text.h"

namespace vaquita::sql {
namespace {

// A token takes some 170 bytes of memory, an expression as many again.
constexpr size_t kMostTextBytes = 4 << 20;
constexpr size_t kMostTokens = 500'000;

constexpr std::string_view kLongSymbols[] = {"<>", "!=", "<=", ">=", "||"};
constexpr std::string_view kSymbols = "()[],.*+-/%<>=?:;";

// A backslash in a string stands with each of these for one character, which has the same place in kMeant. Before
// others it is itself, also before the wildcards of LIKE.
constexpr std::string_view kEscaped = R"(nrtbf"'\)";
constexpr std::string_view kMeant = "\n\r\t\b\f\"'\\";

bool IsWordStart(char c) {
  return absl::ascii_isalpha(static_cast<unsigned char>(c)) || c == '_' || (static_cast<unsigned char>(c) & 0x80) != 0;
}
bool IsWordPart(char c) { return IsWordStart(c) || IsDigit(c) || c == '$'; }

class Lexer {
 public:
  Lexer(std::string_view text, std::string* hints) : text_(text), hints_(hints) {}

  absl::StatusOr<std::vector<Token>> Run() {
    if (text_.size() > kMostTextBytes) {
      return NotSupported(Concat("A statement of ", text_.size(), " bytes; it may have ", kMostTextBytes,
                                 ", and values may be parameters"));
    }
    std::vector<Token> tokens;
    for (;;) {
      if (tokens.size() > kMostTokens) {
        return NotSupported(Concat("A statement of more than ", kMostTokens, " words, values and symbols"));
      }
      SkipBlanks();
      VAQUITA_ASSIGN_OR_RETURN(Token token, Next());
      tokens.push_back(std::move(token));
      if (tokens.back().kind == TokenKind::kEnd) return tokens;
    }
  }

 private:
  char At(size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  bool Done() const { return at_ >= text_.size(); }

  void Advance(size_t count) {
    for (; count > 0 && !Done(); --count, ++at_) {
      if (text_[at_] == '\n') {
        ++line_;
        column_ = 1;
      } else {
        ++column_;
      }
    }
  }

  void SkipBlanks() {
    for (;;) {
      if (!Done() && absl::ascii_isspace(static_cast<unsigned char>(At()))) {
        Advance(1);
      } else if ((At() == '-' && At(1) == '-') || (At() == '/' && At(1) == '/')) {
        while (!Done() && At() != '\n') Advance(1);
      } else if (At() == '/' && At(1) == '*') {
        const size_t end = text_.find("*/", at_ + 2);
        if (At(2) == '+' && hints_ != nullptr && end != std::string_view::npos) {
          AppendText(hints_, text_.substr(at_ + 3, end - at_ - 3), " ");
        }
        Advance(end == std::string_view::npos ? text_.size() : end + 2 - at_);
      } else {
        return;
      }
    }
  }

  // Makes a token of the next `length` bytes.
  Token Take(TokenKind kind, size_t length) {
    Token token{kind, std::string(text_.substr(at_, length)), std::string(text_.substr(at_, length)), line_, column_};
    Advance(length);
    return token;
  }

  absl::StatusOr<Token> Next() {
    if (Done()) return Token{TokenKind::kEnd, "<EOF>", "<EOF>", line_, column_};
    if (At() == '\'' || At() == '"') return Quoted(At());
    if (IsDigit(At()) || (At() == '.' && IsDigit(At(1)))) return Take(TokenKind::kNumber, NumberLength());
    if (IsWordStart(At())) {
      size_t length = 1;
      while (IsWordPart(At(length))) ++length;
      Token token = Take(TokenKind::kWord, length);
      absl::AsciiStrToUpper(&token.text);
      return token;
    }
    for (const std::string_view symbol : kLongSymbols)
      if (text_.substr(at_).starts_with(symbol)) return Take(TokenKind::kSymbol, symbol.size());
    if (kSymbols.find(At()) != std::string_view::npos) return Take(TokenKind::kSymbol, 1);
    return SqlError(ErrorCode::kSyntax, Concat("Unexpected char: '", std::string(1, At()), "'"));
  }

  size_t NumberLength() const {
    size_t length = 0;
    while (IsDigit(At(length))) ++length;
    if (At(length) == '.' && IsDigit(At(length + 1))) {
      ++length;
      while (IsDigit(At(length))) ++length;
    }
    const size_t sign = At(length + 1) == '-' || At(length + 1) == '+' ? 1 : 0;
    if ((At(length) == 'e' || At(length) == 'E') && IsDigit(At(length + 1 + sign))) {
      length += 1 + sign;
      while (IsDigit(At(length))) ++length;
    }
    return length;
  }

  // A quote within is doubled. In a string it may also stand behind a backslash.
  absl::StatusOr<Token> Quoted(char quote) {
    std::string inner;
    size_t length = 1;
    for (;; ++length) {
      if (at_ + length >= text_.size()) {
        Advance(text_.size());
        return SqlError(ErrorCode::kSyntax, Concat("Encountered \"<EOF>\" at line ", line_, ", column ", column_, "."));
      }
      if (At(length) == quote) {
        if (At(length + 1) != quote) break;
        ++length;
      } else if (quote == '\'' && At(length) == '\\') {
        if (const size_t escape = kEscaped.find(At(length + 1)); escape != std::string_view::npos) {
          inner += kMeant[escape];
          ++length;
          continue;
        }
      }
      inner += At(length);
    }
    Token token = Take(quote == '"' ? TokenKind::kQuotedName : TokenKind::kString, length + 1);
    token.text = std::move(inner);
    return token;
  }

  std::string_view text_;
  std::string* hints_;
  size_t at_ = 0;
  int line_ = 1;
  int column_ = 1;
};

}  // namespace

absl::StatusOr<std::vector<Token>> Tokenize(std::string_view text, std::string* hints) {
  return Lexer(text, hints).Run();
}

}  // namespace vaquita::sql
