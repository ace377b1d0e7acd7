#include "tools/shell/command.h"

#include <algorithm>
#include <iterator>
#include <map>

#include "absl/strings/str_cat.h"
#include "base/absl_text.h"

namespace vaquita::shell {
namespace {

// The commands that only HBase 2.6's shell has, between blanks.
constexpr std::string_view kCommandsOfHBaseOnly =
    " add_labels add_peer add_rsgroup alter_rsgroup_config append_peer_exclude_namespaces append_peer_exclude_tableCFs"
    " append_peer_namespaces append_peer_tableCFs assign balance_rsgroup catalogjanitor_enabled catalogjanitor_run"
    " catalogjanitor_switch change_sft change_sft_all cleaner_chore_enabled cleaner_chore_run cleaner_chore_switch"
    " clear_auths clear_block_cache clear_compaction_queues clear_deadservers clear_slowlog_responses close_region"
    " compact_rs compaction_switch decommission_regionservers disable_exceed_throttle_quota disable_peer"
    " disable_rpc_throttle disable_table_replication enable_exceed_throttle_quota enable_peer enable_rpc_throttle"
    " enable_table_replication flush_master_store get_auths get_balancer_decisions get_balancer_rejections"
    " get_largelog_responses get_namespace_rsgroup get_peer_config get_rsgroup get_server_rsgroup"
    " get_slowlog_responses get_table_rsgroup grant hbck_chore_run is_in_maintenance_mode"
    " list_decommissioned_regionservers list_labels list_locks list_peer_configs list_peers list_procedures"
    " list_quota_snapshots list_quota_table_sizes list_quotas list_replicated_tables list_rsgroups"
    " list_security_capabilities list_snapshot_sizes list_unknownservers move_namespaces_rsgroup"
    " move_servers_namespaces_rsgroup move_servers_rsgroup move_servers_tables_rsgroup move_tables_rsgroup"
    " peer_modification_enabled peer_modification_switch processlist recommission_regionserver regioninfo remove_peer"
    " remove_peer_exclude_namespaces remove_peer_exclude_tableCFs remove_peer_namespaces remove_peer_tableCFs"
    " remove_rsgroup remove_servers_rsgroup rename_rsgroup revoke rit set_auths set_peer_bandwidth"
    " set_peer_exclude_namespaces set_peer_exclude_tableCFs set_peer_namespaces set_peer_replicate_all set_peer_serial"
    " set_peer_tableCFs set_quota set_visibility show_peer_tableCFs show_rsgroup_config snapshot_cleanup_enabled"
    " snapshot_cleanup_switch stop_master stop_regionserver trace truncate_region unassign update_all_config"
    " update_config update_peer_config update_rsgroup_config user_permission wal_roll zk_dump ";

// A command that is not listed counts as one that writes.
constexpr std::string_view kReadingCommands =
    " alter_status balancer_enabled compaction_state count desc describe describe_namespace exists get get_counter"
    " get_splits get_table is_disabled is_enabled list list_deadservers list_disabled_tables list_enabled_tables"
    " list_liveservers list_namespace list_namespace_tables list_regions list_snapshots list_table_snapshots"
    " locate_region normalizer_enabled scan show_filters splitormerge_enabled status table_help version whoami ";

bool IsAmong(std::string_view name, std::string_view names) {
  return names.find(absl::StrCat(" ", AbslText(name), " ")) != std::string_view::npos;
}

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
      {"general", GeneralCommands()},
      {"ddl", DdlCommands()},
      {"namespace", NamespaceCommands()},
      {"dml", DmlCommands()},
      {"tools", ToolsCommands()},
      {"snapshots", SnapshotCommands()},
      {"test control", TestControlCommands()},
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

bool IsCommandOfHBaseOnly(std::string_view name) { return IsAmong(name, kCommandsOfHBaseOnly); }

bool IsReadingCommand(std::string_view name) { return IsAmong(name, kReadingCommands); }

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

std::string TextArgument(const Arguments& arguments, size_t i) {
  return arguments.size() > i ? arguments[i].ToText() : "";
}

absl::StatusOr<std::unique_ptr<client::Table>> OpenTable(Context& context, const Value& name) {
  VAQUITA_ASSIGN_OR_RETURN(const TableName table, TableArgument(name));
  return context.connection.GetTable(table);
}

absl::Status CheckNotCancelled(const Context& context, int64_t rows) {
  if (!context.is_cancelled || !context.is_cancelled()) return absl::OkStatus();
  return absl::CancelledError(absl::StrCat("ended after ", rows, " rows: no more is shown here. LIMIT reads fewer"));
}

bool Confirmed(Context& context, std::string_view question) {
  context.out << "\n" << question << "\n";
  const std::optional<std::string> answer = context.read_answer();
  return answer && (answer->find('y') != std::string::npos || answer->find('Y') != std::string::npos);
}

Arguments Flatten(const Arguments& arguments, size_t from) {
  Arguments flat;
  for (size_t i = from; i < arguments.size(); ++i) FlattenInto(arguments[i], &flat);
  return flat;
}

}  // namespace vaquita::shell
