#include "tools/lab/cluster_readings.h"

#include <map>
#include <utility>

#include "base/status.h"
#include "client/admin.h"
#include "tools/connection/open_for_tool.h"
#include "tools/connection/tool_tls.h"

namespace vaquita {

absl::StatusOr<std::vector<ServerMetrics>> ClusterReadings::Read() {
  auto servers = ReadOnce();
  if (!servers.ok()) connection_.reset();
  return servers;
}

// Counters come from the servers themselves, because a master has those of the last reports.
absl::StatusOr<std::vector<ServerMetrics>> ClusterReadings::ReadOnce() {
  std::vector<TableName> tables;
  if (!table_.empty()) {
    VAQUITA_ASSIGN_OR_RETURN(tables.emplace_back(), TableName::Parse(table_));
  }
  if (connection_ == nullptr && patient_) {
    VAQUITA_ASSIGN_OR_RETURN(connection_, cluster_.Connect());
  } else if (connection_ == nullptr) {
    constexpr int64_t kMostMs = 2000;
    VAQUITA_ASSIGN_OR_RETURN(connection_, client::Connection::Open({.address = cluster_.Address(),
                                                                    .tls = ToolTls(),
                                                                    .token = ToolToken(),
                                                                    .retries = 3,
                                                                    .operation_timeout_ms = kMostMs,
                                                                    .rpc_timeout_ms = kMostMs}));
  }
  const auto admin = connection_->GetAdmin();
  if (table_.empty()) {
    VAQUITA_ASSIGN_OR_RETURN(tables, admin->ListTableNames());
  }
  std::map<std::string, ServerMetrics> servers;  // by name
  for (const TableName& name : tables) {
    const auto locations = admin->GetRegions(name);
    if (table_.empty() && absl::IsNotFound(locations.status())) continue;  // it was dropped a moment ago
    VAQUITA_RETURN_IF_ERROR(locations.status());
    VAQUITA_ASSIGN_OR_RETURN(std::vector<RegionMetrics> regions, admin->GetRegionMetrics(name));
    std::map<std::string, std::string> server_of;
    for (const client::RegionLocation& location : *locations) {
      server_of[location.info.EncodedName()] = location.server_name;
    }
    for (RegionMetrics& region : regions) {
      const std::string& server = server_of[region.info.EncodedName()];
      servers[server].server_name = server;
      servers[server].regions.push_back(std::move(region));
    }
  }
  std::vector<ServerMetrics> list;
  for (auto& [name, server] : servers) list.push_back(std::move(server));
  return list;
}

}  // namespace vaquita
