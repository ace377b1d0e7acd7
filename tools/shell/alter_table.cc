#include "tools/shell/alter_table.h"

#include <algorithm>
#include <string>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "base/absl_text.h"
#include "model/coprocessors.h"
#include "tools/shell/table_arguments.h"

namespace vaquita::shell {
namespace {

// The names that NAME gives: one, or an array of them.
absl::StatusOr<std::vector<std::string>> NamesIn(const Value& name, std::string_view method) {
  if (name.IsNil()) return ShellError(absl::StrCat("NAME parameter missing for ", AbslText(method), " method"));
  std::vector<std::string> names;
  for (const Value& item : Flatten({name}, 0)) names.push_back(item.ToText());
  return names;
}

absl::Status UnsetAttribute(const std::string& name, TableDescriptor* table) {
  const auto options = table->Options();
  const bool known =
      table->configuration.contains(name) ||
      std::any_of(options.begin(), options.end(), [&](const auto& option) { return option.first == name; });
  if (!known) return ShellError(absl::StrCat("Could not find attribute: ", name));
  table->configuration.erase(name);
  return table->Set(name, "");
}

absl::Status UnsetConfiguration(const std::string& name, TableDescriptor* table) {
  if (table->configuration.erase(name) > 0) return absl::OkStatus();
  return ShellError(absl::StrCat("Could not find configuration: ", name));
}

// Takes CLASSNAME, one class or an array of them.
absl::Status RemoveCoprocessors(Hash& options, TableDescriptor* table) {
  const Value classes = Take(options, "CLASSNAME");
  if (classes.IsNil()) return ShellError("CLASSNAME parameter missing for table_remove_coprocessor method");
  for (const Value& name : Flatten({classes}, 0)) {
    VAQUITA_RETURN_IF_ERROR(RemoveCoprocessor(name.ToText(), table));
  }
  return absl::OkStatus();
}

// Takes every key with "coprocessor" in it, however it is written.
absl::Status TakeCoprocessors(Hash& options, TableDescriptor* table) {
  Hash others;
  for (const HashEntry& option : options) {
    if (absl::AsciiStrToLower(option.key.ToText()).find("coprocessor") == std::string::npos) {
      others.Set(option.key, option.value);
      continue;
    }
    const std::string specification = option.value.ToText();
    VAQUITA_RETURN_IF_ERROR(AddCoprocessor(StdText(absl::StripAsciiWhitespace(specification)), table));
  }
  options = std::move(others);
  return absl::OkStatus();
}

absl::Status ApplyMethod(const std::string& method, const Value& name, Hash& options, TableDescriptor* table) {
  if (method == "table_remove_coprocessor") return RemoveCoprocessors(options, table);
  if (method != "delete" && method != "table_att_unset" && method != "table_conf_unset") {
    return ShellError(absl::StrCat("Unknown method: ", method));
  }
  VAQUITA_ASSIGN_OR_RETURN(const std::vector<std::string> names, NamesIn(name, method));
  for (const std::string& one : names) {
    if (method == "delete") {
      table->families.erase(one);
    } else if (method == "table_att_unset") {
      VAQUITA_RETURN_IF_ERROR(UnsetAttribute(one, table));
    } else {
      VAQUITA_RETURN_IF_ERROR(UnsetConfiguration(one, table));
    }
  }
  return absl::OkStatus();
}

// The three ways to write an argument, as a hash: a family's name, 'delete' => family, and a hash.
absl::StatusOr<Hash> AsOptions(const Value& argument) {
  Hash options;
  if (const std::string* name = argument.AsString()) {
    options.Set("NAME", *name);
    return options;
  }
  if (argument.AsHash() == nullptr) return NotOfType(argument, "Hash or String");
  options = *argument.AsHash();
  if (const Value family = Take(options, "delete"); family.IsTruthy()) {
    options.clear();
    options.Set("METHOD", "delete");
    options.Set("NAME", family);
  }
  return options;
}

// Regions always take the new schema at once here, so that the option only has to be well formed.
absl::Status TakeReopenRegions(Hash& options) {
  if (Find(options, "REOPEN_REGIONS") == nullptr) return absl::OkStatus();
  const std::string reopen = absl::AsciiStrToLower(Take(options, "REOPEN_REGIONS").ToText());
  if (reopen == "true" || reopen == "false") return absl::OkStatus();
  return ShellError("Invalid 'REOPEN_REGIONS' for non-boolean value.");
}

absl::Status ApplyArgument(Context& context, const Value& argument, TableDescriptor* table) {
  VAQUITA_ASSIGN_OR_RETURN(Hash options, AsOptions(argument));
  VAQUITA_RETURN_IF_ERROR(TakeReopenRegions(options));
  const Value method = Take(options, "METHOD");
  if (method.IsNil() && Find(options, "NAME") != nullptr) {
    FamilyDescriptor family;
    VAQUITA_RETURN_IF_ERROR(ReadFamily(Value(options), *table, context.out, &family));
    table->families[family.name] = std::move(family);
    return absl::OkStatus();
  }
  const Value name = Take(options, "NAME");
  if (!method.IsNil() && method != Value("table_att")) {
    VAQUITA_RETURN_IF_ERROR(ApplyMethod(method.ToText(), name, options, table));
  } else {
    VAQUITA_RETURN_IF_ERROR(ReadTableAttributes(options, table));
    VAQUITA_RETURN_IF_ERROR(TakeCoprocessors(options, table));
  }
  for (const HashEntry& unknown : options) context.out << "Unknown argument ignored: " << unknown.key.ToText() << "\n";
  return absl::OkStatus();
}

}  // namespace

absl::Status AlterTable(Context& context, const Arguments& arguments, bool wait) {
  VAQUITA_ASSIGN_OR_RETURN(const TableName name, TableArgument(arguments[0]));
  VAQUITA_ASSIGN_OR_RETURN(const bool exists, context.admin.TableExists(name));
  if (!exists) return ShellError(absl::StrCat("Can't find a table: ", name.ToString()));
  if (arguments.size() < 2) return ShellError("There should be at least one argument but the table name");
  VAQUITA_ASSIGN_OR_RETURN(TableDescriptor table, context.admin.GetDescriptor(name));
  for (size_t i = 1; i < arguments.size(); ++i) VAQUITA_RETURN_IF_ERROR(ApplyArgument(context, arguments[i], &table));
  VAQUITA_RETURN_IF_ERROR(context.admin.ModifyTable(table));
  if (!wait) return absl::OkStatus();
  context.out << "Updating all regions with the new schema...\n";
  return PrintAlterStatus(context, name);
}

absl::Status PrintAlterStatus(Context& context, const TableName& table) {
  VAQUITA_ASSIGN_OR_RETURN(const TableState state, context.admin.GetTableState(table));
  VAQUITA_ASSIGN_OR_RETURN(const auto regions, context.admin.GetRegions(table));
  if (state == TableState::kEnabled) {
    context.out << regions.size() << "/" << regions.size() << " regions updated.\n";
  } else {
    context.out << "All regions updated.\n";
  }
  context.out << "Done.\n";
  return absl::OkStatus();
}

}  // namespace vaquita::shell
