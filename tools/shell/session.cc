#include "tools/shell/session.h"

#include <algorithm>

#include "absl/strings/str_format.h"
#include "tools/shell/statement_lines.h"

namespace vaquita::shell {

std::string Prompt(int line, const ReadResult& read) {
  const bool goes_on = read.state == ReadResult::State::kIncomplete;
  return absl::StrFormat("hbase:%03d:%d%c ", line, goes_on ? read.brackets.size() : 0,
                         goes_on ? read.continuation : '>');
}

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
    if (!ok && stop_on_error) return {.exit_code = 1};
    if (!next) return {};
    lines.Clear();
  }
}

}  // namespace vaquita::shell
