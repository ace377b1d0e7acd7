#include "tools/shell/statement_lines.h"

#include <set>

namespace vaquita::shell {
namespace {

using Kind = Token::Kind;

constexpr size_t kLongText = 2 << 10;

bool IsWord(const Token& token, const std::set<std::string>& words) {
  return token.kind == Kind::kIdentifier && words.contains(token.text);
}

bool Opens(const Token& token) { return token.Is("(") || token.Is("[") || token.Is("{"); }
bool Closes(const Token& token) { return token.Is(")") || token.Is("]") || token.Is("}"); }

// Returns whether a keyword behind this token begins an expression: an `if` behind others is a modifier, or a method's
// name.
bool BeginsExpressionAfter(const Token& token) {
  static const std::set<std::string> kWords = {"then", "else", "do"};
  if (token.kind == Kind::kEnd || IsWord(token, kWords)) return true;
  return token.kind == Kind::kPunctuation && !Closes(token) && token.text != "." && token.text != "::";
}

}  // namespace

void StatementLines::Add(const std::string& line) {
  text_ += line + "\n";
  const bool may_end = MayEnd(line);
  if (!is_enclosed_ || text_.size() >= 2 * read_bytes_ || may_end) ReadNow();
}

void StatementLines::ReadNow() {
  ++times_read_;
  read_ = ReadRuby(text_);
  read_bytes_ = text_.size();
  least_brackets_ = read_.brackets.size();
  words_ = 0;
  is_enclosed_ = read_.state == ReadResult::State::kIncomplete && text_.size() >= kLongText &&
                 ReadRuby(text_ + "nil\n").state == ReadResult::State::kIncomplete;
}

// Returns whether the line may end what encloses it: a string, brackets, or words up to `end`.
bool StatementLines::MayEnd(const std::string& line) {
  const bool begins = begins_;
  begins_ = false;
  if (read_.open_string != 0) return line.find(read_.open_string) != std::string::npos;
  const LexResult lexed = LexRuby(line + "\n", Place(), read_.brackets);
  if (!lexed.error.empty() || lexed.open_string != 0 || lexed.open_line) return true;
  const Token& first = lexed.tokens.front();
  if (first.Is("{")) return true;  // the end of the line before decides whether it begins a block
  const bool is_blank = first.kind == Kind::kEndOfText || (first.kind == Kind::kEnd && lexed.tokens.size() == 2);
  const bool may_end = CountWords(lexed, begins && !first.Is("."));
  begins_ = is_blank ? begins : lexed.tokens[lexed.tokens.size() - 2].kind == Kind::kEnd;
  read_.brackets = lexed.brackets;
  return may_end;
}

// Counts what surely wants an `end`, and each `end`. A word too few makes the text be read once too often; a word too
// many would hide the statement's end. Returns whether something that was open when the text was read may be closed.
bool StatementLines::CountWords(const LexResult& lexed, bool begins) {
  static const std::set<std::string> kOpening = {"if", "unless", "while", "until", "for", "begin", "case", "def"};
  static const std::set<std::string> kLoops = {"while", "until", "for"};
  bool may_end = false;
  bool opens = begins;     // a keyword here begins an expression
  bool do_opens = begins;  // a `do` here is a block's: it may be that of a loop before it, in this line or another
  size_t brackets = read_.brackets.size();
  const size_t brackets_before = brackets;
  for (const Token& token : lexed.tokens) {
    if (Opens(token)) ++brackets;
    if (Closes(token) && brackets > 0) --brackets;
    if (opens && IsWord(token, kOpening)) ++words_;
    if (do_opens && IsWord(token, {"do"})) ++words_;
    const bool is_end = IsWord(token, {"end"});
    if (is_end) --words_;
    if (is_end || IsWord(token, kLoops) || brackets < brackets_before) do_opens = false;
    may_end |= words_ < 0 || brackets < least_brackets_;
    opens = BeginsExpressionAfter(token);
  }
  return may_end;
}

}  // namespace vaquita::shell
