// server/master/procedure/regions_by_server.h: regions by the server that has their data, which is where most of what
// is done to them is done; and servers for new ones.
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
  std::shared_ptr<RegionServerControl> server;  // null: it does not live
  std::vector<AssignedRegion> regions;
};

std::vector<HomeGroup> ByHome(const MasterParts& master, const std::vector<AssignedRegion>& regions);

// The server of an open region. kNotServingRegion: the region is nowhere, or where no server lives.
absl::StatusOr<std::shared_ptr<RegionServerControl>> ServerOf(const MasterParts& master, const AssignedRegion& region);

// Gives each of these new regions a home, in turn; they are in `state` there. Unanswered: no server lives.
absl::StatusOr<std::vector<AssignedRegion>> Spread(const MasterParts& master, const std::vector<RegionInfo>& infos,
                                                   RegionState state);

// Has `act` done at each home of `regions`, for some of them at a time, kRegionsPerStep at most. Unanswered: a home
// does not live.
absl::Status AtHome(const MasterParts& master, const std::vector<AssignedRegion>& regions,
                    absl::FunctionRef<absl::Status(RegionServerControl&, const std::vector<AssignedRegion>&)> act);

// Drops what there is of closed regions: at home, and if they were handed over. What fails at one home does not
// keep it from the others.
absl::Status DropAtHome(MasterParts& master, const std::vector<AssignedRegion>& regions, const TableDescriptor& table);
// Drops regions that meta has no more. Homes that do not live, or die meanwhile, drop what no region has when
// they are recovered, or start again.
absl::Status DropOldRegions(MasterParts& master, const std::vector<AssignedRegion>& regions,
                            const TableDescriptor& table);

}  // namespace vaquita
