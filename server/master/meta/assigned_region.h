// server/master/meta/assigned_region.h: a region and its place in the cluster, as hbase:meta and the catalog have it.
#pragma once

#include <string>
#include <vector>

#include "model/cluster_status.h"
#include "model/region_info.h"

namespace vaquita {

struct AssignedRegion {
  RegionInfo info;
  RegionState state = RegionState::kOffline;
  std::string server_name;  // the server where it is open or opening; empty if it is closed
  std::string home;         // the server that has its data, unless they were handed over; empty if it has no data yet
};

inline std::vector<RegionInfo> InfosOf(const std::vector<AssignedRegion>& regions) {
  std::vector<RegionInfo> infos;
  infos.reserve(regions.size());
  for (const AssignedRegion& region : regions) infos.push_back(region.info);
  return infos;
}

}  // namespace vaquita
