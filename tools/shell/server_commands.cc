// Commands over region servers. Source: hbase-shell's commands of the group tools, and Admin.getServerNames (2.6).
#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "tools/shell/command.h"
#include "tools/shell/server_names.h"

namespace vaquita::shell {
namespace {

absl::StatusOr<Value> ListLiveServers(Context& context, Arguments&) {
  VAQUITA_ASSIGN_OR_RETURN(const ClusterStatus status, context.admin.GetClusterStatus());
  PrintNames(context, "SERVERNAME", LiveServers(status));
  return Value();
}

absl::StatusOr<Value> ListDeadServers(Context& context, Arguments&) {
  VAQUITA_ASSIGN_OR_RETURN(const ClusterStatus status, context.admin.GetClusterStatus());
  PrintNames(context, "SERVERNAME", status.dead_servers);
  return Value();
}

// Lists servers that hbase:meta names and the master does not know. A master begins with hbase:meta's, so it knows all.
absl::StatusOr<Value> ListUnknownServers(Context& context, Arguments&) {
  VAQUITA_RETURN_IF_ERROR(context.admin.GetClusterStatus().status());
  PrintNames(context, "SERVERNAME", {});
  return Value();
}

// The master forgets a dead server when another one starts at its address. HBase's clears one whose regions are
// elsewhere.
absl::StatusOr<Value> ClearDeadServers(Context& context, Arguments& arguments) {
  VAQUITA_ASSIGN_OR_RETURN(const ClusterStatus status, context.admin.GetClusterStatus());
  std::vector<std::string> servers;
  for (const Value& server : Flatten(arguments, 0)) servers.push_back(server.ToText());
  if (servers.empty()) servers = status.dead_servers;
  if (servers.empty()) {
    context.formatter.Row({"true"});
    return Value();
  }
  context.formatter.Row({"Some dead server clear failed"});
  PrintNames(context, "SERVERNAME", servers);
  return Value();
}

absl::StatusOr<Value> Decommission(Context& context, Arguments& arguments) {
  if (arguments[0].AsArray() == nullptr && arguments[0].AsString() == nullptr) {
    return NotOfType(arguments[0], "Array/String");
  }
  bool offload = false;
  if (arguments.size() > 1) {
    const bool is_boolean = arguments[1].AsBool() != nullptr || arguments[1].AsString() != nullptr;
    if (!is_boolean) return ShellError(absl::StrCat(arguments[1].ToText(), " is not a boolean value"));
    offload = arguments[1].ToText() == "true";
  }
  VAQUITA_ASSIGN_OR_RETURN(const ClusterStatus status, context.admin.GetClusterStatus());
  std::vector<std::string> servers;
  for (const Value& name : Flatten({arguments[0]}, 0)) {
    for (std::string& server : MatchingServers(LiveServers(status), name.ToText())) {
      servers.push_back(std::move(server));
    }
  }
  if (servers.empty()) {
    return ShellError(absl::StrCat("Could not find any server(s) with specified name(s): ", arguments[0].ToText()));
  }
  return NilOr(context.admin.DecommissionServers(servers, offload));
}

absl::StatusOr<Value> Recommission(Context& context, Arguments& arguments) {
  if (arguments[0].AsString() == nullptr) return NotOfType(arguments[0], "String");
  std::vector<std::string> regions;
  if (arguments.size() > 1) {
    if (arguments[1].AsArray() == nullptr) return NotOfType(arguments[1], "Array");
    for (const Value& region : Flatten({arguments[1]}, 0)) regions.push_back(region.ToText());
  }
  VAQUITA_ASSIGN_OR_RETURN(const ClusterStatus status, context.admin.GetClusterStatus());
  const auto server = FindServer(LiveServers(status), arguments[0].ToText());
  if (!server) return ShellError(absl::StrCat("Could not find any server with name ", arguments[0].ToText()));
  return NilOr(context.admin.RecommissionServer(*server, regions));
}

absl::StatusOr<Value> ListDecommissioned(Context& context, Arguments&) {
  VAQUITA_ASSIGN_OR_RETURN(const std::vector<std::string> servers, context.admin.ListDecommissionedServers());
  PrintNames(context, "DECOMMISSIONED REGION SERVERS", servers);
  return Value();
}

// Waits for each region's compaction, as `compact` of a region does.
absl::StatusOr<Value> CompactServer(Context& context, Arguments& arguments) {
  const std::string text = arguments[0].ToText();
  const bool major = arguments.size() > 1 && arguments[1].IsTruthy();
  VAQUITA_ASSIGN_OR_RETURN(const ClusterStatus status, context.admin.GetClusterStatus());
  const auto name = FindServer(LiveServers(status), text);
  const auto server = std::find_if(status.servers.begin(), status.servers.end(),
                                   [&](const ServerMetrics& each) { return name && each.server_name == *name; });
  if (server == status.servers.end()) {
    return NoLiveServer(text);
  }
  for (const RegionMetrics& region : server->regions) {
    if (region.info.replica_id != 0) continue;  // its files are its primary's
    VAQUITA_RETURN_IF_ERROR(context.admin.CompactRegion(region.info.EncodedName(), "", major));
  }
  return Value();
}

// The header is HBase's, brackets and quotes included.
absl::StatusOr<Value> CompactionSwitch(Context& context, Arguments& arguments) {
  const bool on = SwitchArgument(arguments[0]);
  VAQUITA_ASSIGN_OR_RETURN(const std::vector<std::string> servers, ChosenServers(context, arguments, 1));
  context.formatter.Header({"['SERVER'", "'PREV_STATE']"});
  for (const std::string& server : servers) {
    VAQUITA_ASSIGN_OR_RETURN(const bool was_on, context.admin.SwitchCompactions(server, on));
    context.formatter.Row({server, was_on ? "true" : "false"});
  }
  context.formatter.Footer(static_cast<int64_t>(servers.size()));
  return Value();
}

// There is no such mode here.
absl::StatusOr<Value> IsInMaintenanceMode(Context& context, Arguments&) {
  VAQUITA_RETURN_IF_ERROR(context.admin.GetClusterStatus().status());
  return PrintFlag(context, false);
}

constexpr Command kServerCommands[] = {
    {"list_liveservers", 0, 0, ListLiveServers, "Lists the live region servers.\n\n  hbase> list_liveservers\n"},
    {"list_deadservers", 0, 0, ListDeadServers, "Lists the dead region servers.\n\n  hbase> list_deadservers\n"},
    {"list_unknownservers", 0, 0, ListUnknownServers,
     "Lists the servers that hbase:meta names and the master does not know.\n\n  hbase> list_unknownservers\n"},
    {"clear_deadservers", 0, Command::kAnyNumber, ClearDeadServers,
     "Forgets dead region servers, all or some, in HBase. This master forgets one when another starts at its address,\n"
     "so all are listed as not cleared.\n\n  hbase> clear_deadservers\n  hbase> clear_deadservers "
     "'HOST,PORT,STARTCODE'\n"},
    {"list_decommissioned_regionservers", 0, 0, ListDecommissioned,
     "Lists the region servers that get no regions.\n\n  hbase> list_decommissioned_regionservers\n"},
    {"decommission_regionservers", 1, 2, Decommission,
     "Gives region servers no more regions. With true, their regions move away; the command does not wait for that.\n\n"
     "  hbase> decommission_regionservers 'HOST'\n  hbase> decommission_regionservers 'HOST,PORT,STARTCODE', true\n  "
     "hbase> decommission_regionservers ['HOST1', 'HOST2'], true\n"},
    {"recommission_regionserver", 1, 2, Recommission,
     "Gives a decommissioned region server regions again; those that are listed move there.\n\n  hbase> "
     "recommission_regionserver 'HOST,PORT,STARTCODE'\n  hbase> recommission_regionserver 'HOST', "
     "['ENCODED_REGION_NAME']\n"},
    {"compact_rs", 1, 2, CompactServer,
     "Compacts all regions of a region server; with true, a major compaction.\n\n  hbase> compact_rs "
     "'HOST,PORT,STARTCODE'\n  hbase> compact_rs 'HOST,PORT,STARTCODE', true\n"},
    {"compaction_switch", 1, Command::kAnyNumber, CompactionSwitch,
     "Turns the compactions of region servers on or off, of all or of some, until they end; prints what they were.\n\n "
     " "
     "hbase> compaction_switch false\n  hbase> compaction_switch true, 'HOST,PORT,STARTCODE'\n"},
    {"is_in_maintenance_mode", 0, 0, IsInMaintenanceMode,
     "Tells whether the master is in maintenance mode, which Vaquita does not have.\n\n  hbase> "
     "is_in_maintenance_mode\n"},
};

}  // namespace

std::span<const Command> ServerCommands() { return kServerCommands; }

}  // namespace vaquita::shell
