#include "tools/shell/command.h"

#include <initializer_list>
#include <map>

#include "absl/strings/str_cat.h"
#include "base/absl_text.h"

namespace vaquita::shell {
namespace {

// A command that is not listed counts as one that writes.
constexpr std::string_view kReadingCommands =
    " alter_status balancer_enabled catalogjanitor_enabled cleaner_chore_enabled compaction_state count desc describe "
    "describe_namespace"
    " exists get get_balancer_decisions get_balancer_rejections get_counter get_largelog_responses "
    "get_namespace_rsgroup"
    " get_peer_config get_slowlog_responses get_splits get_table hbck_chore_run is_disabled is_enabled"
    " is_in_maintenance_mode list list_deadservers list_peer_configs list_peers list_quota_snapshots"
    " list_quota_table_sizes list_quotas list_snapshot_sizes"
    " list_decommissioned_regionservers list_disabled_tables list_enabled_tables list_liveservers list_locks"
    " list_namespace list_namespace_tables list_procedures list_regions list_replicated_tables"
    " list_security_capabilities list_snapshots list_table_snapshots list_unknownservers locate_region"
    " normalizer_enabled peer_modification_enabled processlist regioninfo rit scan show_filters show_peer_tableCFs"
    " snapshot_cleanup_enabled splitormerge_enabled status table_help version whoami zk_dump ";

bool IsAmong(std::string_view name, std::string_view names) {
  return names.find(absl::StrCat(" ", AbslText(name), " ")) != std::string_view::npos;
}

std::vector<Command> Joined(std::initializer_list<std::span<const Command>> parts) {
  std::vector<Command> commands;
  for (const std::span<const Command> part : parts) commands.insert(commands.end(), part.begin(), part.end());
  return commands;
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
      {"general", Joined({GeneralCommands(), TaskCommands()})},
      {"ddl", Joined({DdlCommands()})},
      {"namespace", Joined({NamespaceCommands()})},
      {"dml", Joined({DmlCommands()})},
      {"tools", Joined({ToolsCommands(), SwitchCommands(), ServerCommands(), ChoreCommands(), RecordCommands(),
                        StopCommands()})},
      {"replication", Joined({ReplicationCommands(), PeerCommands()})},
      {"snapshots", Joined({SnapshotCommands()})},
      {"configuration", Joined({ConfigurationCommands(), OffConfigurationCommands()})},
      {"quotas", Joined({QuotaCommands()})},
      {"security", Joined({SecurityCommands()})},
      {"procedures", Joined({ProcedureCommands()})},
      {"visibility labels", Joined({OffLabelCommands()})},
      {"rsgroup", Joined({OffServerGroupCommands()})},
      {"storefiletracker", Joined({TrackerCommands()})},
      {"test control", Joined({TestControlCommands()})},
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
    commands["hlog_roll"] = commands["wal_roll"];
    return commands;
  }();
  const auto found = kCommands.find(name);
  return found == kCommands.end() ? nullptr : found->second;
}

bool IsReadingCommand(std::string_view name) { return IsAmong(name, kReadingCommands); }

absl::Status ShellError(std::string_view message) { return absl::InvalidArgumentError(AbslText(message)); }

absl::Status NotOfType(const Value& value, std::string_view type) {
  return ShellError(
      absl::StrCat(AbslText(value.ClassName()), " of ", value.Inspect(), " is not of ", AbslText(type), " type"));
}

absl::StatusOr<std::string> NameArgument(const Value& value, std::string_view what) {
  if (const auto* reference = std::get_if<TableReference>(&value.kind)) return reference->table;
  if (const std::string* name = value.AsString()) return *name;
  return ShellError(absl::StrCat(AbslText(what), " name must be of type String"));
}

bool SwitchArgument(const Value& value) { return value == Value(true) || value.ToText() == "true"; }

absl::StatusOr<TableName> TableArgument(const Value& value) {
  VAQUITA_ASSIGN_OR_RETURN(const std::string name, NameArgument(value, "Table"));
  return TableName::Parse(name);
}

std::string TextArgument(const Arguments& arguments, size_t i) {
  return arguments.size() > i ? arguments[i].ToText() : "";
}

absl::StatusOr<Hash> OptionsArgument(const Arguments& arguments, size_t i, std::string_view error) {
  if (arguments.size() <= i) return Hash();
  const Hash* options = arguments[i].AsHash();
  if (options == nullptr) return ShellError(error);
  return *options;
}

absl::StatusOr<std::unique_ptr<client::Table>> OpenTable(Context& context, const Value& name) {
  VAQUITA_ASSIGN_OR_RETURN(const TableName table, TableArgument(name));
  return context.connection.GetTable(table);
}

absl::Status CheckNotCancelled(const Context& context, int64_t rows) {
  if (!context.is_cancelled || !context.is_cancelled()) return absl::OkStatus();
  return absl::CancelledError(absl::StrCat("ended after ", rows, " rows: no more is shown here. LIMIT reads fewer"));
}

absl::StatusOr<Value> NilOr(const absl::Status& status) {
  VAQUITA_RETURN_IF_ERROR(status);
  return Value();
}

Value PrintNames(Context& context, std::string_view header, const std::vector<std::string>& names) {
  context.formatter.Header({std::string(header)});
  for (const std::string& name : names) context.formatter.Row({name});
  context.formatter.Footer(static_cast<int64_t>(names.size()));
  return Array(names.begin(), names.end());
}

Value PrintFlag(Context& context, bool flag, std::string_view label) {
  context.formatter.Row({absl::StrCat(AbslText(label), flag ? "true" : "false")});
  return Value(flag);
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
