#include "tools/shell/session.h"

#include <algorithm>

#include "absl/strings/str_format.h"

namespace vaquita::shell {
namespace {

std::string Prompt(int line, const ReadResult& open) {
  const bool goes_on = open.state == ReadResult::State::kIncomplete;
  return absl::StrFormat("hbase:%03d:%d%c ", line, goes_on ? open.open_brackets : 0, goes_on ? open.continuation : '>');
}

}  // namespace

SessionEnd RunSession(Input& input, Interpreter& interpreter, bool stop_on_error) {
  interpreter.SetRaises(stop_on_error);
  ReadResult read;
  std::string text;
  int first_line = 1;  // where `text` begins
  for (int line = 1;; ++line) {
    if (text.empty()) first_line = line;
    const std::optional<std::string> next = input.ReadLine(Prompt(line, read));
    if (input.interrupted()) {
      text.clear();
      read = ReadResult();
      continue;
    }
    if (!next && text.empty()) return {};
    text += next.value_or("") + "\n";
    read = ReadRuby(text);
    if (read.state == ReadResult::State::kIncomplete) {
      if (next) continue;
      read.state = ReadResult::State::kError;
      read.place.line = static_cast<int>(std::count(text.begin(), text.end(), '\n'));
      read.error = "the input ends inside brackets, quotes or arguments";
    }
    const bool ok = interpreter.Run(read, first_line);
    if (interpreter.exit_code()) return {.exited = true, .exit_code = *interpreter.exit_code()};
    if (!ok && stop_on_error) return {.failed = true, .exit_code = 1};
    if (!next) return {};
    text.clear();
    read = ReadResult();
  }
}

}  // namespace vaquita::shell
