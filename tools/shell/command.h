// tools/shell/command.h: a command of the shell, as a row of a table, and the context of its handler.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/status.h"
#include "client/admin.h"
#include "client/connection.h"
#include "client/table.h"
#include "tools/shell/formatter.h"
#include "tools/shell/ruby_methods.h"
#include "tools/shell/value.h"

namespace vaquita::shell {

// The objects that a handler uses. All of them outlive the command.
struct Context {
  client::Connection& connection;
  client::Admin& admin;
  const std::string& address;  // the connection's
  std::ostream& out;
  Formatter& formatter;
  // Returns the next line of input, for a question; nullopt at its end.
  std::function<std::optional<std::string>()> read_answer;
  // Returns whether a command that goes over many rows has to end early. Null: it never has to.
  std::function<bool()> is_cancelled = nullptr;
};

// Prints the command's answer and returns the value that the shell echoes (nil: none). An error without an ErrorKind is
// the shell's own.
using Handler = absl::StatusOr<Value> (*)(Context& context, Arguments& arguments);

struct Command {
  static constexpr int kAnyNumber = -1;
  const char* name;
  int least_arguments;
  int most_arguments;  // or kAnyNumber
  Handler handler;
  const char* help;
  // It belongs to a feature that is off here. Then there is no handler, and `help` is the error of an HBase whose
  // feature is off.
  bool off = false;
};

struct CommandGroup {
  const char* name;
  std::vector<Command> commands;
};

// Each file of commands defines one of these.
std::span<const Command> GeneralCommands();
std::span<const Command> DdlCommands();
std::span<const Command> NamespaceCommands();
std::span<const Command> DmlCommands();
std::span<const Command> ToolsCommands();
std::span<const Command> SwitchCommands();
std::span<const Command> ServerCommands();
std::span<const Command> ReplicationCommands();
std::span<const Command> SnapshotCommands();
std::span<const Command> SecurityCommands();
std::span<const Command> ProcedureCommands();
std::span<const Command> TestControlCommands();
// chore_commands.cc defines two: those of HBase's group tools, and those of storefiletracker.
std::span<const Command> ChoreCommands();
std::span<const Command> TrackerCommands();
std::span<const Command> PeerCommands();
std::span<const Command> RecordCommands();
std::span<const Command> QuotaCommands();
// off_commands.cc defines these.
std::span<const Command> OffLabelCommands();
std::span<const Command> OffServerGroupCommands();
std::span<const Command> OffConfigurationCommands();
// order_commands.cc defines these.
std::span<const Command> StopCommands();
std::span<const Command> ConfigurationCommands();
std::span<const Command> TaskCommands();

// Returns the groups in HBase's order.
std::span<const CommandGroup> CommandGroups();
// Returns the command of that name or alias, or null.
const Command* FindCommand(std::string_view name);
// Returns whether a command only reads: it changes no table, no row and no switch.
bool IsReadingCommand(std::string_view name);

// Returns the shell's own error, which is printed as it is.
absl::Status ShellError(std::string_view message);
// Returns HBase's error for a value that is not of `type`, such as "Hash or String".
absl::Status NotOfType(const Value& value, std::string_view type);
// Returns a table's or namespace's name among the arguments, or HBase's error if it is not text.
absl::StatusOr<std::string> NameArgument(const Value& value, std::string_view what);
absl::StatusOr<TableName> TableArgument(const Value& value);
// Returns the state that an argument gives a switch: on for true, and for the text "true".
bool SwitchArgument(const Value& value);
// Returns the `i`th argument as text; empty if it is missing.
std::string TextArgument(const Arguments& arguments, size_t i);
// Returns the `i`th argument, a hash; an empty one if it is missing, and the shell's error `error` if it is none.
absl::StatusOr<Hash> OptionsArgument(const Arguments& arguments, size_t i,
                                     std::string_view error = "Arguments should be a Hash");
absl::StatusOr<std::unique_ptr<client::Table>> OpenTable(Context& context, const Value& name);
// Returns kCancelled with the number of `rows` so far if the command has to end early.
absl::Status CheckNotCancelled(const Context& context, int64_t rows);
// Returns nil, the value of a command that has none, or the error.
absl::StatusOr<Value> NilOr(const absl::Status& status);
// Prints one column of names under `header`, and returns them.
Value PrintNames(Context& context, std::string_view header, const std::vector<std::string>& names);
// Prints true or false, after `label`, and returns it.
Value PrintFlag(Context& context, bool flag, std::string_view label = "");
// Asks a question. An answer with a y in it means yes, as in HBase.
bool Confirmed(Context& context, std::string_view question);
// Replaces arrays by their elements and drops nil (Ruby's flatten.compact).
Arguments Flatten(const Arguments& arguments, size_t from);

}  // namespace vaquita::shell
