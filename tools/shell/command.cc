#include "tools/shell/command.h"

#include <algorithm>
#include <iterator>
#include <map>

#include "absl/strings/str_cat.h"
#include "engine/absl_text.h"

namespace vaquita::shell {
namespace {

void FlattenInto(const Value& value, Arguments* out) {
  if (const Array* array = value.AsArray()) {
    for (const Value& item : *array) FlattenInto(item, out);
  } else if (!value.IsNil()) {
    out->push_back(value);
  }
}

}  // namespace

std::span<const CommandGroup> CommandGroups() {
  static const CommandGroup kGroups[] = {
      {"general", GeneralCommands()}, {"ddl", DdlCommands()},     {"namespace", NamespaceCommands()},
      {"dml", DmlCommands()},         {"tools", ToolsCommands()},
  };
  return kGroups;
}

const Command* FindCommand(std::string_view name) {
  static const std::map<std::string_view, const Command*> kCommands = [] {
    std::map<std::string_view, const Command*> commands;
    for (const CommandGroup& group : CommandGroups()) {
      for (const Command& command : group.commands) commands[command.name] = &command;
    }
    commands["desc"] = commands["describe"];
    return commands;
  }();
  const auto found = kCommands.find(name);
  return found == kCommands.end() ? nullptr : found->second;
}

absl::Status ShellError(std::string_view message) { return absl::InvalidArgumentError(AbslText(message)); }

absl::StatusOr<std::string> NameArgument(const Value& value, std::string_view what) {
  if (const auto* reference = std::get_if<TableReference>(&value.kind)) return reference->table;
  if (const std::string* name = value.AsString()) return *name;
  return ShellError(absl::StrCat(AbslText(what), " name must be of type String"));
}

absl::StatusOr<TableName> TableArgument(const Value& value) {
  VAQUITA_ASSIGN_OR_RETURN(const std::string name, NameArgument(value, "Table"));
  return TableName::Parse(name);
}

absl::StatusOr<std::unique_ptr<client::Table>> OpenTable(Context& context, const Value& name) {
  VAQUITA_ASSIGN_OR_RETURN(const TableName table, TableArgument(name));
  return context.connection.GetTable(table);
}

Arguments Flatten(const Arguments& arguments, size_t from) {
  Arguments flat;
  for (size_t i = from; i < arguments.size(); ++i) FlattenInto(arguments[i], &flat);
  return flat;
}

}  // namespace vaquita::shell
