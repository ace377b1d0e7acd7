#include "tools/shell/ruby_reader.h"

#include <optional>
#include <set>

#include "absl/strings/str_cat.h"
#include "tools/shell/ruby_lexer.h"

namespace vaquita::shell {
namespace {

using Kind = Token::Kind;

// Ruby's own words, which cannot be commands.
bool IsKeyword(const std::string& word) {
  static const std::set<std::string> kWords = {
      "def",     "class", "module", "if",    "unless", "while",  "until", "for",    "do",         "end",
      "begin",   "case",  "return", "yield", "lambda", "rescue", "raise", "then",   "else",       "elsif",
      "require", "load",  "eval",   "self",  "and",    "or",     "not",   "import", "java_import"};
  return kWords.contains(word);
}

std::string Describe(const Token& token) {
  if (token.kind == Kind::kEnd || token.kind == Kind::kEndOfText) return "the end of the line";
  if (token.kind == Kind::kValue) return token.value.Inspect();
  return absl::StrCat("'", token.text, token.kind == Kind::kLabel ? ":'" : "'");
}

class Parser {
 public:
  explicit Parser(const std::vector<Token>& tokens) : tokens_(tokens) {}

  // False, with error() and place() set, at the first thing that is not in the language.
  bool Run(std::vector<Statement>* statements) {
    while (true) {
      while (Here().kind == Kind::kEnd) ++at_;
      if (Here().kind == Kind::kEndOfText) return true;
      std::optional<Statement> statement = ReadStatement();
      if (!statement) return false;
      if (Here().kind != Kind::kEnd && Here().kind != Kind::kEndOfText) return Unexpected();
      statements->push_back(*std::move(statement));
    }
  }

  const std::string& error() const { return error_; }
  const Place& place() const { return place_; }
  bool at_end_of_text() const { return Here().kind == Kind::kEndOfText; }

 private:
  const Token& Here(size_t offset = 0) const { return tokens_[std::min(at_ + offset, tokens_.size() - 1)]; }
  bool Fail(std::string error) {
    error_ = std::move(error);
    place_ = Here().place;
    return false;
  }
  bool Unexpected() {
    const Token& token = Here();
    if (token.Is(".")) return Fail("a method call is Ruby that this shell does not run");
    if (token.Is("{")) return Fail("a block is Ruby that this shell does not run");
    if (at_ > 0 && (token.kind == Kind::kValue || token.kind == Kind::kConstant) &&
        tokens_[at_ - 1].kind != Kind::kEnd) {
      return Fail(absl::StrCat("unexpected ", Describe(token), ": a comma before it is missing"));
    }
    return Fail(absl::StrCat("unexpected ", Describe(token)));
  }

  std::optional<Statement> ReadStatement() {
    Statement statement;
    if (Here().kind == Kind::kIdentifier && Here(1).Is("=")) {
      statement.assign_to = Here().text;
      at_ += 2;
    }
    const Token& first = Here();
    const bool is_call =
        first.kind == Kind::kIdentifier && first.text != "nil" && first.text != "true" && first.text != "false";
    if (is_call) {
      std::optional<Call> call = ReadCall();
      if (!call) return std::nullopt;
      statement.action = *std::move(call);
    } else {
      std::optional<Expression> expression = ReadExpression();
      if (!expression) return std::nullopt;
      statement.action = *std::move(expression);
    }
    return statement;
  }

  std::optional<Call> ReadCall() {
    Call call;
    if (IsKeyword(Here().text)) {
      Fail(absl::StrCat("'", Here().text, "' is Ruby that this shell does not run"));
      return std::nullopt;
    }
    call.command = Here().text;
    ++at_;
    if (Here().Is(".") && Here(1).kind == Kind::kIdentifier) {
      call.receiver = std::move(call.command);
      call.command = Here(1).text;
      at_ += 2;
    }
    if (Here().Is("{")) {
      Unexpected();
      return std::nullopt;
    }
    const bool parentheses = Here().Is("(");
    if (parentheses) ++at_;
    if (!ReadArguments(parentheses, &call.arguments)) return std::nullopt;
    return call;
  }

  bool AtEndOfArguments(bool parentheses) const {
    return parentheses ? Here().Is(")") : Here().kind == Kind::kEnd || Here().kind == Kind::kEndOfText;
  }

  // Arguments up to the end of the statement or to the closing parenthesis. Pairs without braces are one last hash.
  bool ReadArguments(bool parentheses, std::vector<Expression>* arguments) {
    Expression pairs{.kind = Expression::Kind::kHash};
    while (!AtEndOfArguments(parentheses)) {
      if (!ReadArgument(arguments, &pairs)) return false;
      if (Here().Is(",")) {
        ++at_;
        if (AtEndOfArguments(parentheses) && !parentheses) return Unexpected();
      } else if (!AtEndOfArguments(parentheses)) {
        return Unexpected();
      }
    }
    if (parentheses) ++at_;
    if (!pairs.items.empty()) arguments->push_back(std::move(pairs));
    return true;
  }

  bool ReadArgument(std::vector<Expression>* arguments, Expression* pairs) {
    if (Here().kind == Kind::kLabel) return ReadPair(&pairs->items);
    const size_t start = at_;
    std::optional<Expression> value = ReadExpression();
    if (!value) return false;
    if (Here().Is("=>")) {
      at_ = start;
      return ReadPair(&pairs->items);
    }
    if (!pairs->items.empty()) {
      at_ = start;
      return Fail(absl::StrCat("unexpected ", Describe(Here()), ": a value cannot follow key => value without braces"));
    }
    arguments->push_back(*std::move(value));
    return true;
  }

  // `key => value` or `key: value`, whose key is a symbol.
  bool ReadPair(std::vector<Expression>* items) {
    if (Here().kind == Kind::kLabel) {
      items->push_back({.literal = Value(Symbol{Here().text})});
      ++at_;
    } else {
      std::optional<Expression> key = ReadExpression();
      if (!key) return false;
      if (!Here().Is("=>")) return Unexpected();
      ++at_;
      items->push_back(*std::move(key));
    }
    std::optional<Expression> value = ReadExpression();
    if (!value) return false;
    items->push_back(*std::move(value));
    return true;
  }

  std::optional<Expression> ReadExpression() {
    const Token& token = Here();
    if (token.Is("[")) return ReadArray();
    if (token.Is("{")) return ReadHash();
    Expression expression;
    switch (token.kind) {
      case Kind::kValue:
        expression.literal = token.value;
        break;
      case Kind::kConstant:
        expression.kind = Expression::Kind::kConstant;
        expression.name = token.text;
        break;
      case Kind::kIdentifier:
        if (!ReadWord(token.text, &expression)) return std::nullopt;
        break;
      default:
        Unexpected();
        return std::nullopt;
    }
    ++at_;
    return expression;
  }

  bool ReadWord(const std::string& word, Expression* expression) {
    if (word == "nil") return true;
    if (word == "true" || word == "false") {
      expression->literal = Value(word == "true");
      return true;
    }
    if (IsKeyword(word)) return Fail(absl::StrCat("'", word, "' is Ruby that this shell does not run"));
    expression->kind = Expression::Kind::kVariable;
    expression->name = word;
    return true;
  }

  std::optional<Expression> ReadArray() {
    Expression array{.kind = Expression::Kind::kArray};
    ++at_;
    while (!Here().Is("]")) {
      std::optional<Expression> item = ReadExpression();
      if (!item) return std::nullopt;
      array.items.push_back(*std::move(item));
      if (!ReadSeparator("]")) return std::nullopt;
    }
    ++at_;
    return array;
  }

  std::optional<Expression> ReadHash() {
    Expression hash{.kind = Expression::Kind::kHash};
    ++at_;
    while (!Here().Is("}")) {
      if (!ReadPair(&hash.items) || !ReadSeparator("}")) return std::nullopt;
    }
    ++at_;
    return hash;
  }

  // A comma, which the closing bracket may follow, or that bracket itself, which is left.
  bool ReadSeparator(std::string_view close) {
    if (Here().Is(",")) {
      ++at_;
      return true;
    }
    return Here().Is(close) || Unexpected();
  }

  const std::vector<Token>& tokens_;
  size_t at_ = 0;
  std::string error_;
  Place place_;
};

// Returns whether the text only ends too early.
bool IsIncomplete(const LexResult& lexed, const Parser& parser, bool parsed) {
  if (!lexed.error.empty()) return false;
  if (lexed.open_string != 0 || lexed.open_line) return true;
  return !parsed && parser.at_end_of_text();
}

}  // namespace

ReadResult ReadRuby(std::string_view text) {
  const LexResult lexed = LexRuby(text);
  ReadResult result;
  result.open_brackets = lexed.open_brackets;
  Parser parser(lexed.tokens);
  const bool parsed = parser.Run(&result.statements);
  if (IsIncomplete(lexed, parser, parsed)) {
    result.state = ReadResult::State::kIncomplete;
    if (lexed.open_string != 0) result.continuation = lexed.open_string;
  } else if (!parsed && !(parser.at_end_of_text() && !lexed.error.empty())) {
    result.state = ReadResult::State::kError;
    result.error = parser.error();
    result.place = parser.place();
  } else if (!lexed.error.empty()) {
    result.state = ReadResult::State::kError;
    result.error = lexed.error;
    result.place = lexed.place;
  }
  return result;
}

}  // namespace vaquita::shell
