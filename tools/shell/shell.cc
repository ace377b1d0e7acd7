#include "tools/shell/shell.h"

#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iostream>

#include "base/exit_code.h"
#include "client/connection.h"
#include "tools/connection/open_for_tool.h"
#include "tools/shell/completion.h"
#include "tools/shell/interpreter.h"
#include "tools/shell/session.h"
#include "tools/shell/terminal_input.h"

namespace vaquita::shell {
namespace {

std::string HistoryPath() {
  const char* home = std::getenv("HOME");
  return home == nullptr ? "" : std::string(home) + "/.vaquita_history";
}

// One source of lines for one interpreter, which asks the same source for answers.
class Shell {
 public:
  Shell(std::shared_ptr<client::Connection> connection, const std::string& address, bool stop_on_error)
      : stop_on_error_(stop_on_error),
        interpreter_(std::move(connection), address, &std::cout, 0, [this] { return input_->ReadLine(""); }) {}

  // `path` names the file of `in`; empty: it is the standard input.
  SessionEnd RunStream(std::istream& in, const std::string& path) {
    StreamInput input(&in, &std::cout);
    interpreter_.SetScript(path);
    const SessionEnd end = Run(input);
    interpreter_.SetScript("");
    return end;
  }

  SessionEnd RunTerminal() {
    const auto input = TerminalInput::Open(
        HistoryPath(), [this](bool quoted) { return WordsToComplete(interpreter_.admin(), quoted); });
    interpreter_.SetTerminalWidth(input->Width());
    interpreter_.PrintBanner();
    return Run(*input);
  }

 private:
  SessionEnd Run(Input& input) {
    input_ = &input;
    const SessionEnd end = RunSession(input, interpreter_, stop_on_error_);
    std::cout.flush();
    return end;
  }

  const bool stop_on_error_;
  Input* input_ = nullptr;
  Interpreter interpreter_;
};

}  // namespace

int RunShell(const ShellOptions& options) {
  std::ifstream script;
  if (!options.script_path.empty()) {
    script.open(options.script_path);
    if (!script) {
      std::cerr << "vaquita shell: cannot read " << options.script_path << "\n";
      return kUsageError;
    }
  }
  const auto connection = OpenForTool(options.address);
  if (!connection.ok()) {
    return EndCommand("vaquita shell: no server at " + options.address, connection.status());
  }
  Shell shell(*connection, options.address, options.stop_on_error);
  const bool at_terminal = isatty(STDIN_FILENO) != 0 && isatty(STDOUT_FILENO) != 0;
  SessionEnd end;
  if (!options.script_path.empty()) {
    end = shell.RunStream(script, options.script_path);
    if (script.bad()) {
      std::cerr << "vaquita shell: cannot read " << options.script_path << " to its end\n";
      return 1;
    }
    if (!at_terminal || options.stop_on_error || end.exited) return end.exit_code;
  }
  end = at_terminal ? shell.RunTerminal() : shell.RunStream(std::cin, "");
  return end.exit_code;
}

}  // namespace vaquita::shell
