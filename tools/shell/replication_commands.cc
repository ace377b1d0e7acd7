// Commands over replication. Source: hbase-shell's commands of the group replication (2.6).
#include "base/java_regex.h"
#include "base/status.h"
#include "tools/shell/command.h"

namespace vaquita::shell {
namespace {

// Lists the families whose REPLICATION_SCOPE is not 0, of tables in whose names the regular expression is found.
absl::StatusOr<Value> ListReplicatedTables(Context& context, Arguments& arguments) {
  const std::string regex = arguments.empty() ? ".*" : arguments[0].ToText();
  VAQUITA_ASSIGN_OR_RETURN(const auto pattern, JavaRegex::Compile(regex, 0, "UTF-8"));
  VAQUITA_ASSIGN_OR_RETURN(const std::vector<TableName> tables, context.admin.ListTableNames());
  context.formatter.Header({"TABLE:COLUMNFAMILY", "ReplicationType"});
  for (const TableName& name : tables) {
    VAQUITA_ASSIGN_OR_RETURN(const bool matches, pattern->IsFoundIn(name.ToString()));
    if (!matches) continue;
    VAQUITA_ASSIGN_OR_RETURN(const TableDescriptor table, context.admin.GetDescriptor(name));
    for (const auto& [family_name, family] : table.families) {
      const auto scope = family.attributes.find("REPLICATION_SCOPE");
      if (scope == family.attributes.end() || scope->second == "0") continue;
      context.formatter.Row({name.ToString() + ":" + family_name, "GLOBAL"});
    }
  }
  context.formatter.Footer();
  return Value();
}

constexpr MasterSwitch kPeers = MasterSwitch::kPeerModification;

absl::StatusOr<Value> PeerModificationSwitch(Context& context, Arguments& arguments) {
  const bool on = SwitchArgument(arguments[0]);
  VAQUITA_ASSIGN_OR_RETURN(const bool was_on, context.admin.SetSwitch(kPeers, on));
  return PrintFlag(context, was_on, "Previous peer modification state : ");
}

absl::StatusOr<Value> PeerModificationEnabled(Context& context, Arguments&) {
  VAQUITA_ASSIGN_OR_RETURN(const bool on, context.admin.IsOn(kPeers));
  return PrintFlag(context, on);
}

constexpr Command kReplicationCommands[] = {
    {"list_replicated_tables", 0, 1, ListReplicatedTables,
     "Lists the families with a REPLICATION_SCOPE of 1. Vaquita keeps the scope and replicates nothing.\n\n  hbase> "
     "list_replicated_tables\n  hbase> list_replicated_tables 'abc.*'\n"},
    {"peer_modification_switch", 1, 2, PeerModificationSwitch,
     "Allows or forbids changes of replication peers, and prints what it was.\n\n  hbase> peer_modification_switch "
     "false\n"},
    {"peer_modification_enabled", 0, 0, PeerModificationEnabled,
     "Tells whether replication peers may be changed.\n\n  hbase> peer_modification_enabled\n"},
};

}  // namespace

std::span<const Command> ReplicationCommands() { return kReplicationCommands; }

}  // namespace vaquita::shell
