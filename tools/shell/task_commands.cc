// processlist: the tasks of region servers. Source: hbase-shell's processlist.rb and taskmonitor.rb (2.6), which asks
// their info ports, as does this.
#include <algorithm>
#include <chrono>
#include <iterator>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "base/host_port.h"
#include "base/json_value.h"
#include "base/status.h"
#include "model/server_name.h"
#include "tools/connection/tool_tls.h"
#include "tools/http/http_get.h"
#include "tools/shell/command.h"
#include "tools/shell/server_names.h"

namespace vaquita::shell {
namespace {

constexpr std::chrono::seconds kPatience{10};

struct Task {
  std::string host;
  absl::Time started;
  std::string state;
  std::string description;
  std::string status;
  absl::Time status_since;
};

absl::Status NotReadable(const std::string& address) {
  return ShellError(absl::StrCat("the tasks of the server at ", address, " cannot be read"));
}

absl::StatusOr<std::vector<Task>> ReadTasks(const std::string& address, const std::string& host,
                                            const std::string& text) {
  const absl::StatusOr<Json> json = ParseJson(text);
  if (!json.ok() || !json->is_array()) return NotReadable(address);
  std::vector<Task> tasks;
  for (const Json& entry : *json) {
    if (!entry.is_object()) return NotReadable(address);
    const auto time = [&](const char* field) {
      const auto found = entry.find(field);
      return found != entry.end() ? TryIntegerOf(*found).value_or(-1) : int64_t{-1};
    };
    const auto words = [&](const char* field) {
      const auto found = entry.find(field);
      return found != entry.end() && found->is_string() ? found->get<std::string>() : std::string();
    };
    const int64_t start_ms = time("starttimems");
    const int64_t status_ms = time("statustimems");
    tasks.push_back({.host = host,
                     .started = absl::FromUnixMillis(start_ms),
                     .state = words("state"),
                     .description = words("description"),
                     .status = words("status"),
                     .status_since = absl::FromUnixMillis(status_ms < 0 ? start_ms : status_ms)});
  }
  std::reverse(tasks.begin(), tasks.end());  // the newest first
  return tasks;
}

absl::StatusOr<std::vector<Task>> TasksOf(const std::string& server, const ClusterStatus& status,
                                          const std::string& filter) {
  VAQUITA_ASSIGN_OR_RETURN(const ServerName name, ServerName::Parse(server));
  const auto metrics = std::find_if(status.servers.begin(), status.servers.end(),
                                    [&](const ServerMetrics& each) { return each.server_name == server; });
  if (metrics == status.servers.end()) return NoLiveServer(server);
  if (metrics->info_port <= 0) {
    return ShellError(absl::StrCat(server, " has no info port, which lists the tasks (hbase.regionserver.info.port)"));
  }
  const std::string address = JoinHostPort(name.host, metrics->info_port);
  VAQUITA_ASSIGN_OR_RETURN(const HttpAnswer answer,
                           HttpGet(address, "/rs-status?format=json&filter=" + filter, kPatience, ToolTlsOfAll()));
  return answer.status == 200 ? ReadTasks(address, name.host, answer.body) : NotReadable(address);
}

// Pads a text, or cuts it with dots at its end.
std::string Cell(const std::string& text, size_t width) {
  if (text.size() > width) return text.substr(0, width - 3) + "...";
  return text + std::string(width - text.size(), ' ');
}

void PrintTasks(const std::vector<Task>& tasks, std::ostream& out) {
  size_t longest_description = 0, longest_status = 0;
  for (const Task& task : tasks) {
    longest_description = std::max(longest_description, task.description.size());
    longest_status = std::max(longest_status, task.status.size());
  }
  const size_t widths[] = {15, 19, 8, std::min<size_t>(32, longest_description),
                           std::min<size_t>(36, longest_status + 27)};
  std::string separator = "+";
  for (const size_t width : widths) absl::StrAppend(&separator, std::string(width + 2, '-'), "+");
  const auto print = [&](const std::vector<std::string>& cells) {
    out << separator << "\n|";
    for (size_t i = 0; i < std::size(widths); ++i) out << " " << Cell(cells[i], widths[i]) << " |";
    out << "\n";
  };
  print({"Host", "Start Time", "State", "Description", "Status"});
  for (const Task& task : tasks) {
    const int64_t seconds = absl::ToInt64Seconds(absl::Now() - task.status_since);
    print({task.host, absl::FormatTime("%Y-%m-%d %H:%M:%S", task.started, absl::LocalTimeZone()), task.state,
           task.description, absl::StrFormat("%s (since %d seconds ago)", task.status, seconds)});
  }
  out << separator << "\n";
}

absl::StatusOr<Value> ProcessList(Context& context, Arguments& arguments) {
  std::string filter = "general";
  size_t servers_from = 0;
  for (const char* known : {"all", "general", "handler", "rpc", "operation"}) {
    if (TextArgument(arguments, 0) != known) continue;
    filter = known;
    servers_from = 1;
  }
  VAQUITA_ASSIGN_OR_RETURN(const std::vector<std::string> servers, ChosenServers(context, arguments, servers_from));
  VAQUITA_ASSIGN_OR_RETURN(const ClusterStatus status, context.admin.GetClusterStatus());
  std::vector<Task> tasks;
  for (const std::string& server : servers) {
    VAQUITA_ASSIGN_OR_RETURN(const std::vector<Task> more, TasksOf(server, status, filter));
    tasks.insert(tasks.end(), more.begin(), more.end());
  }
  context.out << tasks.size()
              << " tasks as of: " << absl::FormatTime("%Y-%m-%d %H:%M:%S", absl::Now(), absl::LocalTimeZone()) << "\n";
  if (tasks.empty()) {
    context.out << "No " << filter << " tasks currently running.\n";
  } else {
    PrintTasks(tasks, context.out);
  }
  return Value();
}

constexpr Command kTask[] = {
    {"processlist", 0, Command::kAnyNumber, ProcessList,
     "Lists what region servers do: 'general' (flushes and compactions, also those of the last minute), 'handler' and\n"
     "'rpc' (calls), 'operation' (calls for clients' data) or 'all'. The servers' info ports tell it.\n\n"
     "  hbase> processlist\n  hbase> processlist 'all'\n  hbase> processlist 'rpc', 'host187.example.com,16020'\n"},
};

}  // namespace

std::span<const Command> TaskCommands() { return kTask; }

}  // namespace vaquita::shell
