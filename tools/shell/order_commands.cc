// Orders to a server's process: to stop, and to read its configuration again. Source: hbase-shell's stop_master.rb,
// stop_regionserver.rb, update_config.rb and update_all_config.rb, Addressing.parseHostname (2.6).
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/host_port.h"
#include "base/status.h"
#include "tools/shell/command.h"
#include "tools/shell/server_names.h"

namespace vaquita::shell {
namespace {

absl::StatusOr<Value> StopMaster(Context& context, Arguments&) { return NilOr(context.admin.StopMaster()); }

// HBase takes "host:port" alone; a server's whole name, which other commands take, is as good.
absl::StatusOr<Value> StopRegionServer(Context& context, Arguments& arguments) {
  const std::string text = arguments[0].ToText();
  if (text.find_first_of(":,") == std::string::npos) {
    return ShellError(absl::StrCat("Not a host:port pair: ", text));
  }
  VAQUITA_ASSIGN_OR_RETURN(const ClusterStatus status, context.admin.GetClusterStatus());
  const std::vector<std::string> live = LiveServers(status);
  const bool is_name = absl::StrContains(text, ',');
  const std::optional<std::string> server =
      FindServer(live, is_name ? text : absl::StrCat(HostIn(text), ",", PortIn(text)));
  if (!server.has_value()) return NoLiveServer(text);
  return NilOr(context.admin.StopServer(*server));
}

absl::StatusOr<Value> UpdateConfig(Context& context, Arguments& arguments) {
  return NilOr(context.admin.UpdateConfiguration(arguments[0].ToText()));
}

absl::StatusOr<Value> UpdateAllConfig(Context& context, Arguments&) {
  VAQUITA_ASSIGN_OR_RETURN(const ClusterStatus status, context.admin.GetClusterStatus());
  std::vector<std::string> servers = LiveServers(status);
  servers.push_back(status.master);
  absl::Status first;  // each server is asked, whatever another answered
  for (const std::string& server : servers) {
    const absl::Status updated = context.admin.UpdateConfiguration(server);
    if (first.ok() && !updated.ok()) first = Annotate(updated, server);
  }
  return NilOr(first);
}

constexpr Command kStops[] = {
    {"stop_master", 0, 0, StopMaster,
     "Stops the active master. A standalone server is one process, which ends. `vaquita cluster` starts it again,\n"
     "unless it runs with --no-restart.\n\n  hbase> stop_master\n"},
    {"stop_regionserver", 1, 1, StopRegionServer,
     "Stops a region server; its regions move away first. `vaquita cluster` starts it again, unless it runs with\n"
     "--no-restart.\n\n  hbase> stop_regionserver 'hostname:port'\n"},
};

constexpr Command kConfigurations[] = {
    {"update_config", 1, 1, UpdateConfig,
     "Makes a server, or the master, read its configuration again. What may change while it runs holds at once; the\n"
     "error names other settings that have changed, and need a restart (docs/configuration.md).\n\n  hbase> "
     "update_config 'host187.example.com,16020,1289493121758'\n"},
    {"update_all_config", 0, 0, UpdateAllConfig,
     "Makes all servers and the master read their configuration again.\n\n  hbase> update_all_config\n"},
};

}  // namespace

std::span<const Command> StopCommands() { return kStops; }
std::span<const Command> ConfigurationCommands() { return kConfigurations; }

}  // namespace vaquita::shell
