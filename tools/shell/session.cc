#include "tools/shell/session.h"

#include <algorithm>
#include <cstddef>
#include <string>

#include "absl/strings/str_format.h"
#include "tools/shell/ruby_lexer.h"

namespace vaquita::shell {
namespace {

std::string Prompt(int line, const ReadResult& open) {
  const bool goes_on = open.state == ReadResult::State::kIncomplete;
  return absl::StrFormat("hbase:%03d:%d%c ", line, goes_on ? open.open_brackets : 0, goes_on ? open.continuation : '>');
}

// The lines of one statement. A short text is read anew with each line, so that an error shows at once. A long one is
// read again when it has doubled, and with each line that may end it: else the time would grow with its square.
class StatementLines {
 public:
  bool empty() const { return text_.empty(); }
  const std::string& text() const { return text_; }
  const ReadResult& read() const { return read_; }

  void Add(const std::string& line) {
    text_ += line + "\n";
    if (is_enclosed_ && text_.size() < 2 * read_bytes_ && !MayEnd(line)) return;
    ReadNow();
  }
  void ReadNow() {
    read_ = ReadRuby(text_);
    read_bytes_ = text_.size();
    least_brackets_ = read_.open_brackets;
    is_enclosed_ = read_.state == ReadResult::State::kIncomplete && text_.size() >= kLongText &&
                   ReadRuby(text_ + "nil\n").state == ReadResult::State::kIncomplete;
  }
  void Clear() { *this = StatementLines(); }

 private:
  static constexpr size_t kLongText = 2 << 10;

  // Returns whether the line may end what encloses it: a string, brackets, or words up to `end`.
  bool MayEnd(const std::string& line) {
    if (read_.continuation != '*') return line.find_first_of("'\"])}>|!") != std::string::npos;
    const LexResult lexed = LexRuby(line);
    if (!lexed.error.empty() || lexed.open_string != 0 || lexed.open_line) return true;
    for (const Token& token : lexed.tokens) {
      if (token.kind == Token::Kind::kIdentifier && token.text == "end") return true;
      if (token.Is("(") || token.Is("[") || token.Is("{")) ++read_.open_brackets;
      if (token.Is(")") || token.Is("]") || token.Is("}")) --read_.open_brackets;
      if (read_.open_brackets < least_brackets_) return true;
    }
    return false;
  }

  std::string text_;
  ReadResult read_;
  size_t read_bytes_ = 0;     // that read_ is of
  int least_brackets_ = 0;    // that were open then
  bool is_enclosed_ = false;  // a line alone does not end the text
};

}  // namespace

SessionEnd RunSession(Input& input, Interpreter& interpreter, bool stop_on_error) {
  interpreter.SetRaises(stop_on_error);
  StatementLines lines;
  int first_line = 1;  // where they begin
  for (int line = 1;; ++line) {
    if (lines.empty()) first_line = line;
    const std::optional<std::string> next = input.ReadLine(Prompt(line, lines.read()));
    if (input.interrupted()) {
      lines.Clear();
      continue;
    }
    if (!next && lines.empty()) return {};
    lines.Add(next.value_or(""));
    if (!next) lines.ReadNow();
    ReadResult read = lines.read();
    if (read.state == ReadResult::State::kIncomplete) {
      if (next) continue;
      read.state = ReadResult::State::kError;
      read.place.line = static_cast<int>(std::count(lines.text().begin(), lines.text().end(), '\n'));
      read.error = "the input ends inside brackets, quotes or arguments";
    }
    const bool ok = interpreter.Run(read, first_line);
    if (interpreter.exit_code()) return {.exited = true, .exit_code = *interpreter.exit_code()};
    if (!ok && stop_on_error) return {.failed = true, .exit_code = 1};
    if (!next) return {};
    lines.Clear();
  }
}

}  // namespace vaquita::shell
