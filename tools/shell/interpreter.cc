#include "tools/shell/interpreter.h"

#include <chrono>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/absl_text.h"
#include "base/did_you_mean.h"
#include "tools/shell/constants.h"
#include "tools/shell/error_text.h"
#include "tools/shell/help.h"

namespace vaquita::shell {
namespace {

// Ruby's words for a call with the wrong number of arguments; empty if the number is right.
std::string ArityError(const Command& command, size_t given) {
  const size_t least = command.least_arguments;
  const bool unbounded = command.most_arguments == Command::kAnyNumber;
  const size_t most = unbounded ? given : command.most_arguments;
  if (given >= least && given <= most) return "";
  std::string expected = absl::StrCat(least);
  if (unbounded) expected += "+";
  if (!unbounded && most > least) absl::StrAppend(&expected, "..", most);
  return absl::StrCat("wrong number of arguments (given ", given, ", expected ", expected, ")");
}

std::string UnknownCommandText(const Call& call) {
  const bool may_be_variable = call.receiver.empty() && call.arguments.empty();
  std::vector<std::string_view> commands = {"exit", "help", "quit"};
  for (const CommandGroup& group : CommandGroups()) {
    for (const Command& command : group.commands) commands.push_back(command.name);
  }
  const std::string_view meant = NearestName(call.command, commands);
  return absl::StrCat(
      may_be_variable ? "NameError (undefined local variable or method `" : "NoMethodError (undefined method `",
      call.command, meant.empty() ? "')" : absl::StrCat("')\nDid you mean?  ", AbslText(meant)));
}

}  // namespace

Interpreter::Interpreter(std::shared_ptr<client::Connection> connection, std::string address, std::ostream* out,
                         size_t terminal_width, std::function<std::optional<std::string>()> read_answer)
    : connection_(std::move(connection)),
      admin_(connection_->GetAdmin()),
      address_(std::move(address)),
      out_(*out),
      formatter_(out, terminal_width),
      read_answer_(std::move(read_answer)) {}

bool Interpreter::Run(const ReadResult& read, int first_line) {
  if (read.state == ReadResult::State::kError) return PrintSyntaxError(read, first_line);
  for (const Statement& statement : read.statements) {
    if (!RunStatement(statement)) {
      if (!script_.empty()) out_ << "(" << script_ << ", line " << first_line << ")\n";
      return false;
    }
    if (exit_code_) break;
  }
  return true;
}

// A person at a prompt counts the lines of one command; the lines of a script are those of the file.
bool Interpreter::PrintSyntaxError(const ReadResult& read, int first_line) {
  const int line = script_.empty() ? read.place.line : first_line + read.place.line - 1;
  return PrintTrace(absl::StrCat("SyntaxError (", script_.empty() ? "" : absl::StrCat(script_, ", "), "line ", line,
                                 ", column ", read.place.column, ": ", read.error, ")"));
}

void Interpreter::PrintBanner() {
  out_ << "Vaquita Shell, with the HBase shell's commands\n"
          "Use \"help\" to get list of supported commands.\n"
          "Use \"exit\" to quit this interactive shell.\n";
  Run(ReadRuby("version"));
  out_ << "\n";
}

bool Interpreter::RunStatement(const Statement& statement) {
  Value result;
  if (const Call* call = std::get_if<Call>(&statement.action)) {
    if (!RunCall(*call, &result)) return false;
  } else {
    absl::StatusOr<Value> value = Evaluate(std::get<Expression>(statement.action));
    if (!value.ok()) return PrintTrace(std::string(value.status().message()));
    result = *std::move(value);
  }
  if (!statement.assign_to.empty()) variables_[statement.assign_to] = result;
  if (!result.IsNil()) out_ << "=> " << result.Inspect() << "\n";
  return true;
}

// A word alone may be a variable; a variable before a dot is the command's first argument.
bool Interpreter::RunCall(const Call& call, Value* result) {
  const auto variable = variables_.find(call.receiver.empty() ? call.command : call.receiver);
  if (call.receiver.empty() && call.arguments.empty() && variable != variables_.end()) {
    *result = variable->second;
    return true;
  }
  absl::StatusOr<Arguments> arguments = EvaluateAll(call.arguments);
  if (!arguments.ok()) return PrintTrace(std::string(arguments.status().message()));
  if (!call.receiver.empty()) {
    if (variable == variables_.end()) {
      return PrintTrace(absl::StrCat("NameError (undefined local variable `", call.receiver, "')"));
    }
    if (!std::holds_alternative<TableReference>(variable->second.kind)) {
      return PrintTrace(absl::StrCat("NoMethodError (`", call.receiver, "' is not a table, so it has no command `",
                                     call.command, "')"));
    }
    arguments->insert(arguments->begin(), variable->second);
  }
  bool known = false;
  const bool ok = RunBuiltin(call, *arguments, &known);
  if (known) return ok;
  const Command* command = FindCommand(call.command);
  if (command == nullptr) return PrintTrace(UnknownCommandText(call));
  return RunCommand(*command, *std::move(arguments), result);
}

// Runs a word that is not an HBase command. Its time and its errors are not printed.
bool Interpreter::RunBuiltin(const Call& call, Arguments& arguments, bool* known) {
  *known = true;
  if (call.command == "exit" || call.command == "quit") {
    const int64_t* code = arguments.empty() ? nullptr : arguments[0].AsInteger();
    exit_code_ = code == nullptr ? 0 : static_cast<int>(*code & 0xFF);
  } else if (call.command == "help") {
    PrintHelp(out_, arguments.empty() ? "" : arguments.back().ToText());
  } else if (call.command == "tools") {
    PrintHelp(out_, "tools");
  } else if (call.command == "puts") {
    for (const Value& value : Flatten(arguments, 0)) out_ << value.ToText() << "\n";
  } else {
    *known = false;
  }
  return true;
}

bool Interpreter::RunCommand(const Command& command, Arguments arguments, Value* result) {
  const auto start = std::chrono::steady_clock::now();
  Context context{*connection_, *admin_, address_, out_, formatter_, read_answer_, is_cancelled_};
  const Arguments given = arguments;  // a handler may take its hashes apart
  absl::Status status;
  const bool here = command.absence == Command::Absence::kHere;
  if (here && check_) status = check_(command, arguments);
  if (!status.ok()) {
    // It may not run.
  } else if (std::string error = ArityError(command, arguments.size()); !error.empty()) {
    status = ShellError(error);
  } else if (!here) {
    status = ShellError(AbsenceText(command));
  } else if (absl::StatusOr<Value> value = command.handler(context, arguments); value.ok()) {
    *result = *std::move(value);
  } else {
    status = value.status();
  }
  if (!status.ok()) {
    out_ << "\nERROR: " << ErrorText(status, given) << "\n\nFor usage try 'help \"" << command.name << "\"'\n\n";
  }
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  out_ << absl::StrFormat("Took %.4f seconds\n", taken.count());
  return status.ok();
}

absl::StatusOr<Value> Interpreter::Evaluate(const Expression& expression) const {
  switch (expression.kind) {
    case Expression::Kind::kLiteral:
      return expression.literal;
    case Expression::Kind::kConstant: {
      const std::string_view value = ConstantValue(expression.name);
      if (value.empty()) return ShellError(absl::StrCat("NameError (uninitialized constant ", expression.name, ")"));
      return Value(std::string(value));
    }
    case Expression::Kind::kVariable: {
      const auto found = variables_.find(expression.name);
      if (found != variables_.end()) return found->second;
      return ShellError(absl::StrCat("NameError (undefined local variable `", expression.name, "')"));
    }
    case Expression::Kind::kArray: {
      VAQUITA_ASSIGN_OR_RETURN(Arguments items, EvaluateAll(expression.items));
      return Value(Array(std::move(items)));
    }
    case Expression::Kind::kHash:
      break;
  }
  VAQUITA_ASSIGN_OR_RETURN(Arguments items, EvaluateAll(expression.items));
  Hash hash;
  for (size_t i = 0; i + 1 < items.size(); i += 2) Assign(hash, std::move(items[i]), std::move(items[i + 1]));
  return Value(std::move(hash));
}

absl::StatusOr<Arguments> Interpreter::EvaluateAll(const std::vector<Expression>& expressions) const {
  Arguments values;
  for (const Expression& expression : expressions) {
    VAQUITA_ASSIGN_OR_RETURN(Value value, Evaluate(expression));
    values.push_back(std::move(value));
  }
  return values;
}

bool Interpreter::PrintTrace(const std::string& error) {
  out_ << "Traceback (most recent call last):\n" << error << "\n";
  return false;
}

}  // namespace vaquita::shell
