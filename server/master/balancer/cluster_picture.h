// server/master/balancer/cluster_picture.h: a cluster as the planners see it: numbers, and the names that a plan needs.
//
// Order: servers by name, tables by name, regions by table and start key (HBase's RegionInfo.COMPARATOR); so indexes
// have the order of names, and a table's regions lie side by side. Memory: some 250 bytes a region, and its keys.
// Threads: plain data.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/region_info.h"
#include "model/table_name.h"

namespace vaquita::balancer {

using ServerIndex = int32_t;
using TableIndex = int32_t;
using RegionIndex = int32_t;
inline constexpr int32_t kNone = -1;

// A region's load on its server, over its last reports (load_history.h).
struct RegionLoad {
  double read_requests = 0;   // a second
  double write_requests = 0;  // a second
  double store_mb = 0;
  double memstore_mb = 0;  // its memstore's growth in a minute: HBase weighs the growth, not the size
};

// A region, where it is.
struct PlacedRegion {
  RegionInfo info;
  std::string server;
  RegionLoad load;
  bool movable = true;  // if false, it counts but does not move
};

struct PicturedRegion {
  RegionInfo info;
  TableIndex table = 0;
  ServerIndex server = 0;
  RegionLoad load;
  bool movable = true;
};

struct ClusterPicture {
  std::vector<std::string> servers;
  std::vector<TableName> tables;
  std::vector<PicturedRegion> regions;
};

// `servers` are those that may have regions, each once. A region elsewhere (its server is dead, or being emptied) is
// left out of the picture, because the recovery or the decommission places it.
ClusterPicture TakePicture(std::vector<std::string> servers, std::vector<PlacedRegion> regions);

// Returns each server's number of regions.
std::vector<int32_t> RegionCounts(const ClusterPicture& picture);

}  // namespace vaquita::balancer
