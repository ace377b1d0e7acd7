#include "tools/shell/ruby_lexer.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>
#include <variant>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/absl_text.h"
#include "base/unicode.h"
#include "tools/shell/ruby_text.h"

namespace vaquita::shell {
namespace {

bool IsNameStart(char c) { return absl::ascii_isalpha(c) || c == '_'; }
bool IsNameByte(char c) { return absl::ascii_isalnum(c) || c == '_'; }

class Lexer {
 public:
  Lexer(std::string_view text, Place begin, std::string brackets)
      : text_(text), here_(begin), brackets_(std::move(brackets)) {}

  LexResult Run() {
    while (Step()) {
    }
    Add(Token::Kind::kEndOfText, "");
    result_.brackets = std::move(brackets_);
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
    Token& token = result_.tokens.emplace_back();
    token.kind = kind;
    token.text = std::move(text);
    token.place = token_place_;
    token.space_before = space_before_;
    return token;
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
    if (c == ':' && (At(1) == '"' || At(1) == '\'' || IsNameStart(At(1)))) return SymbolName();
    if (c == ':' && At(1) != '\0' && std::string_view("+-*/%<>=").find(At(1)) != std::string_view::npos &&
        MayStartValue()) {
      return SymbolName();
    }
    if (c == '%' && At(1) == 'w' && MayStartValue()) return Words();
    if (c == '/' && MayStartValue()) return Fail("a regular expression is Ruby that this shell does not run");
    if ((c == '@' || c == '$') && (IsNameStart(At(1)) || At(1) == '@')) return Variable();
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
    const bool in_brackets = !brackets_.empty() && brackets_.back() != kBlock;
    if (newline && (in_brackets || EndsOpen() || GoesOnWithDot())) return true;
    Add(Token::Kind::kEnd, newline ? "\n" : ";");
    return true;
  }
  bool EndsOpen() const {
    if (result_.tokens.empty()) return false;
    const Token& last = result_.tokens.back();
    if (last.kind == Token::Kind::kLabel) return true;
    return last.kind == Token::Kind::kPunctuation && !ClosesValue(last) && last.text != "{" && last.text != "|";
  }
  // Returns whether the next line that is not empty begins with a method's dot. Many empty lines ask for the same one.
  bool GoesOnWithDot() {
    space_end_ = std::max(space_end_, at_);
    while (space_end_ < text_.size() && absl::ascii_isspace(text_[space_end_])) ++space_end_;
    return space_end_ + 1 < text_.size() && text_[space_end_] == '.' && text_[space_end_ + 1] != '.';
  }
  static bool ClosesValue(const Token& token) { return token.Is(")") || token.Is("]") || token.Is("}"); }
  // Returns whether a '-' here is a sign: after a value it would be an operator.
  bool MayStartValue() const {
    if (result_.tokens.empty()) return true;
    const Token& last = result_.tokens.back();
    if (last.kind == Token::Kind::kIdentifier) return space_before_ && !absl::ascii_isspace(At(1)) && At(1) != '=';
    return last.kind == Token::Kind::kLabel || last.kind == Token::Kind::kEnd ||
           (last.kind == Token::Kind::kPunctuation && !ClosesValue(last));
  }

  bool Punctuation() {
    static constexpr std::string_view kLong[] = {
        "<=>", "...", "**=", "||=", "&&=", "===", "=>", "==", "!=", "<=", ">=", "<<", ">>",
        "&&",  "||",  "+=",  "-=",  "*=",  "/=",  "%=", "**", "..", "::", "=~", "->", "&."};
    static constexpr std::string_view kRefused[] = {"=~", "->", "&.", "===", "**=", ">>"};
    const std::string_view rest = text_.substr(at_);
    for (const std::string_view text : kLong) {
      if (!rest.starts_with(text)) continue;
      for (const std::string_view refused : kRefused) {
        if (text == refused) return FailAt(text);
      }
      for (size_t i = 0; i < text.size(); ++i) Next();
      Add(Token::Kind::kPunctuation, std::string(text));
      return true;
    }
    const char c = At();
    if (std::string_view(",()[]{}=.:?|!<>+-*/%&").find(c) == std::string_view::npos) return FailAt(rest.substr(0, 1));
    const bool block = c == '{' && BeginsBlock();
    Next();
    if (c == '(' || c == '[' || c == '{') brackets_.push_back(block ? kBlock : c);
    if ((c == ')' || c == ']' || c == '}') && !brackets_.empty()) brackets_.pop_back();
    Add(Token::Kind::kPunctuation, std::string(1, c)).block = block;
    return true;
  }
  bool FailAt(std::string_view what) {
    return Fail(absl::StrCat("'", AbslText(what), "' is Ruby that this shell does not run"));
  }

  // A brace after a call begins a block, unless what follows is a key: Ruby reads a block then, too, and fails.
  bool BeginsBlock() const {
    if (result_.tokens.empty()) return false;
    const Token& last = result_.tokens.back();
    if (last.kind != Token::Kind::kIdentifier && !last.Is(")")) return false;
    if (looks_ahead_) return false;  // for two tokens nobody asks, and each brace would look further ahead
    Lexer ahead(text_.substr(at_ + 1), Place(), "");
    ahead.looks_ahead_ = true;
    std::vector<Token>& tokens = ahead.result_.tokens;
    while (tokens.size() < 2 && ahead.Step()) {
    }
    return tokens.empty() || (tokens[0].kind != Token::Kind::kLabel && (tokens.size() < 2 || !tokens[1].Is("=>")));
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
    if (!IsNameStart(At())) {  // an operator: reduce(:+)
      std::string op;
      while (std::string_view("+-*/%<>=").find(At()) != std::string_view::npos && !Done()) op.push_back(Next());
      Add(Token::Kind::kValue, "").value = Value(Symbol{std::move(op)});
      return true;
    }
    std::string name = ReadName();
    Add(Token::Kind::kValue, "").value = Value(Symbol{std::move(name)});
    return true;
  }

  // An instance's or a global variable is one like the others: there are no objects.
  bool Variable() {
    std::string name(1, Next());
    while (At() == '@') name.push_back(Next());
    Add(Token::Kind::kIdentifier, name + ReadName());
    return true;
  }

  // %w[a b]: an array of words.
  bool Words() {
    Next();
    Next();
    static constexpr std::string_view kOpen = "[({<|!";
    static constexpr std::string_view kClose = "])}>|!";
    const size_t which = Done() ? kOpen.npos : kOpen.find(At());
    if (which == kOpen.npos) return Fail("%w must be followed by a bracket");
    Next();
    Array words;
    std::string word;
    while (!Done() && At() != kClose[which]) {
      const char c = Next();
      if (!absl::ascii_isspace(c)) word.push_back(c);
      if (absl::ascii_isspace(c) && !word.empty()) words.emplace_back(std::exchange(word, ""));
    }
    if (Done()) {
      result_.open_string = kClose[which];
      return false;
    }
    Next();
    if (!word.empty()) words.emplace_back(std::move(word));
    Add(Token::Kind::kWords, "").value = Value(std::move(words));
    return true;
  }

  // Strings side by side are one string.
  bool String() {
    const bool joins = !result_.tokens.empty() && result_.tokens.back().kind == Token::Kind::kValue &&
                       result_.tokens.back().value.AsString() != nullptr;
    parts_.clear();
    std::optional<std::string> text = ReadString();
    if (!text) return false;
    if (!parts_.empty()) {
      parts_.push_back({*std::move(text), /*code=*/false, here_});
      Add(Token::Kind::kText, "").parts = std::move(parts_);
    } else if (At() == ':' && At(1) != ':' && !joins && !InTernary()) {
      Next();
      Add(Token::Kind::kLabel, *std::move(text));
    } else if (joins) {
      std::get<std::string>(result_.tokens.back().value.kind).append(*text);
    } else {
      Add(Token::Kind::kValue, "").value = Value(*std::move(text));
    }
    return true;
  }

  // After a ? the colon is the ternary operator's.
  bool InTernary() const { return !result_.tokens.empty() && result_.tokens.back().Is("?"); }

  // Reads the code between #{ and }, and adds it to the parts, after the text before it. A brace within a string of the
  // code ends nothing, and neither does a quote behind a backslash.
  bool Code(std::string* before) {
    parts_.push_back({std::exchange(*before, ""), /*code=*/false, here_});
    Next();
    const Place begin = here_;
    std::string code;
    std::string open = "{";  // braces and quotes within each other
    while (!Done()) {
      const char c = Next();
      const bool in_string = open.back() != '{';
      if (c == (in_string ? open.back() : '}')) {
        open.pop_back();
        if (open.empty()) {
          parts_.push_back({std::move(code), /*code=*/true, begin});
          return true;
        }
      } else if (in_string ? c == '#' && open.back() == '"' && At() == '{' : c == '{' || c == '"' || c == '\'') {
        if (in_string) code.push_back(c);
        open.push_back(in_string ? Next() : c);
        code.push_back(open.back());
        continue;
      }
      code.push_back(c);
      if (in_string && c == '\\' && !Done()) code.push_back(Next());
    }
    return false;
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
        if (!Code(&out)) break;
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
    if (!IsCharacterCode(*code)) return Fail(absl::StrFormat("\\u{%X} is not the code of a character", *code));
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
    if (At() == '0' && std::string_view("xXbBoOdD0123456789").find(At(1)) != std::string_view::npos) {
      base = ReadBasePrefix();
    }
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
  size_t space_end_ = 0;  // where the space ends that was last looked through
  static constexpr char kBlock = 'b';
  bool looks_ahead_ = false;
  std::string brackets_;            // those that are open; kBlock for the brace of a block
  std::vector<Token::Part> parts_;  // those of the string that is read
  LexResult result_;
};

}  // namespace

LexResult LexRuby(std::string_view text, Place begin, std::string brackets) {
  return Lexer(text, begin, std::move(brackets)).Run();
}

}  // namespace vaquita::shell
