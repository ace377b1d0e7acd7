// server/master/procedure/regions_by_server.h: groups regions by the server that has their data, and chooses servers
// for new regions.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "server/control/region_server_control.h"
#include "server/master/meta/assigned_region.h"

namespace vaquita {

struct MasterParts;

// Regions of one home, in their order.
struct HomeGroup {
  std::string server_name;
  std::shared_ptr<RegionServerControl> server;  // null: it is not online
  std::vector<AssignedRegion> regions;
};

std::vector<HomeGroup> ByHome(const MasterParts& master, const std::vector<AssignedRegion>& regions);

// Returns the server of an open region; kNotServingRegion if no server has the region, or its server is not online.
absl::StatusOr<std::shared_ptr<RegionServerControl>> ServerOf(const MasterParts& master, const AssignedRegion& region);

// Gives the new regions homes on all servers in turn, in `state`. Unanswered if no server is online.
absl::StatusOr<std::vector<AssignedRegion>> Spread(const MasterParts& master, const std::vector<RegionInfo>& infos,
                                                   RegionState state);

// Calls `act` for each home of `regions`, with at most kRegionsPerStep regions at a time. Unanswered if a home is not
// online.
absl::Status AtHome(const MasterParts& master, const std::vector<AssignedRegion>& regions,
                    absl::FunctionRef<absl::Status(RegionServerControl&, const std::vector<AssignedRegion>&)> act);

// Drops the stores and handoffs of closed regions. After an error at one home it goes on with the others.
absl::Status DropAtHome(MasterParts& master, const std::vector<AssignedRegion>& regions, const TableDescriptor& table);
// Drops regions that hbase:meta no longer has. A home that is not online, or dies meanwhile, sets their stores aside
// when it is recovered or starts again (server/data_root/sideline.h).
absl::Status DropOldRegions(MasterParts& master, const std::vector<AssignedRegion>& regions,
                            const TableDescriptor& table);

}  // namespace vaquita
