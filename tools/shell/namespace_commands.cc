// Commands over namespaces. Source: hbase-shell's commands of the group namespace (2.6).
#include "absl/strings/str_cat.h"
#include "base/java_regex.h"
#include "tools/shell/command.h"
#include "tools/shell/quota_list.h"

namespace vaquita::shell {
namespace {

absl::StatusOr<NamespaceDescriptor> ReadNewNamespace(const Arguments& arguments) {
  NamespaceDescriptor ns;
  VAQUITA_ASSIGN_OR_RETURN(ns.name, NameArgument(arguments[0], "Namespace"));
  for (const Value& argument : Flatten(arguments, 1)) {
    const Hash* options = argument.AsHash();
    if (options == nullptr) return NotOfType(argument, "Hash or String");
    for (const HashEntry& option : *options) ns.configuration[option.key.ToText()] = option.value.ToText();
  }
  return ns;
}

absl::StatusOr<Value> CreateNamespace(Context& context, Arguments& arguments) {
  VAQUITA_ASSIGN_OR_RETURN(const NamespaceDescriptor ns, ReadNewNamespace(arguments));
  VAQUITA_RETURN_IF_ERROR(CheckNamespaceName(ns.name));
  return NilOr(context.admin.CreateNamespace(ns));
}

absl::Status ApplyChange(const Value& argument, NamespaceDescriptor* ns) {
  if (argument.AsHash() == nullptr) return NotOfType(argument, "Hash");
  Hash options = *argument.AsHash();
  const std::string method = Take(options, "METHOD").ToText();
  if (method == "unset") {
    ns->configuration.erase(Take(options, "NAME").ToText());
  } else if (method == "set") {
    for (const HashEntry& option : options) ns->configuration[option.key.ToText()] = option.value.ToText();
  } else {
    return ShellError(absl::StrCat("Unknown method ", method));
  }
  return absl::OkStatus();
}

absl::StatusOr<Value> AlterNamespace(Context& context, Arguments& arguments) {
  VAQUITA_ASSIGN_OR_RETURN(const std::string name, NameArgument(arguments[0], "Namespace"));
  VAQUITA_ASSIGN_OR_RETURN(NamespaceDescriptor ns, context.admin.GetNamespace(name));
  for (const Value& argument : Flatten(arguments, 1)) VAQUITA_RETURN_IF_ERROR(ApplyChange(argument, &ns));
  return NilOr(context.admin.ModifyNamespace(ns));
}

absl::StatusOr<Value> DescribeNamespace(Context& context, Arguments& arguments) {
  VAQUITA_ASSIGN_OR_RETURN(const std::string name, NameArgument(arguments[0], "Namespace"));
  VAQUITA_ASSIGN_OR_RETURN(const NamespaceDescriptor ns, context.admin.GetNamespace(name));
  std::string text = absl::StrCat("{NAME => '", ns.name, "'");
  for (const auto& [key, value] : ns.configuration) absl::StrAppend(&text, ", ", key, " => '", value, "'");
  context.formatter.Header({"DESCRIPTION"});
  context.formatter.Row({text + "}"});
  VAQUITA_ASSIGN_OR_RETURN(const bool has_quotas, HasQuotas(context));
  if (!has_quotas) {
    context.out << "Quota is disabled\n";
    return Value();
  }
  context.formatter.Header({"QUOTAS"});
  context.out << "0\n";  // HBase's shell prints what its header returns
  return NilOr(PrintQuotas(context, {.ns = ns.name}));
}

absl::StatusOr<Value> DropNamespace(Context& context, Arguments& arguments) {
  VAQUITA_ASSIGN_OR_RETURN(const std::string name, NameArgument(arguments[0], "Namespace"));
  return NilOr(context.admin.DeleteNamespace(name));
}

// HBase's shell looks for the expression anywhere in a namespace's name.
absl::StatusOr<Value> ListNamespace(Context& context, Arguments& arguments) {
  VAQUITA_ASSIGN_OR_RETURN(const auto regex,
                           JavaRegex::Compile(arguments.empty() ? ".*" : arguments[0].ToText(), 0, "UTF-8"));
  VAQUITA_ASSIGN_OR_RETURN(const auto namespaces, context.admin.ListNamespaces());
  context.formatter.Header({"NAMESPACE"});
  for (const NamespaceDescriptor& ns : namespaces) {
    VAQUITA_ASSIGN_OR_RETURN(const bool found, regex->IsFoundIn(ns.name));
    if (found) context.formatter.Row({ns.name});
  }
  context.formatter.Footer();
  return Value();
}

absl::StatusOr<Value> ListNamespaceTables(Context& context, Arguments& arguments) {
  VAQUITA_ASSIGN_OR_RETURN(const std::string name, NameArgument(arguments[0], "Namespace"));
  context.formatter.Header({"TABLE"});
  VAQUITA_RETURN_IF_ERROR(context.admin.GetNamespace(name).status());
  VAQUITA_ASSIGN_OR_RETURN(const auto tables, context.admin.ListTableNames("", /*system=*/true));
  Array names;
  for (const TableName& table : tables) {
    if (table.ns != name) continue;
    context.formatter.Row({table.qualifier});
    names.emplace_back(table.qualifier);
  }
  context.formatter.Footer();
  return Value(std::move(names));
}

constexpr int kAnyNumber = Command::kAnyNumber;

constexpr Command kNamespaceCommands[] = {
    {"create_namespace", 1, kAnyNumber, CreateNamespace,
     "Creates a namespace, with properties if you like.\n\n  hbase> create_namespace 'ns1'\n  hbase> create_namespace "
     "'ns1', {'property' => 'value'}\n"},
    {"alter_namespace", 1, kAnyNumber, AlterNamespace,
     "Sets or unsets a namespace's properties.\n\n  hbase> alter_namespace 'ns1', {METHOD => 'set', 'property' => "
     "'value'}\n  hbase> alter_namespace 'ns1', {METHOD => 'unset', NAME => 'property'}\n"},
    {"describe_namespace", 1, 1, DescribeNamespace,
     "Prints a namespace's properties.\n\n  hbase> describe_namespace 'ns1'\n"},
    {"drop_namespace", 1, 1, DropNamespace,
     "Removes a namespace that has no tables.\n\n  hbase> drop_namespace 'ns1'\n"},
    {"list_namespace", 0, 1, ListNamespace,
     "Lists the namespaces; with a regular expression, those it is found in.\n\n  hbase> list_namespace\n  hbase> "
     "list_namespace 'abc.*'\n"},
    {"list_namespace_tables", 1, 1, ListNamespaceTables,
     "Lists a namespace's tables.\n\n  hbase> list_namespace_tables 'ns1'\n"},
};

}  // namespace

std::span<const Command> NamespaceCommands() { return kNamespaceCommands; }

}  // namespace vaquita::shell
