// server/master/balancer/cluster_picture.h: what the planners see of a cluster: numbers, and the names that a plan
// needs.
//
// Order: servers by name, tables by name, regions by table and start key (HBase's RegionInfo.COMPARATOR); so an index
// stands for its name, and a table's regions lie side by side. Memory: some 250 bytes a region and its keys.
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

// What a region asks of its server, over its last reports (load_history.h).
struct RegionLoad {
  double read_requests = 0;   // a second
  double write_requests = 0;  // a second
  double store_mb = 0;
  double memstore_mb = 0;  // what its memstore grows by in a minute: HBase weighs the growth, not the size
};

// A region, where it is.
struct PlacedRegion {
  RegionInfo info;
  std::string server;
  RegionLoad load;
  bool movable = true;  // one that is not counts, and stays
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

// `servers`: those that may have regions, each once. A region elsewhere (its server is dead, or being emptied) is not
// in the picture: whoever recovers or empties the server places it.
ClusterPicture TakePicture(std::vector<std::string> servers, std::vector<PlacedRegion> regions);

// How many regions each server has.
std::vector<int32_t> RegionCounts(const ClusterPicture& picture);

}  // namespace vaquita::balancer
