// tools/shell/interpreter.h: runs the statements that were read: finds the command, keeps variables, prints errors, the
// time taken and the result.
//
// As in HBase's shell, a command's error is printed, and the statement goes on with nil in place of the command's
// value: the next command of a loop or a line runs, and no `rescue` sees the error. In a script that is to end with its
// first error (-n) the command raises it: it ends the statement, or a `rescue` has it.
//
// Source: hbase-shell's shell/commands.rb (command_safe) and irb/hirb.rb (2.6), which print in this form.
// Threads: one.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "client/admin.h"
#include "client/connection.h"
#include "tools/shell/command.h"
#include "tools/shell/formatter.h"
#include "tools/shell/ruby_evaluator.h"
#include "tools/shell/ruby_reader.h"

namespace vaquita::shell {

class Interpreter final : private RubyEvaluator::Host {
 public:
  // `address` is the connection's. `out` must outlive this. `read_answer` returns the next line of input, for a command
  // that asks a question.
  Interpreter(std::shared_ptr<client::Connection> connection, std::string address, std::ostream* out,
              size_t terminal_width, std::function<std::optional<std::string>()> read_answer);

  // Runs one line's statements in order, up to the first that ends with an error, and prints the last one's value.
  // Returns false if a statement or a command failed; its error is printed, and with it, in a script, the line.
  // `first_line` is where the statements begin.
  bool Run(const ReadResult& read, int first_line = 1);
  // Sets whether a command raises its error.
  void SetRaises(bool raises) { raises_ = raises; }
  // Prints the version and how to get help, as at the start of an interactive shell.
  void PrintBanner();
  // Sets the room for all variables, and for what a statement holds (ruby_evaluator.h).
  void SetRoom(ValueRoom room) { ruby_.SetRoom(room); }
  void SetTerminalWidth(size_t width) { formatter_.SetWidth(width); }
  // Names the file that the lines come from; empty: none.
  void SetScript(std::string path) { script_ = std::move(path); }
  // Checks each command before it runs. A command with an error does not run, and the error is printed.
  using Check = std::function<absl::Status(const Command& command, const Arguments& arguments)>;
  void SetCheck(Check check) { check_ = std::move(check); }
  // Loops, `sleep`, and commands that go over many rows, end early once this returns true. `sleep` is refused unless
  // `may_sleep`.
  void SetCancelled(std::function<bool()> is_cancelled, bool may_sleep = false) {
    is_cancelled_ = std::move(is_cancelled);
    may_sleep_ = may_sleep;
  }

  // Returns the exit code that `exit` asked for; nullopt before.
  std::optional<int> exit_code() const { return exit_code_; }
  client::Admin& admin() { return *admin_; }

 private:
  bool PrintSyntaxError(const ReadResult& read, int first_line);
  bool RunStatement(const Expression& statement, bool is_last);
  void PrintPlace(const Place& place);
  // Errors that were printed are kAborted.
  absl::StatusOr<Value> RunCommand(const Command& command, Arguments arguments);
  std::optional<absl::StatusOr<Value>> RunBuiltin(const std::string& name, const Arguments& arguments);
  absl::StatusOr<Value> Exit(const Arguments& arguments);
  absl::StatusOr<Value> Sleep(const Arguments& arguments);
  void Puts(const Arguments& arguments);

  std::optional<absl::StatusOr<Value>> RunWord(const std::string& name, Arguments& arguments) override;
  std::optional<Value> Constant(const std::string& name) override;
  absl::Status UnknownWord(const std::string& name, bool alone) override;
  absl::Status CheckLoop() override;
  bool PrintTrace(const std::string& error);

  std::shared_ptr<client::Connection> connection_;
  std::unique_ptr<client::Admin> admin_;
  const std::string address_;
  std::ostream& out_;
  Formatter formatter_;
  std::function<std::optional<std::string>()> read_answer_;
  Check check_;                         // null: all commands may run
  std::function<bool()> is_cancelled_;  // null: none ends early
  bool may_sleep_ = true;
  std::string script_;
  bool raises_ = false;
  bool failed_ = false;  // a command of this line did
  int first_line_ = 1;   // where the statements that run begin
  RubyEvaluator ruby_{this};
  int64_t rounds_ = 0;  // this statement's, in loops and methods
  std::optional<int> exit_code_;
};

}  // namespace vaquita::shell
