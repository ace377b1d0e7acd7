// Commands about the cluster and the shell. Source: hbase-shell's commands of the group general, and Admin.status
// (2.6).
#include <algorithm>
#include <fstream>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "base/clock.h"
#include "base/os_user.h"
#include "base/version.h"
#include "model/region_info.h"
#include "model/server_name.h"
#include "tools/shell/command.h"

namespace vaquita::shell {
namespace {

constexpr char kTableHelp[] = R"help(A variable can hold a table, and then its commands need no table name:

  hbase> t = create 't1', 'f1'
  hbase> t = get_table 't1'
  hbase> t.put 'r1', 'f1:q', 'value'
  hbase> t.scan LIMIT => 5
  hbase> t.flush
  hbase> t.disable
  hbase> t.drop

Any command whose first argument is a table can be called so.
)help";

// "host:port startcode" of "host,port,startcode".
std::string ServerText(const std::string& server_name) {
  const auto name = ServerName::Parse(server_name);
  return name.ok() ? absl::StrCat(name->Address(), " ", name->start_code) : server_name;
}

int64_t RoundedUpMegabytes(int64_t bytes) { return (bytes + (1 << 20) - 1) >> 20; }

// The sums of a server's, or the figures of a region's, in the words of HBase's ServerMetrics and RegionMetrics.
struct Load {
  int64_t stores = 0, store_files = 0, store_file_bytes = 0, memstore_bytes = 0, reads = 0, filtered_reads = 0,
          writes = 0;

  void Add(const RegionMetrics& region) {
    stores += static_cast<int64_t>(region.stores.size());
    store_files += region.store_files;
    store_file_bytes += region.store_file_bytes;
    memstore_bytes += region.memstore_bytes;
    reads += region.read_requests;
    filtered_reads += region.filtered_read_requests;
    writes += region.write_requests;
  }
  std::string Text() const {
    return absl::StrCat("numberOfStores=", stores, ", numberOfStorefiles=", store_files,
                        ", storefileSizeMB=", RoundedUpMegabytes(store_file_bytes),
                        ", memstoreSizeMB=", RoundedUpMegabytes(memstore_bytes), ", readRequestsCount=", reads,
                        ", filteredReadRequestsCount=", filtered_reads, ", writeRequestsCount=", writes);
  }
};

double RequestsPerSecond(const ServerMetrics& server) {
  const int64_t now_ms = Clock::System()->NowMs();
  return now_ms <= server.start_ms
             ? 0
             : 1000.0 * static_cast<double>(server.requests) / static_cast<double>(now_ms - server.start_ms);
}

std::string ServerLoadText(const ServerMetrics& server) {
  Load load;
  for (const RegionMetrics& region : server.regions) load.Add(region);
  return absl::StrFormat("requestsPerSecond=%.1f, numberOfOnlineRegions=%d, usedMemoryMB=%d, %s",
                         RequestsPerSecond(server), server.regions.size(), RoundedUpMegabytes(server.memory_bytes),
                         load.Text());
}

size_t RegionCount(const ClusterStatus& status) {
  size_t regions = 0;
  for (const ServerMetrics& server : status.servers) regions += server.regions.size();
  return regions;
}

void PrintSummary(std::ostream& out, const ClusterStatus& status) {
  const size_t servers = status.servers.size();
  const double average = servers == 0 ? 0 : static_cast<double>(RegionCount(status)) / static_cast<double>(servers);
  out << absl::StrFormat("1 active master, %d backup masters, %d servers, %d dead, %.4f average load\n",
                         status.backup_masters.size(), servers, status.dead_servers.size(), average);
}

void PrintRegions(std::ostream& out, const ServerMetrics& server) {
  for (const RegionMetrics& region : server.regions) {
    Load load;
    load.Add(region);
    out << "        \"" << ToStringBinary(region.info.Name()) << "\"\n            " << load.Text() << "\n";
  }
}

void PrintServers(std::ostream& out, const ClusterStatus& status, bool with_regions) {
  out << "active master:  " << ServerText(status.master) << "\n";
  out << status.backup_masters.size() << " backup masters\n";
  for (const std::string& master : status.backup_masters) out << "    " << ServerText(master) << "\n";
  out << status.servers.size() << " live servers\n";
  for (const ServerMetrics& server : status.servers) {
    out << "    " << ServerText(server.server_name) << "\n        " << ServerLoadText(server) << "\n";
    if (with_regions) PrintRegions(out, server);
  }
  out << status.dead_servers.size() << " dead servers\n";
  for (const std::string& server : status.dead_servers) out << "    " << server << "\n";
}

absl::StatusOr<Value> Status(Context& context, Arguments& arguments) {
  const std::string format = arguments.empty() ? "summary" : arguments[0].ToText();
  VAQUITA_ASSIGN_OR_RETURN(const ClusterStatus status, context.admin.GetClusterStatus());
  if (format == "detailed") {
    context.out << "version " << status.version << "\n" << status.regions_in_transition << " regionsInTransition\n";
    PrintServers(context.out, status, /*with_regions=*/true);
  } else if (format == "simple") {
    PrintServers(context.out, status, /*with_regions=*/false);
    int64_t load = 0;
    for (const ServerMetrics& server : status.servers) load += static_cast<int64_t>(RequestsPerSecond(server));
    context.out << "Aggregate load: " << load << ", regions: " << RegionCount(status) << "\n";
  } else {
    PrintSummary(context.out, status);
  }
  return Value();
}

absl::StatusOr<Value> Version(Context& context, Arguments&) {
  context.out << kVersion << ", Vaquita with the commands of HBase 2.6\n";
  return Value();
}

// Returns "" for a user who is not in /etc/passwd.
std::string GroupIdOf(const std::string& user) {
  std::ifstream file("/etc/passwd");
  for (std::string line; std::getline(file, line);) {
    const std::vector<std::string> fields = absl::StrSplit(line, ':');
    if (fields.size() > 3 && fields[0] == user) return fields[3];
  }
  return "";
}

// The user's own group comes first, then those of /etc/group that name the user.
std::vector<std::string> GroupNames(const std::string& user) {
  const std::string own = GroupIdOf(user);
  std::vector<std::string> names;
  std::ifstream file("/etc/group");
  for (std::string line; std::getline(file, line);) {
    const std::vector<std::string> fields = absl::StrSplit(line, ':');
    if (fields.size() < 4) continue;
    const std::vector<std::string> members = absl::StrSplit(fields[3], ',');
    if (fields[2] == own) {
      names.insert(names.begin(), fields[0]);
    } else if (std::find(members.begin(), members.end(), user) != members.end()) {
      names.push_back(fields[0]);
    }
  }
  return names;
}

absl::StatusOr<Value> WhoAmI(Context& context, Arguments&) {
  const std::string user = OsUserName();
  context.out << user << " (auth:SIMPLE)\n";
  const std::vector<std::string> groups = GroupNames(user);
  if (!groups.empty()) context.out << "    groups: " << absl::StrJoin(groups, ", ") << "\n";
  return Value();
}

absl::StatusOr<Value> TableHelp(Context& context, Arguments&) {
  context.out << kTableHelp;
  return Value();
}

constexpr Command kGeneralCommands[] = {
    {"status", 0, 2, Status,
     "Prints the cluster's state: 'summary' (which it is by default), 'simple' or 'detailed'.\n\n  hbase> status\n  "
     "hbase> status 'simple'\n  hbase> status 'detailed'\n"},
    {"version", 0, 0, Version, "Prints the version of this shell.\n"},
    {"whoami", 0, 0, WhoAmI, "Prints as whom this shell calls the cluster.\n"},
    {"table_help", 0, 0, TableHelp, kTableHelp},
};

}  // namespace

std::span<const Command> GeneralCommands() { return kGeneralCommands; }

}  // namespace vaquita::shell
