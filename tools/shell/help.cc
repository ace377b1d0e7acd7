#include "tools/shell/help.h"

#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/str_join.h"
#include "base/version.h"
#include "tools/shell/command.h"

namespace vaquita::shell {
namespace {

constexpr std::string_view kUsage = R"(SHELL USAGE:
Names of tables, rows and columns are strings, so they are quoted; arguments are separated by commas.
Options are Ruby hashes, {NAME => 'f', VERSIONS => 3}; the braces of the last one may be left out.
Their keys are constants (NAME, VERSIONS, ...) and need no quotes.

Binary names and values are double-quoted, with hexadecimal or octal bytes:

  hbase> get 't1', "key\x03\x3f\xcd"
  hbase> get 't1', "key\003\023\011"

Single quotes take every character as it is. A line that ends inside brackets or quotes, or after a comma,
goes on in the next one. A variable may hold a table: t = get_table 't1'; t.put 'r1', 'f:q', 'v'
)";

void PrintCommand(std::ostream& out, const Command& command) { out << command.help << (command.off ? "\n" : ""); }

void PrintGroup(std::ostream& out, const CommandGroup& group) {
  std::vector<const Command*> commands;
  for (const Command& command : group.commands) commands.push_back(&command);
  std::sort(commands.begin(), commands.end(),
            [](const Command* a, const Command* b) { return std::string_view(a->name) < b->name; });
  for (const Command* command : commands) {
    out << "Command: " << command->name << "\n";
    PrintCommand(out, *command);
    out << "\n";
  }
}

void PrintGroups(std::ostream& out) {
  out << "Vaquita Shell, version " << kVersion << "\n"
      << "Type 'help \"COMMAND\"', (e.g. 'help \"get\"' -- the quotes are necessary) for help on a specific command.\n"
      << "Commands are grouped. Type 'help \"COMMAND_GROUP\"', (e.g. 'help \"general\"') for help on a command "
         "group.\n\n"
      << "COMMAND GROUPS:\n";
  for (const CommandGroup& group : CommandGroups()) {
    std::vector<std::string> names;
    for (const Command& command : group.commands) names.push_back(command.name);
    std::sort(names.begin(), names.end());
    out << "  Group name: " << group.name << "\n  Commands: " << absl::StrJoin(names, ", ") << "\n\n";
  }
}

}  // namespace

void PrintHelp(std::ostream& out, std::string_view topic) {
  if (const Command* command = FindCommand(topic)) {
    return PrintCommand(out, *command);
  }
  for (const CommandGroup& group : CommandGroups()) {
    if (topic == group.name) return PrintGroup(out, group);
  }
  if (!topic.empty()) out << "ERROR: Invalid command or command group name: " << topic << "\n\n";
  PrintGroups(out);
  if (topic.empty()) out << kUsage;
}

}  // namespace vaquita::shell
