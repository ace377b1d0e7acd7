#include "tools/shell/ruby_reader.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <set>
#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"
#include "base/nesting.h"
#include "tools/shell/ruby_lexer.h"
#include "tools/shell/ruby_words.h"

namespace vaquita::shell {
namespace {

using Kind = Token::Kind;
using Expressions = std::vector<Expression>;
using Node = Expression::Kind;

constexpr int kDeepest = 300;  // statements and expressions within each other
// With operators, calls and branches that follow one another. The evaluator goes no deeper.
constexpr int kHighest = 400;

std::string Describe(const Token& token) {
  if (token.kind == Kind::kEnd || token.kind == Kind::kEndOfText) return "the end of the line";
  if (token.kind == Kind::kValue || token.kind == Kind::kWords) return token.value.Inspect();
  if (token.kind == Kind::kText) return "a string";
  return absl::StrCat("'", token.text, token.kind == Kind::kLabel ? ":'" : "'");
}

// Returns the number without its sign; nullopt if the value is no negative number, or the least of all.
std::optional<Value> PositiveOf(const Value& value) {
  const int64_t* integer = value.AsInteger();
  if (integer != nullptr && *integer < 0 && *integer >= -std::numeric_limits<int64_t>::max()) return Value(-*integer);
  const double* number = std::get_if<double>(&value.kind);
  return number != nullptr && std::signbit(*number) ? std::optional(Value(-*number)) : std::nullopt;
}

int Precedence(const Token& token) { return token.kind == Kind::kPunctuation ? PrecedenceOf(token.text) : 0; }

class Parser {
 public:
  // `nesting` is the whole text's, also where the tokens are code in a string.
  Parser(const std::vector<Token>& tokens, Nesting* nesting) : tokens_(tokens), nesting_(*nesting) {}

  // False, with error() and place() set, at the first thing that is not in the language.
  bool Run(Expressions* statements) { return ReadStatements({}, statements); }

  const std::string& error() const { return error_; }
  const Place& place() const { return place_; }
  bool at_end_of_text() const { return Here().kind == Kind::kEndOfText; }

 private:
  using Result = std::optional<Expression>;

  const Token& Here(size_t offset = 0) const { return tokens_[std::min(at_ + offset, tokens_.size() - 1)]; }
  bool HereIs(const char* word) const { return Here().kind == Kind::kIdentifier && Here().text == word; }
  bool AtEnd() const { return Here().kind == Kind::kEnd || Here().kind == Kind::kEndOfText; }
  bool Take(std::string_view punctuation) {
    if (!Here().Is(punctuation)) return false;
    ++at_;
    return true;
  }
  bool TakeWord(const char* word) {
    if (!HereIs(word)) return false;
    ++at_;
    return true;
  }
  void SkipEnds() {
    while (Here().kind == Kind::kEnd) ++at_;
  }
  bool Fail(std::string error) {
    if (!error_.empty()) return false;
    error_ = std::move(error);
    place_ = Here().place;
    return false;
  }
  Result None(std::string error) {
    Fail(std::move(error));
    return std::nullopt;
  }
  bool Unexpected() {
    const Token& token = Here();
    const bool value = token.kind == Kind::kValue || token.kind == Kind::kConstant || token.kind == Kind::kText;
    if (at_ > 0 && value && tokens_[at_ - 1].kind != Kind::kEnd) {
      return Fail(absl::StrCat("unexpected ", Describe(token), ": a comma before it is missing"));
    }
    return Fail(absl::StrCat("unexpected ", Describe(token)));
  }
  bool FailIfTooDeep() { return !nesting_.IsTooDeep() || Fail("this is nested too deeply"); }
  // Counts an operator, a call or a branch that takes what was read before it.
  bool Link() {
    nesting_.Link();
    return FailIfTooDeep();
  }
  Result NoneUnexpected() {
    Unexpected();
    return std::nullopt;
  }
  bool Expect(std::string_view punctuation) { return Take(punctuation) || Unexpected(); }
  bool ExpectWord(const char* word) { return TakeWord(word) || Unexpected(); }
  template <typename... Items>
  Expression Make(Node kind, Items... items) const {
    Expression made{.kind = kind};
    (made.items.push_back(std::move(items)), ...);
    made.place = Here().place;
    return made;
  }

  // --- Statements

  bool AtWord(const std::set<std::string>& words) const {
    return Here().kind == Kind::kIdentifier && words.contains(Here().text);
  }

  // Reads up to one of the words, or of the punctuation } and ), which is left; up to the end of the text if there are
  // none.
  bool ReadStatements(const std::set<std::string>& ends, Expressions* statements) {
    while (true) {
      SkipEnds();
      if (ends.empty() && Here().kind == Kind::kEndOfText) return true;
      if (!ends.empty() && (AtWord(ends) || (Here().kind == Kind::kPunctuation && ends.contains(Here().text)))) {
        return true;
      }
      Result statement = ReadStatement();
      if (!statement) return false;
      const bool closes = !ends.empty() && (AtWord(ends) || ends.contains(Here().text));
      if (!AtEnd() && !closes) return Unexpected();
      if (!ends.empty() && Here().kind == Kind::kEndOfText) return Unexpected();
      statements->push_back(*std::move(statement));
    }
  }
  Result ReadBody(const std::set<std::string>& ends) {
    Expression body = Make(Node::kSequence);
    if (!ReadStatements(ends, &body.items)) return std::nullopt;
    return body;
  }

  Result ReadStatement() {
    const Nesting::Level level(&nesting_);
    if (!FailIfTooDeep()) return std::nullopt;
    Result statement = ReadWords();
    while (statement) {
      const bool negated = HereIs("unless") || HereIs("until");
      const bool loop = HereIs("while") || HereIs("until");
      if (!loop && !HereIs("if") && !HereIs("unless")) break;
      if (!Link()) return std::nullopt;
      ++at_;
      Result condition = ReadWords();
      if (!condition) return std::nullopt;
      if (loop) {
        const bool body_first = statement->kind == Node::kBegin;
        statement = Make(negated ? Node::kUntil : Node::kWhile, *std::move(condition), *std::move(statement));
        if (body_first) statement->name = "begin";
      } else {
        Expression nothing = Make(Node::kSequence);
        if (negated) condition = Make(Node::kNot, *std::move(condition));
        statement = Make(Node::kIf, *std::move(condition), *std::move(statement), std::move(nothing));
      }
    }
    return statement;
  }

  // `and`, `or` and `not` bind looser than everything else.
  Result ReadWords() {
    Result left = ReadNot();
    while (left && (HereIs("and") || HereIs("or"))) {
      if (!Link()) return std::nullopt;
      const bool both = HereIs("and");
      ++at_;
      SkipEnds();
      Result right = ReadNot();
      if (!right) return std::nullopt;
      left = Make(both ? Node::kAnd : Node::kOr, *std::move(left), *std::move(right));
    }
    return left;
  }
  Result ReadNot() {
    if (!TakeWord("not")) return ReadExpression(/*commands=*/true);
    const Nesting::Level level(&nesting_);
    if (!FailIfTooDeep()) return std::nullopt;
    Result operand = ReadNot();
    if (!operand) return std::nullopt;
    return Make(Node::kNot, *std::move(operand));
  }

  // --- Expressions. With `commands`, a call may have arguments without parentheses.

  Result ReadExpression(bool commands) {
    const Nesting::Level level(&nesting_);
    if (!FailIfTooDeep()) return std::nullopt;
    Result left = ReadTernary(commands);
    if (!left) return std::nullopt;
    const bool constant = left->kind == Node::kConstant;
    const bool variable = constant || (left->kind == Node::kCall && !left->has_receiver && left->items.empty() &&
                                       !left->parentheses && !left->block);
    const bool element = left->kind == Node::kCall && left->name == "[]" && left->items.size() == 2;
    if (!variable && !element) return left;
    static const std::set<std::string> kOperators = {"+=", "-=", "*=", "/=", "%=", "||=", "&&="};
    const Token& token = Here();
    const bool changes = token.kind == Kind::kPunctuation && kOperators.contains(token.text);
    if (!token.Is("=") && !changes) return left;
    ++at_;
    Result value = ReadExpression(/*commands=*/true);
    if (!value) return std::nullopt;
    const std::string op = token.text.substr(0, token.text.size() - 1);
    if (changes && variable) value = Changed(*left, op, *std::move(value));
    Expression assign = Make(variable ? Node::kAssign : changes ? Node::kElementChange : Node::kElementAssign);
    assign.place = left->place;
    if (variable) {
      assign.name = left->name;
    } else {
      assign.name = op;
      assign.items = std::move(left->items);
    }
    assign.items.push_back(*std::move(value));
    return assign;
  }
  // Returns what a variable is set to. An element's tree is not copied here: each level of a[a[...] += 1] += 1 would
  // double it.
  Expression Changed(const Expression& variable, const std::string& op, Expression value) {
    Expression left = variable;
    if (op == "||" || op == "&&") {
      Expression changed = Make(op == "||" ? Node::kOr : Node::kAnd, std::move(left), std::move(value));
      changed.name = "=";  // a variable that is not there is nil
      return changed;
    }
    return Operator(op, std::move(left), std::move(value));
  }
  Expression Operator(const std::string& op, Expression left, Expression right) {
    if (op == "&&" || op == "||") return Make(op == "&&" ? Node::kAnd : Node::kOr, std::move(left), std::move(right));
    const Place place = left.place;
    Expression made = Make(op == ".." || op == "..." ? Node::kRange : Node::kCall, std::move(left), std::move(right));
    made.name = op;
    made.place = place;
    made.has_receiver = made.kind == Node::kCall;
    if (op != "!=") return made;
    made.name = "==";
    return Make(Node::kNot, std::move(made));
  }

  Result ReadTernary(bool commands) {
    Result condition = ReadBinary(1, commands);
    if (!condition || !Here().Is("?")) return condition;
    const Nesting::Level level(&nesting_);
    if (!FailIfTooDeep()) return std::nullopt;
    ++at_;
    Result yes = ReadTernary(/*commands=*/false);
    if (!yes || !Expect(":")) return std::nullopt;
    Result no = ReadTernary(/*commands=*/false);
    if (!no) return std::nullopt;
    return Make(Node::kIf, *std::move(condition), *std::move(yes), *std::move(no));
  }

  Result ReadBinary(int least, bool commands) {
    const Nesting::Level level(&nesting_);
    if (!FailIfTooDeep()) return std::nullopt;
    Result left = ReadUnary(commands);
    while (left) {
      const int precedence = Precedence(Here());
      if (precedence < least || precedence == 0 || in_parameters_) break;
      if (!Link()) return std::nullopt;
      const std::string op = Here().text;
      ++at_;
      Result right = ReadBinary(op == "**" ? precedence : precedence + 1, /*commands=*/false);
      if (!right) return std::nullopt;
      left = Operator(op, *std::move(left), *std::move(right));
    }
    return left;
  }

  // A minus binds looser than **, also that of a number: -2 ** 2 is -4.
  Result ReadUnary(bool commands) {
    const bool is_power = Here().kind == Kind::kValue && Here(1).Is("**");
    const std::optional<Value> positive = is_power ? PositiveOf(Here().value) : std::nullopt;
    if (!Here().Is("!") && !Here().Is("-") && !positive) return ReadPostfix(commands);
    const Nesting::Level level(&nesting_);
    if (!FailIfTooDeep()) return std::nullopt;
    const bool is_not = Here().Is("!");
    ++at_;
    Result operand = positive ? ReadPower(*positive)
                     : is_not ? ReadUnary(/*commands=*/false)
                              : ReadBinary(PrecedenceOf("**"), /*commands=*/false);
    if (!operand) return std::nullopt;
    if (is_not) return Make(Node::kNot, *std::move(operand));
    Expression zero = Make(Node::kLiteral);
    zero.literal = Value(int64_t{0});
    return Operator("-", std::move(zero), *std::move(operand));
  }
  // Reads the ** here and its right side.
  Result ReadPower(const Value& base) {
    Expression left = Make(Node::kLiteral);
    left.literal = base;
    ++at_;
    Result right = ReadBinary(PrecedenceOf("**"), /*commands=*/false);
    if (!right) return std::nullopt;
    return Operator("**", std::move(left), *std::move(right));
  }

  // A value with methods, elements and blocks after it.
  Result ReadPostfix(bool commands) {
    Result value = ReadPrimary(commands);
    while (value) {
      if (Here().Is(".") && (Here(1).kind == Kind::kIdentifier || Here(1).kind == Kind::kConstant)) {
        if (!Link()) return std::nullopt;
        Expression call = Make(Node::kCall, *std::move(value));
        ++at_;
        call.place = Here().place;
        call.name = Here().text;
        call.has_receiver = true;
        ++at_;
        value = ReadArgumentsAndBlock(std::move(call), commands);
      } else if (Here().Is("::") && (Here(1).kind == Kind::kConstant || Here(1).kind == Kind::kIdentifier)) {
        if (value->kind != Node::kConstant) return NoneUnexpected();
        value->name += "::" + Here(1).text;
        at_ += 2;
      } else if (Here().Is("[") && !Here().space_before) {
        if (!Link()) return std::nullopt;
        Expression call = Make(Node::kCall, *std::move(value));
        call.name = "[]";
        call.has_receiver = true;
        ++at_;
        if (!ReadArguments("]", &call.items)) return std::nullopt;
        value = std::move(call);
      } else {
        break;
      }
    }
    return value;
  }

  Result ReadPrimary(bool commands) {
    const Token& token = Here();
    if (token.Is("[")) return ReadArray();
    if (token.Is("{")) return ReadHash();
    if (token.Is("(")) return ReadParentheses();
    Expression made = Make(Node::kLiteral);
    switch (token.kind) {
      case Kind::kValue:
      case Kind::kWords:
        made.literal = token.value;
        ++at_;
        return made;
      case Kind::kText:
        return ReadText(token);
      case Kind::kConstant:
        made.kind = Node::kConstant;
        made.name = token.text;
        ++at_;
        if (!Here().Is("(") || Here().space_before) return made;
        made.kind = Node::kCall;  // Integer('5')
        return ReadArgumentsAndBlock(std::move(made), commands);
      case Kind::kIdentifier:
        return ReadWord(commands);
      default:
        return NoneUnexpected();
    }
  }

  Result ReadText(const Token& token) {
    Expression text = Make(Node::kText);
    for (const Token::Part& part : token.parts) {
      if (!part.code) {
        Expression literal = Make(Node::kLiteral);
        literal.literal = Value(part.text);
        text.items.push_back(std::move(literal));
        continue;
      }
      const LexResult lexed = LexRuby(part.text, part.place);
      Parser parser(lexed.tokens, &nesting_);
      Expression code = Make(Node::kSequence);
      const bool read = parser.Run(&code.items);
      if (!read || !lexed.error.empty() || lexed.open_string != 0) {
        Fail(!lexed.error.empty() ? lexed.error : read ? "a string in #{...} does not end" : parser.error());
        place_ = !lexed.error.empty() ? lexed.place : parser.place();
        return std::nullopt;
      }
      text.items.push_back(std::move(code));
    }
    ++at_;
    return text;
  }

  Result ReadParentheses() {
    ++at_;
    Result body = ReadBody({")"});
    if (!body || !Expect(")")) return std::nullopt;
    if (body->items.size() == 1) return std::move(body->items[0]);
    return body;
  }

  // --- Words: keywords, variables and calls

  Result ReadWord(bool commands) {
    const std::string word = Here().text;
    if (IsKeyword(word)) {
      if (!BeginsExpression(word)) return None(absl::StrCat("'", word, "' is Ruby that this shell does not run"));
      return ReadKeyword(word);
    }
    Expression call = Make(Node::kCall);
    call.name = word;
    ++at_;
    return ReadArgumentsAndBlock(std::move(call), commands);
  }

  // Returns whether the tokens from here on can be arguments without parentheses.
  bool BeginsArguments() const {
    const Token& token = Here();
    if (!token.space_before) return false;
    switch (token.kind) {
      case Kind::kValue:
      case Kind::kWords:
      case Kind::kText:
      case Kind::kConstant:
      case Kind::kLabel:
        return true;
      case Kind::kIdentifier: {
        static const std::set<std::string> kValues = {"nil", "true", "false", "not"};
        return !IsKeyword(token.text) || kValues.contains(token.text);
      }
      case Kind::kPunctuation:
        // A '-' or '*' that touches what follows would be a sign; the lexer has read signs of numbers already.
        return token.text == "(" || token.text == "[" || (token.text == "{" && !token.block) || token.text == "!" ||
               (token.text == "-" && !Here(1).space_before);
      default:
        return false;
    }
  }

  // Returns whether the parentheses here, with a space before them, hold a call's arguments, as in `put ('t', 'r')`.
  // Else they begin its first argument, as Ruby reads it: `puts (1 + 2) * 3`.
  bool HoldsArguments(const Expression& call, bool commands) const {
    if (!commands) return !call.has_receiver;
    int open = 0;
    for (size_t i = 0; i == 0 || open > 0; ++i) {
      const Token& token = Here(i);
      if (token.kind == Kind::kEndOfText) return false;
      if (token.Is("(") || token.Is("[") || token.Is("{")) ++open;
      if (token.Is(")") || token.Is("]") || token.Is("}")) --open;
      if (open == 1 && (token.Is(",") || token.Is("=>") || token.kind == Kind::kLabel)) return true;
    }
    return Here(1).Is(")");  // none: `list ()`
  }

  Result ReadArgumentsAndBlock(Expression call, bool commands) {
    if (Here().Is("(") && (!Here().space_before || HoldsArguments(call, commands))) {
      ++at_;
      call.parentheses = true;
      if (!ReadArguments(")", &call.items)) return std::nullopt;
    } else if (commands && BeginsArguments()) {
      call.parentheses = true;
      if (!ReadArguments("", &call.items)) return std::nullopt;
    }
    if (Here().Is("{") && Here().block) return ReadBlock(std::move(call), "}");
    if (HereIs("do") && !in_condition_) return ReadBlock(std::move(call), "end");
    return call;
  }

  bool AtEndOfArguments(std::string_view close) const {
    if (!close.empty()) return Here().Is(close);
    static const std::set<std::string> kModifiers = {"if",   "unless", "while", "until", "do",   "and",    "or",
                                                     "then", "end",    "else",  "elsif", "when", "rescue", "ensure"};
    return AtEnd() || AtWord(kModifiers) || Here().Is("}") || Here().Is(")") || Here().Is("]") || Here().Is("?") ||
           (Here().Is("{") && Here().block);
  }

  // Reads arguments up to `close`, or, if that is empty, to the end of the statement. Pairs without braces are one last
  // hash.
  bool ReadArguments(std::string_view close, Expressions* arguments) {
    Expression pairs = Make(Node::kHash);
    while (!AtEndOfArguments(close)) {
      if (!ReadArgument(arguments, &pairs)) return false;
      if (Here().Is(",")) {
        ++at_;
        if (close.empty() && AtEndOfArguments(close)) return Unexpected();
      } else if (!AtEndOfArguments(close)) {
        return Unexpected();
      }
    }
    if (!close.empty()) ++at_;
    if (!pairs.items.empty()) arguments->push_back(std::move(pairs));
    return true;
  }

  bool ReadArgument(Expressions* arguments, Expression* pairs) {
    if (Here().kind == Kind::kLabel) return ReadPair(&pairs->items);
    const size_t start = at_;
    Result value = ReadExpression(/*commands=*/false);
    if (!value) return false;
    if (Take("=>")) return FinishPair(*std::move(value), &pairs->items);
    if (!pairs->items.empty()) {
      at_ = start;
      return Fail(absl::StrCat("unexpected ", Describe(Here()), ": a value cannot follow key => value without braces"));
    }
    arguments->push_back(*std::move(value));
    return true;
  }

  // `key => value` or `key: value`, whose key is a symbol.
  bool ReadPair(Expressions* items) {
    if (Here().kind == Kind::kLabel) {
      Expression key = Make(Node::kLiteral);
      key.literal = Value(Symbol{Here().text});
      ++at_;
      return FinishPair(std::move(key), items);
    }
    Result key = ReadExpression(/*commands=*/false);
    return key && Expect("=>") && FinishPair(*std::move(key), items);
  }
  bool FinishPair(Expression key, Expressions* items) {
    Result value = ReadExpression(/*commands=*/false);
    if (!value) return false;
    items->push_back(std::move(key));
    items->push_back(*std::move(value));
    return true;
  }

  Result ReadArray() {
    Expression array = Make(Node::kArray);
    ++at_;
    if (!ReadArguments("]", &array.items)) return std::nullopt;
    return array;
  }

  Result ReadHash() {
    Expression hash = Make(Node::kHash);
    ++at_;
    while (!Here().Is("}")) {
      if (!ReadPair(&hash.items)) return std::nullopt;
      if (!Take(",") && !Here().Is("}")) return NoneUnexpected();
    }
    ++at_;
    return hash;
  }

  // --- Blocks

  // Reads the block that begins here, up to `close`.
  Result ReadBlock(Expression call, const char* close) {
    ++at_;
    auto block = std::make_shared<Block>();
    const bool in_condition = std::exchange(in_condition_, false);
    if (Take("|") && !ReadParameters("|", &block->parameters)) return std::nullopt;
    Result body = ReadBody({close});
    in_condition_ = in_condition;
    if (!body) return std::nullopt;
    ++at_;
    block->body = *std::move(body);
    call.block = std::move(block);
    return call;
  }

  bool ReadParameters(std::string_view close, std::vector<Parameter>* parameters) {
    while (!Here().Is(close)) {
      Parameter parameter{.rest = Take("*")};
      if (Here().kind != Kind::kIdentifier || IsKeyword(Here().text)) return Unexpected();
      parameter.name = Here().text;
      ++at_;
      if (Take("=")) {
        const bool outer = std::exchange(in_parameters_, close == "|");
        Result initial = ReadExpression(/*commands=*/false);
        in_parameters_ = outer;
        if (!initial) return false;
        parameter.initial.push_back(*std::move(initial));
      }
      parameters->push_back(std::move(parameter));
      if (!Take(",") && !Here().Is(close)) return Unexpected();
    }
    ++at_;
    return true;
  }

  // --- Keywords

  Result ReadKeyword(const std::string& word) {
    const Nesting::Level level(&nesting_);
    if (!FailIfTooDeep()) return std::nullopt;
    ++at_;
    if (word == "if" || word == "unless") return ReadIf(word == "unless");
    if (word == "while" || word == "until") return ReadLoop(word == "until");
    if (word == "for") return ReadFor();
    if (word == "begin") return ReadBegin();
    if (word == "case") return ReadCase();
    if (word == "def") return ReadDef();
    Expression made = Make(Node::kLiteral);
    if (word == "nil") return made;
    if (word == "true" || word == "false") {
      made.literal = Value(word == "true");
      return made;
    }
    made.kind = word == "yield"    ? Node::kYield
                : word == "return" ? Node::kReturn
                : word == "break"  ? Node::kBreak
                                   : Node::kNext;
    if (word == "yield" && Here().Is("(") && (!Here().space_before || HoldsArguments(made, /*commands=*/true))) {
      ++at_;
      if (!ReadArguments(")", &made.items)) return std::nullopt;
    } else if (!AtEndOfArguments("")) {
      if (!ReadArguments("", &made.items)) return std::nullopt;
    }
    return made;
  }

  Result ReadCondition() {
    const bool outer = std::exchange(in_condition_, true);
    Result condition = ReadWords();
    in_condition_ = outer;
    return condition;
  }

  Result ReadIf(bool negated) {
    Result condition = ReadCondition();
    if (!condition) return std::nullopt;
    if (negated) condition = Make(Node::kNot, *std::move(condition));
    TakeWord("then");
    Result yes = ReadBody({"elsif", "else", "end"});
    if (!yes) return std::nullopt;
    Expression no = Make(Node::kSequence);
    if (TakeWord("elsif")) {
      const Nesting::Level level(&nesting_);
      if (!FailIfTooDeep()) return std::nullopt;
      Result rest = ReadIf(/*negated=*/false);
      if (!rest) return std::nullopt;
      return Make(Node::kIf, *std::move(condition), *std::move(yes), *std::move(rest));
    }
    if (TakeWord("else")) {
      Result rest = ReadBody({"end"});
      if (!rest) return std::nullopt;
      no = *std::move(rest);
    }
    if (!ExpectWord("end")) return std::nullopt;
    return Make(Node::kIf, *std::move(condition), *std::move(yes), std::move(no));
  }

  Result ReadLoop(bool until) {
    Result condition = ReadCondition();
    if (!condition) return std::nullopt;
    TakeWord("do");
    Result body = ReadBody({"end"});
    if (!body || !ExpectWord("end")) return std::nullopt;
    return Make(until ? Node::kUntil : Node::kWhile, *std::move(condition), *std::move(body));
  }

  Result ReadFor() {
    if (Here().kind != Kind::kIdentifier) return NoneUnexpected();
    Expression loop = Make(Node::kFor);
    loop.name = Here().text;
    ++at_;
    if (!ExpectWord("in")) return std::nullopt;
    Result items = ReadCondition();
    if (!items) return std::nullopt;
    TakeWord("do");
    Result body = ReadBody({"end"});
    if (!body || !ExpectWord("end")) return std::nullopt;
    loop.items.push_back(*std::move(items));
    loop.items.push_back(*std::move(body));
    return loop;
  }

  Result ReadBegin() {
    Expression begin = Make(Node::kBegin);
    Result body = ReadBody({"rescue", "ensure", "end"});
    if (!body) return std::nullopt;
    begin.items.push_back(*std::move(body));
    if (HereIs("ensure")) return None("'ensure' is Ruby that this shell does not run");
    if (TakeWord("rescue")) {
      while (Here().kind == Kind::kConstant || Here().Is("::") || Here().Is(",")) ++at_;  // catches all errors
      if (Take("=>")) {
        begin.name = Here().text;
        ++at_;
      }
      TakeWord("then");
      Result rescue = ReadBody({"end"});
      if (!rescue) return std::nullopt;
      begin.items.push_back(*std::move(rescue));
    }
    if (!ExpectWord("end")) return std::nullopt;
    return begin;
  }

  Result ReadCase() {
    Expression made = Make(Node::kCase);
    Result subject = ReadCondition();
    if (!subject) return std::nullopt;
    made.items.push_back(*std::move(subject));
    SkipEnds();
    while (TakeWord("when")) {
      Expression values = Make(Node::kArray);
      if (!ReadArguments("", &values.items)) return std::nullopt;
      TakeWord("then");
      Result body = ReadBody({"when", "else", "end"});
      if (!body) return std::nullopt;
      made.items.push_back(std::move(values));
      made.items.push_back(*std::move(body));
    }
    Expression otherwise = Make(Node::kSequence);
    if (TakeWord("else")) {
      Result body = ReadBody({"end"});
      if (!body) return std::nullopt;
      otherwise = *std::move(body);
    }
    if (!ExpectWord("end")) return std::nullopt;
    made.items.push_back(std::move(otherwise));
    return made;
  }

  Result ReadDef() {
    if (Here().kind != Kind::kIdentifier || IsKeyword(Here().text)) return NoneUnexpected();
    Expression def = Make(Node::kDef);
    def.name = Here().text;
    ++at_;
    auto method = std::make_shared<Block>();
    if (Take("(")) {
      if (!ReadParameters(")", &method->parameters)) return std::nullopt;
    } else {
      while (Here().kind == Kind::kIdentifier) {
        method->parameters.push_back({.name = Here().text});
        ++at_;
        if (!Take(",")) break;
      }
    }
    Result body = ReadBody({"end"});
    if (!body || !ExpectWord("end")) return std::nullopt;
    method->body = *std::move(body);
    def.block = std::move(method);
    return def;
  }

  const std::vector<Token>& tokens_;
  size_t at_ = 0;
  Nesting& nesting_;
  bool in_condition_ = false;   // where a `do` begins the body of the loop, and no block
  bool in_parameters_ = false;  // where a | ends the parameters
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
  result.brackets = lexed.brackets;
  Nesting nesting(kDeepest, kHighest);
  Parser parser(lexed.tokens, &nesting);
  const bool parsed = parser.Run(&result.statements);
  if (IsIncomplete(lexed, parser, parsed)) {
    result.state = ReadResult::State::kIncomplete;
    result.open_string = lexed.open_string;
    if (lexed.open_string != 0) result.continuation = lexed.open_string == '\'' ? '\'' : '"';
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
