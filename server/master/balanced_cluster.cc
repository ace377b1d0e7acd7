#include "server/master/balanced_cluster.h"

#include <set>
#include <utility>

#include "server/master/master.h"

namespace vaquita {
namespace {

// Takes the regions of every table that is not disabled, and not the master's own. A table may be deleted meanwhile.
std::vector<AssignedRegion> RegionsOfEnabledTables(const Master& master) {
  std::vector<AssignedRegion> all;
  for (const TableName& table : master.ListTables(/*system=*/true)) {
    if (IsMastersOwn(table)) continue;
    const auto state = master.GetTableState(table);
    if (!state.ok() || *state == TableState::kDisabled || *state == TableState::kDisabling) continue;
    const auto regions = master.GetRegions(table);
    if (regions.ok()) all.insert(all.end(), regions->begin(), regions->end());
  }
  return all;
}

}  // namespace

// A region on a server that does not live is one that a recovery has not come to yet.
balancer::BalancerConditions BalancedCluster::Conditions() const {
  balancer::BalancerConditions conditions;
  conditions.switched_on = master_->IsOn(MasterSwitch::kBalancer);
  conditions.initialized = master_->initialized();
  const ClusterStatus status = master_->Status();
  std::set<std::string> live;
  for (const ServerMetrics& server : status.servers) live.insert(server.server_name);
  std::set<std::string> dead;
  for (const AssignedRegion& region : RegionsOfEnabledTables(*master_)) {
    if (region.state != RegionState::kOpen) {
      if (status.regions_in_transition > 0) conditions.regions_in_transition.push_back(region.info.EncodedName());
    } else if (!live.contains(region.server_name)) {
      dead.insert(region.server_name);
    }
  }
  conditions.dead_servers.assign(dead.begin(), dead.end());
  return conditions;
}

std::vector<ServerMetrics> BalancedCluster::Reports() const {
  std::vector<ServerMetrics> reports = master_->Status().servers;
  for (const std::string& emptied : master_->DecommissionedServers()) {
    std::erase_if(reports, [&](const ServerMetrics& report) { return report.server_name == emptied; });
  }
  return reports;
}

absl::Status BalancedCluster::Move(const std::string& region, const std::string& server,
                                   std::optional<int64_t> at_most_ms) {
  return master_->MoveRegion(region, server, at_most_ms);
}

// A region that is closing, splitting or merging is on its way already. Source: RegionStates.getAssignmentsForBalancer.
std::vector<balancer::PlacedRegion> BalancedCluster::Regions() const {
  std::vector<balancer::PlacedRegion> placed;
  for (AssignedRegion& region : RegionsOfEnabledTables(*master_)) {
    if (region.state != RegionState::kOpen && region.state != RegionState::kOpening) continue;
    placed.push_back({.info = std::move(region.info), .server = std::move(region.server_name)});
  }
  return placed;
}

}  // namespace vaquita
