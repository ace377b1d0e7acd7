#include "tools/shell/ruby_lexer.h"

#include <charconv>
#include <optional>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "base/unicode.h"

namespace vaquita::shell {
namespace {

bool IsNameStart(char c) { return absl::ascii_isalpha(c) || c == '_'; }
bool IsNameByte(char c) { return absl::ascii_isalnum(c) || c == '_'; }

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  LexResult Run() {
    while (Step()) {
    }
    Add(Token::Kind::kEndOfText, "");
    return std::move(result_);
  }

 private:
  char At(size_t offset = 0) const { return at_ + offset < text_.size() ? text_[at_ + offset] : '\0'; }
  bool Done() const { return at_ >= text_.size(); }
  char Next() {
    const char c = text_[at_++];
    if (c == '\n') {
      ++here_.line;
      here_.column = 1;
    } else {
      ++here_.column;
    }
    return c;
  }
  Token& Add(Token::Kind kind, std::string text) {
    result_.tokens.push_back({kind, std::move(text), Value(), token_place_, space_before_});
    return result_.tokens.back();
  }
  bool Fail(std::string error) {
    result_.error = std::move(error);
    result_.place = token_place_;
    return false;
  }

  // Reads one token or space; false at the end or at an error.
  bool Step() {
    space_before_ = SkipSpace();
    token_place_ = here_;
    if (Done()) return false;
    const char c = At();
    if (c == '\n' || c == ';') return EndOfStatement();
    if (c == '\'' || c == '"') return String();
    if (c == ':') return SymbolName();
    if (absl::ascii_isdigit(c) || (c == '-' && absl::ascii_isdigit(At(1)) && MayStartValue())) return Number();
    if (IsNameStart(c)) return Name();
    return Punctuation();
  }

  bool SkipSpace() {
    const size_t start = at_;
    while (!Done()) {
      if (At() == '#') {
        while (!Done() && At() != '\n') Next();
      } else if (At() == '\\' && (At(1) == '\n' || at_ + 1 == text_.size())) {
        result_.open_line = at_ + 2 >= text_.size();
        Next();
        if (!Done()) Next();
      } else if (At() == ' ' || At() == '\t' || At() == '\r') {
        Next();
      } else {
        break;
      }
    }
    return at_ != start;
  }

  // A newline between brackets or after a comma or an arrow is only space.
  bool EndOfStatement() {
    const bool newline = Next() == '\n';
    if (newline && (result_.open_brackets > 0 || EndsOpen())) return true;
    Add(Token::Kind::kEnd, newline ? "\n" : ";");
    return true;
  }
  bool EndsOpen() const {
    if (result_.tokens.empty()) return false;
    const Token& last = result_.tokens.back();
    return last.Is(",") || last.Is("=>") || last.Is("=") || last.kind == Token::Kind::kLabel;
  }
  // Returns whether a '-' here is a sign: after a value it would be an operator.
  bool MayStartValue() const {
    if (result_.tokens.empty()) return true;
    const Token& last = result_.tokens.back();
    if (last.kind == Token::Kind::kIdentifier) return space_before_;
    return last.kind == Token::Kind::kLabel || last.kind == Token::Kind::kEnd ||
           (last.kind == Token::Kind::kPunctuation && last.text != ")" && last.text != "]" && last.text != "}");
  }

  bool Punctuation() {
    const char c = At();
    if (c == '=' && At(1) == '>') {
      Next();
      Next();
      Add(Token::Kind::kPunctuation, "=>");
      return true;
    }
    if (std::string_view(",()[]{}=.").find(c) == std::string_view::npos || (c == '=' && At(1) == '=')) {
      return Fail(absl::StrCat("'", std::string(1, c), "' is Ruby that this shell does not run"));
    }
    Next();
    if (c == '(' || c == '[' || c == '{') ++result_.open_brackets;
    if ((c == ')' || c == ']' || c == '}') && result_.open_brackets > 0) --result_.open_brackets;
    Add(Token::Kind::kPunctuation, std::string(1, c));
    return true;
  }

  std::string ReadName() {
    std::string name;
    while (!Done() && IsNameByte(At())) name.push_back(Next());
    if ((At() == '?' || At() == '!') && At(1) != '=') name.push_back(Next());
    return name;
  }

  bool Name() {
    const bool constant = absl::ascii_isupper(At());
    std::string name = ReadName();
    if (At() == ':' && At(1) != ':') {
      Next();
      Add(Token::Kind::kLabel, std::move(name));
    } else {
      Add(constant ? Token::Kind::kConstant : Token::Kind::kIdentifier, std::move(name));
    }
    return true;
  }

  bool SymbolName() {
    Next();
    if (At() == '"' || At() == '\'') {
      std::optional<std::string> name = ReadString();
      if (name) Add(Token::Kind::kValue, "").value = Value(Symbol{*name});
      return name.has_value();
    }
    if (!IsNameStart(At())) return Fail("':' must be followed by a symbol's name");
    std::string name = ReadName();
    Add(Token::Kind::kValue, "").value = Value(Symbol{std::move(name)});
    return true;
  }

  // Strings side by side are one string.
  bool String() {
    const bool joins = !result_.tokens.empty() && result_.tokens.back().kind == Token::Kind::kValue &&
                       result_.tokens.back().value.AsString() != nullptr;
    std::optional<std::string> text = ReadString();
    if (!text) return false;
    if (At() == ':' && At(1) != ':' && !joins) {
      Next();
      Add(Token::Kind::kLabel, *std::move(text));
    } else if (joins) {
      result_.tokens.back().value = Value(*result_.tokens.back().value.AsString() + *text);
    } else {
      Add(Token::Kind::kValue, "").value = Value(*std::move(text));
    }
    return true;
  }

  // The string whose quote is next; none, with the result set, when it does not end or is refused.
  std::optional<std::string> ReadString() {
    const char quote = Next();
    std::string out;
    while (!Done()) {
      const char c = Next();
      if (c == quote) return out;
      if (c == '\\' && !Done()) {
        if (quote == '"' ? !DoubleQuotedEscape(&out) : !SingleQuotedEscape(&out)) return std::nullopt;
      } else if (quote == '"' && c == '#' && At() == '{') {
        Fail("#{...} in a string is Ruby that this shell does not run");
        return std::nullopt;
      } else {
        out.push_back(c);
      }
    }
    result_.open_string = quote;
    return std::nullopt;
  }

  bool SingleQuotedEscape(std::string* out) {
    if (At() != '\'' && At() != '\\') out->push_back('\\');
    out->push_back(Next());
    return true;
  }

  bool DoubleQuotedEscape(std::string* out) {
    static constexpr std::string_view kLetters = "ntreabvfs";
    static constexpr std::string_view kBytes = "\n\t\r\x1B\a\b\v\f ";
    const char c = Next();
    if (const size_t at = kLetters.find(c); at != std::string_view::npos) {
      out->push_back(kBytes[at]);
    } else if (c == 'x') {
      const std::optional<uint32_t> code = Digits(16, 2);
      if (!code) return Fail("\\x must be followed by a hexadecimal digit");
      out->push_back(static_cast<char>(*code));
    } else if (c >= '0' && c <= '7') {
      --at_;
      --here_.column;
      out->push_back(static_cast<char>(*Digits(8, 3)));
    } else if (c == 'u') {
      return UnicodeEscape(out);
    } else if (c != '\n') {
      out->push_back(c);
    }
    return true;
  }

  bool UnicodeEscape(std::string* out) {
    const bool braces = At() == '{';
    if (braces) Next();
    const std::optional<uint32_t> code = Digits(16, braces ? 6 : 4);
    if (!code || (braces && At() != '}')) return Fail("\\u must be followed by four hexadecimal digits or {digits}");
    if (braces) Next();
    AppendUtf8(*code, out);
    return true;
  }

  std::optional<uint32_t> Digits(int base, int most) {
    uint32_t number = 0;
    int count = 0;
    while (count < most && !Done()) {
      const char c = absl::ascii_tolower(At());
      const int digit = absl::ascii_isdigit(c) ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : 99;
      if (digit >= base) break;
      number = number * base + digit;
      ++count;
      Next();
    }
    return count == 0 ? std::nullopt : std::optional<uint32_t>(number);
  }

  // Decimal, 0x, 0b, 0o and 0 octal integers and decimal fractions, with '_' between digits.
  bool Number() {
    std::string text;
    if (At() == '-') text.push_back(Next());
    int base = 10;
    if (At() == '0' && absl::ascii_isalnum(At(1))) base = ReadBasePrefix();
    bool fraction = false;
    while (!Done()) {
      const char c = At();
      const bool exponent = base == 10 && (c == 'e' || c == 'E');
      const bool point = base == 10 && c == '.' && absl::ascii_isdigit(At(1)) && !fraction;
      if (!absl::ascii_isalnum(c) && c != '_' && !point) break;
      fraction |= exponent || point;
      if (c != '_') text.push_back(c);
      Next();
      if (exponent && (At() == '-' || At() == '+')) text.push_back(Next());
    }
    return fraction ? AddFloat(text) : AddInteger(text, base);
  }
  int ReadBasePrefix() {
    const char letter = absl::ascii_tolower(At(1));
    Next();
    if (absl::ascii_isdigit(letter)) return 8;
    Next();
    return letter == 'x' ? 16 : letter == 'b' ? 2 : letter == 'o' ? 8 : 10;
  }
  bool AddFloat(const std::string& text) {
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size())
      return Fail(absl::StrCat("'", text, "' is not a number"));
    Add(Token::Kind::kValue, "").value = Value(number);
    return true;
  }
  bool AddInteger(const std::string& text, int base) {
    int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
    if (error == std::errc::result_out_of_range) {
      return Fail(absl::StrCat("'", text, "' does not fit into 64 bits"));
    }
    if (error != std::errc() || end != text.data() + text.size())
      return Fail(absl::StrCat("'", text, "' is not a number"));
    Add(Token::Kind::kValue, "").value = Value(number);
    return true;
  }

  std::string_view text_;
  size_t at_ = 0;
  Place here_;
  Place token_place_;
  bool space_before_ = false;
  LexResult result_;
};

}  // namespace

LexResult LexRuby(std::string_view text) { return Lexer(text).Run(); }

}  // namespace vaquita::shell
