#include "console/cluster_reader.h"

#include <map>
#include <utility>

#include "base/clock.h"
#include "base/status.h"
#include "server/master/master.h"
#include "server/regionserver/region_server.h"

namespace vaquita {
namespace {

constexpr int64_t kFreshMs = 500;

absl::StatusOr<TableSummary> SummaryOf(const Master& master, const TableName& name) {
  TableSummary summary{.name = name, .state = TableState::kEnabled, .descriptor = nullptr};
  VAQUITA_ASSIGN_OR_RETURN(summary.descriptor, master.GetDescriptor(name));
  VAQUITA_ASSIGN_OR_RETURN(summary.state, master.GetTableState(name));
  return summary;
}

std::map<TableName, TableSummary> SummariesOf(const RegionServer& server) {
  std::map<TableName, TableSummary> tables;
  for (const auto& region : server.Regions()) {
    const TableName& name = region->info().table;
    if (!tables.contains(name)) tables[name] = {name, TableState::kEnabled, region->table()};
  }
  return tables;
}

}  // namespace

absl::StatusOr<std::shared_ptr<const ClusterStatus>> ClusterReader::Status() {
  const std::lock_guard lock(mutex_);
  const int64_t now_ms = source_.clock->NowMs();
  if (status_ != nullptr && now_ms >= read_ms_ && now_ms < read_ms_ + kFreshMs) return status_;
  VAQUITA_ASSIGN_OR_RETURN(ClusterStatus status, ReadStatus());
  status_ = std::make_shared<const ClusterStatus>(std::move(status));
  read_ms_ = now_ms;
  return status_;
}

absl::StatusOr<MasterMetrics> ClusterReader::OfMaster() const {
  return ReadFrom(source_.with_master,
                  [](Master* master) -> absl::StatusOr<MasterMetrics> { return master->Metrics(); });
}

absl::StatusOr<ClusterStatus> ClusterReader::ReadStatus() const {
  if (has_master()) {
    return ReadFrom(source_.with_master,
                    [](Master* master) -> absl::StatusOr<ClusterStatus> { return master->Status(); });
  }
  return ReadFrom(source_.with_region_server, [](RegionServer* server) -> absl::StatusOr<ClusterStatus> {
    ClusterStatus status;
    status.servers.push_back(server->Metrics());
    return status;
  });
}

absl::StatusOr<std::vector<TableSummary>> ClusterReader::Tables() const {
  using Tables = std::vector<TableSummary>;
  if (has_master()) {
    return ReadFrom(source_.with_master, [](Master* master) -> absl::StatusOr<Tables> {
      Tables tables;
      for (const TableName& name : master->ListTables(/*system=*/false)) {
        // One that was dropped meanwhile is left out.
        if (auto summary = SummaryOf(*master, name); summary.ok()) tables.push_back(*std::move(summary));
      }
      return tables;
    });
  }
  return ReadFrom(source_.with_region_server, [](RegionServer* server) -> absl::StatusOr<Tables> {
    Tables tables;
    for (auto& [name, summary] : SummariesOf(*server)) tables.push_back(std::move(summary));
    return tables;
  });
}

absl::StatusOr<TableSummary> ClusterReader::Table(const TableName& name) const {
  if (has_master()) {
    return ReadFrom(source_.with_master, [&](Master* master) { return SummaryOf(*master, name); });
  }
  return ReadFrom(source_.with_region_server, [&](RegionServer* server) -> absl::StatusOr<TableSummary> {
    auto tables = SummariesOf(*server);
    const auto its = tables.find(name);
    if (its == tables.end()) return absl::NotFoundError("no region of table " + name.ToString() + " is here");
    return std::move(its->second);
  });
}

absl::StatusOr<std::vector<AssignedRegion>> ClusterReader::Regions(const TableName& table) const {
  if (has_master()) {
    return ReadFrom(source_.with_master, [&](Master* master) { return master->GetRegions(table); });
  }
  return ReadFrom(source_.with_region_server, [&](RegionServer* server) -> absl::StatusOr<std::vector<AssignedRegion>> {
    std::vector<AssignedRegion> regions;
    for (const auto& region : server->Regions()) {
      if (region->info().table != table) continue;
      regions.push_back({region->info(), RegionState::kOpen, server->server_name(), server->server_name()});
    }
    return regions;
  });
}

}  // namespace vaquita
