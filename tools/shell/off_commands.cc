// The commands of features that are off: labels, groups of region servers. Each answers as HBase's shell
// does with an HBase in which they are off. Source: hbase-shell's commands of these groups, SecurityAdmin,
// VisibilityLabelsAdmin, RSGroupAdmin (2.6).
#include "base/status.h"
#include "tools/shell/command.h"

namespace vaquita::shell {
namespace {

constexpr char kNoLabels[] = "DISABLED: Visibility labels feature is not available";
constexpr char kNoServerGroups[] =
    "org.apache.hadoop.hbase.exceptions.UnknownProtocolException: No registered Master Coprocessor Endpoint found for "
    "RSGroupAdminService. Has it been enabled?";

constexpr Command Off(const char* name, int least, int most, const char* error) {
  return {name, least, most, nullptr, error, /*off=*/true};
}

constexpr Command kLabel[] = {
    Off("add_labels", 0, Command::kAnyNumber, kNoLabels),  Off("list_labels", 0, 1, kNoLabels),
    Off("set_auths", 1, Command::kAnyNumber, kNoLabels),   Off("get_auths", 1, 1, kNoLabels),
    Off("clear_auths", 1, Command::kAnyNumber, kNoLabels), Off("set_visibility", 3, 3, kNoLabels),
};

// --- Groups of region servers

absl::StatusOr<Value> ListGroups(Context& context, Arguments&) {
  context.formatter.Header({"NAME", "SERVER / TABLE"});
  return ShellError(kNoServerGroups);
}

// The header is HBase's, quotes included.
absl::StatusOr<Value> ShowGroupConfig(Context& context, Arguments&) {
  context.formatter.Header({"'KEY'", "'VALUE'"});
  return ShellError(kNoServerGroups);
}

// A namespace's group is one of its properties, which is there without the feature, too.
absl::StatusOr<Value> GetNamespaceGroup(Context& context, Arguments& arguments) {
  VAQUITA_ASSIGN_OR_RETURN(const std::string name, NameArgument(arguments[0], "Namespace"));
  VAQUITA_ASSIGN_OR_RETURN(const NamespaceDescriptor ns, context.admin.GetNamespace(name));
  const auto group = ns.configuration.find("hbase.rsgroup.name");
  if (group != ns.configuration.end()) context.formatter.Row({group->second});
  context.formatter.Footer(1);
  return Value();
}

constexpr Command kServerGroup[] = {
    {"list_rsgroups", 0, 1, ListGroups,
     "Lists the groups of region servers. There are none.\n\n  hbase> list_rsgroups\n"},
    Off("get_rsgroup", 1, 1, kNoServerGroups),
    Off("add_rsgroup", 1, 1, kNoServerGroups),
    Off("remove_rsgroup", 1, 1, kNoServerGroups),
    Off("balance_rsgroup", 1, Command::kAnyNumber, kNoServerGroups),
    Off("move_servers_rsgroup", 2, 2, kNoServerGroups),
    Off("move_tables_rsgroup", 2, 2, kNoServerGroups),
    Off("move_namespaces_rsgroup", 2, 2, kNoServerGroups),
    Off("move_servers_tables_rsgroup", 3, 3, kNoServerGroups),
    Off("move_servers_namespaces_rsgroup", 3, 3, kNoServerGroups),
    Off("get_server_rsgroup", 1, 1, kNoServerGroups),
    Off("get_table_rsgroup", 1, 1, kNoServerGroups),
    Off("remove_servers_rsgroup", 1, 1, kNoServerGroups),
    Off("rename_rsgroup", 2, 2, kNoServerGroups),
    Off("alter_rsgroup_config", 2, 2, kNoServerGroups),
    {"show_rsgroup_config", 1, 1, ShowGroupConfig,
     "Prints the configuration of a group of region servers. There are none.\n\n  hbase> show_rsgroup_config "
     "'group'\n"},
    {"get_namespace_rsgroup", 1, 1, GetNamespaceGroup,
     "Prints the group of region servers that a namespace names.\n\n  hbase> get_namespace_rsgroup 'ns1'\n"},
};

constexpr Command kGroupConfiguration[] = {
    Off("update_rsgroup_config", 1, 1, kNoServerGroups),
};

}  // namespace

std::span<const Command> OffLabelCommands() { return kLabel; }
std::span<const Command> OffServerGroupCommands() { return kServerGroup; }
std::span<const Command> OffConfigurationCommands() { return kGroupConfiguration; }

}  // namespace vaquita::shell
