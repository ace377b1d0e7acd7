#include "server/master/procedure/regions_by_server.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/log.h"
#include "base/status.h"
#include "model/encoded_names.h"
#include "server/data_root/handoff.h"
#include "server/master/procedure/master_parts.h"
#include "server/master/procedure/table_regions.h"

namespace vaquita {

std::vector<HomeGroup> ByHome(const MasterParts& master, const std::vector<AssignedRegion>& regions) {
  std::map<std::string, HomeGroup> groups;
  for (const AssignedRegion& region : regions) groups[region.home].regions.push_back(region);
  std::vector<HomeGroup> result;
  for (auto& [name, group] : groups) {
    group.server_name = name;
    if (auto server = master.servers.Find(name); server.ok()) group.server = *std::move(server);
    result.push_back(std::move(group));
  }
  return result;
}

absl::StatusOr<std::shared_ptr<RegionServerControl>> ServerOf(const MasterParts& master, const AssignedRegion& region) {
  auto server = master.servers.Find(region.server_name);
  if (server.ok()) return server;
  return Error(ErrorKind::kNotServingRegion,
               region.info.EncodedName() + " is not online, state=" + std::string(RegionStateName(region.state)));
}

absl::Status AtHome(const MasterParts& master, const std::vector<AssignedRegion>& regions,
                    absl::FunctionRef<absl::Status(RegionServerControl&, const std::vector<AssignedRegion>&)> act) {
  for (const HomeGroup& group : ByHome(master, regions)) {
    if (group.server == nullptr) {
      return Unanswered("region server " + group.server_name + ", which has " +
                        group.regions.front().info.EncodedName() + ", is not online");
    }
    for (size_t first = 0; first < group.regions.size(); first += kRegionsPerStep) {
      const auto begin = group.regions.begin() + static_cast<ptrdiff_t>(first);
      const size_t size = std::min(group.regions.size() - first, kRegionsPerStep);
      VAQUITA_RETURN_IF_ERROR(act(*group.server, {begin, begin + static_cast<ptrdiff_t>(size)}));
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<AssignedRegion>> Spread(const MasterParts& master, const std::vector<RegionInfo>& infos,
                                                   RegionState state) {
  const std::vector<std::string> servers = master.assigner->ServersForNewRegions();
  if (servers.empty()) return Unanswered("no region server is online yet");
  std::vector<AssignedRegion> regions;
  regions.reserve(infos.size());
  for (const RegionInfo& info : infos) {
    // So that tables of one region do not all come to the first server.
    const size_t turn = static_cast<size_t>(info.id) + regions.size();
    const std::string& home = servers[turn % servers.size()];
    regions.push_back({info, state, state == RegionState::kOpen ? home : "", home});
  }
  return regions;
}

absl::Status DropAtHome(MasterParts& master, const std::vector<AssignedRegion>& regions, const TableDescriptor& table) {
  absl::Status failed, unanswered;
  for (const HomeGroup& group : ByHome(master, regions)) {
    const std::vector<std::string> names = EncodedNames(group.regions);
    const absl::Status dropped = group.server == nullptr ? absl::OkStatus() : group.server->DropRegions(names, table);
    const bool no_answer = IsUnanswered(dropped);
    (no_answer ? unanswered : failed).Update(dropped);
    if (!dropped.ok() && !no_answer) continue;
    for (const std::string& name : names) failed.Update(RemoveHandoff(master.options.root, name));
  }
  return failed.ok() ? unanswered : failed;
}

absl::Status DropOldRegions(MasterParts& master, const std::vector<AssignedRegion>& regions,
                            const TableDescriptor& table) {
  const absl::Status dropped = DropAtHome(master, regions, table);
  if (!IsUnanswered(dropped)) return dropped;
  spdlog::info("old regions of {} go later: {}", table.name.ToString(), dropped.ToString());
  return absl::OkStatus();
}

}  // namespace vaquita
