#include "tools/shell/interpreter.h"

#include <algorithm>
#include <chrono>
#include <thread>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/absl_text.h"
#include "base/did_you_mean.h"
#include "tools/shell/constants.h"
#include "tools/shell/error_text.h"
#include "tools/shell/help.h"
#include "tools/shell/ruby_numbers.h"

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

// One statement, so that none runs for ever: a web page may have asked for it.
constexpr int64_t kMostRounds = 1'000'000;

// A sleep that may end early looks as often as this whether it does.
constexpr std::chrono::milliseconds kNap{20};

// An error that was printed, or an end that was asked for.
absl::Status Printed() { return absl::AbortedError("printed"); }

bool IsJavaPackage(const std::string& name) {
  return name == "org" || name == "java" || name == "javax" || name == "com";
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
  failed_ = false;
  first_line_ = first_line;
  for (const Expression& statement : read.statements) {
    if (!RunStatement(statement, &statement == &read.statements.back())) {
      PrintPlace(ruby_.error_place());
      return false;
    }
    if (exit_code_) break;
  }
  return !failed_;
}

void Interpreter::PrintPlace(const Place& place) {
  if (!script_.empty()) out_ << "(" << script_ << ", line " << first_line_ + place.line - 1 << ")\n";
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

bool Interpreter::RunStatement(const Expression& statement, bool is_last) {
  rounds_ = 0;
  const absl::StatusOr<Value> result = ruby_.Run(statement);
  if (exit_code_) return true;
  if (absl::IsAborted(result.status())) return false;
  if (!result.ok()) return PrintTrace(std::string(result.status().message()));
  if (is_last && !result->IsNil()) out_ << "=> " << result->Inspect() << "\n";
  return true;
}

std::optional<absl::StatusOr<Value>> Interpreter::RunWord(const std::string& name, Arguments& arguments) {
  if (auto result = RunBuiltin(name, arguments)) return result;
  const Command* command = FindCommand(name);
  if (command == nullptr) return std::nullopt;
  return RunCommand(*command, arguments);
}

std::optional<Value> Interpreter::Constant(const std::string& name) {
  if (name == "Java") return Value(name);  // for `include` to refuse
  const std::string_view value = ConstantValue(name);
  return value.empty() ? std::nullopt : std::optional(Value(std::string(value)));
}

absl::Status Interpreter::UnknownWord(const std::string& name, bool alone) {
  if (alone && IsJavaPackage(name)) {
    return ShellError(absl::StrCat("NameError (", name, ": this shell is not JRuby, and has no Java classes)"));
  }
  std::vector<std::string_view> words = {"exit", "help", "quit", "puts", "print"};
  for (const CommandGroup& group : CommandGroups()) {
    for (const Command& command : group.commands) words.push_back(command.name);
  }
  const std::string_view meant = NearestName(name, words);
  return ShellError(
      absl::StrCat(alone ? "NameError (undefined local variable or method `" : "NoMethodError (undefined method `",
                   name, meant.empty() ? "')" : absl::StrCat("')\nDid you mean?  ", AbslText(meant))));
}

absl::Status Interpreter::CheckLoop() {
  if (exit_code_) return Printed();
  if (is_cancelled_ && is_cancelled_()) return absl::CancelledError("Interrupt (the loop was ended)");
  if (++rounds_ <= kMostRounds) return absl::OkStatus();
  return ShellError("RangeError (the loops of one statement have at most a million rounds here)");
}

absl::StatusOr<Value> Interpreter::Exit(const Arguments& arguments) {
  const int64_t* code = arguments.empty() ? nullptr : arguments[0].AsInteger();
  const bool fails = !arguments.empty() && arguments[0] == Value(false);
  exit_code_ = code == nullptr ? (fails ? 1 : 0) : static_cast<int>(*code & 0xFF);
  return Printed();
}

// A web page's thread does not wait for a sleeper. Elsewhere whoever ends a command early wakes it.
absl::StatusOr<Value> Interpreter::Sleep(const Arguments& arguments) {
  if (!may_sleep_) return ShellError("NotImplementedError (the shell of a web page does not sleep)");
  const std::string text = arguments.empty() ? "" : arguments[0].ToText();
  double seconds = 0;
  if (!absl::SimpleAtod(text, &seconds) || !(seconds >= 0 && seconds <= 3600)) {  // NaN is neither
    return ShellError("ArgumentError (sleep takes a number of seconds from 0 to 3600)");
  }
  using std::chrono::steady_clock;
  const auto end =
      steady_clock::now() + std::chrono::duration_cast<steady_clock::duration>(std::chrono::duration<double>(seconds));
  for (auto now = steady_clock::now(); now < end; now = steady_clock::now()) {
    if (is_cancelled_ && is_cancelled_()) return absl::CancelledError("Interrupt (the sleep was ended)");
    std::this_thread::sleep_until(is_cancelled_ ? std::min(end, now + kNap) : end);
  }
  return Value(static_cast<int64_t>(seconds));
}

// An array has a line for each element, and nil an empty one.
void Interpreter::Puts(const Arguments& arguments) {
  if (arguments.empty()) out_ << "\n";
  for (const Value& value : arguments) {
    const Array* array = value.AsArray();
    if (array != nullptr && !array->empty()) {
      Puts(*array);
    } else {
      const std::string text = array != nullptr ? "" : value.ToText();
      out_ << text << (text.ends_with("\n") ? "" : "\n");
    }
  }
}

// Runs a word of Ruby's, or of the shell's, that is not a command. Its time is not printed.
std::optional<absl::StatusOr<Value>> Interpreter::RunBuiltin(const std::string& name, const Arguments& arguments) {
  using Result = absl::StatusOr<Value>;
  const Value first = arguments.empty() ? Value() : arguments[0];
  if (name == "exit" || name == "quit") return Exit(arguments);
  if (name == "help") {
    PrintHelp(out_, arguments.empty() ? "" : arguments.back().ToText());
  } else if (name == "tools") {
    PrintHelp(out_, "tools");
  } else if (name == "puts") {
    Puts(arguments);
  } else if (name == "print") {
    for (const Value& value : arguments) out_ << value.ToText();
  } else if (name == "p") {
    for (const Value& value : arguments) out_ << value.Inspect() << "\n";
    return Result(first);
  } else if (name == "printf" || name == "sprintf" || name == "format") {
    const auto rest = arguments.begin() + (arguments.empty() ? 0 : 1);
    const absl::StatusOr<std::string> text = Format(first.ToText(), Arguments(rest, arguments.end()));
    if (!text.ok()) return Result(text.status());
    if (name != "printf") return Result(Value(*text));
    out_ << *text;
  } else if (name == "sleep") {
    return Sleep(arguments);
  } else if (name == "rand") {
    return ruby_.random().Rand(arguments);
  } else if (name == "srand") {
    return ruby_.random().Seed(arguments);
  } else if (name == "raise") {
    return Result(ShellError(absl::StrCat("RuntimeError (", arguments.empty() ? "" : arguments.back().ToText(), ")")));
  } else if (name == "gets") {
    const std::optional<std::string> line = read_answer_();
    return Result(line ? Value(*line + "\n") : Value());
  } else if (name == "String") {
    return Result(Value(first.ToText()));
  } else if (name == "Integer") {
    return ToInteger(arguments);
  } else if (name == "Float") {
    return ToFloat(arguments);
  } else if (name == "require" || name == "load" || name == "require_relative" || name == "include" ||
             name == "java_import" || name == "import") {
    return Result(
        ShellError(absl::StrCat("LoadError (", name, arguments.empty() ? "" : " " + first.Inspect(),
                                ": this shell is not JRuby. It runs Ruby's own words and the shell's commands, "
                                "and has neither Java classes nor Ruby's libraries)")));
  } else {
    return std::nullopt;
  }
  return Result(Value());
}

absl::StatusOr<Value> Interpreter::RunCommand(const Command& command, Arguments arguments) {
  Value result;
  const auto start = std::chrono::steady_clock::now();
  Context context{*connection_, *admin_, address_, out_, formatter_, read_answer_, is_cancelled_};
  const Arguments given = arguments;  // a handler may take its hashes apart
  absl::Status status;
  if (!command.off && check_) status = check_(command, arguments);
  if (!status.ok()) {
    // It may not run.
  } else if (std::string error = ArityError(command, arguments.size()); !error.empty()) {
    status = ShellError(error);
  } else if (command.off) {
    status = ShellError(command.help);
  } else if (absl::StatusOr<Value> value = command.handler(context, arguments); value.ok()) {
    result = *std::move(value);
  } else {
    status = value.status();
  }
  const std::string error = status.ok() ? "" : ErrorText(status, given);
  const bool rescued = raises_ && ruby_.rescues();
  if (!status.ok() && !rescued) {
    out_ << "\nERROR: " << error << "\n\nFor usage try 'help \"" << command.name << "\"'\n\n";
  }
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  out_ << absl::StrFormat("Took %.4f seconds\n", taken.count());
  if (status.ok()) return result;
  if (rescued) return ShellError(error);
  failed_ = true;
  if (raises_) return Printed();
  PrintPlace(ruby_.word_place());
  return Value();
}

bool Interpreter::PrintTrace(const std::string& error) {
  out_ << "Traceback (most recent call last):\n" << error << "\n";
  return false;
}

}  // namespace vaquita::shell
