// server/master/balancer/testing/mock_cluster.h: clusters for tests, by each server's number of regions.
#pragma once

#include <string>
#include <vector>

#include "absl/strings/str_format.h"
#include "server/master/balancer/balance_plan.h"
#include "server/master/balancer/cluster_picture.h"
#include "server/master/balancer/dice.h"

namespace vaquita::balancer {

// Returns the clusters of HBase's own tests (BalancerTestBase.clusterStateMocks), as numbers of regions.
inline std::vector<std::vector<int>> HBaseClusters() {
  std::vector<int> large(560);
  large.push_back(56);
  return {{0},
          {1},
          {10},
          {0, 0},
          {2, 0},
          {2, 1},
          {2, 2},
          {2, 3},
          {2, 4},
          {1, 1},
          {0, 1},
          {10, 1},
          {514, 1432},
          {48, 53},
          {0, 1, 2},
          {1, 2, 3},
          {0, 2, 2},
          {0, 3, 0},
          {0, 4, 0},
          {20, 20, 0},
          {0, 1, 2, 3},
          {4, 0, 0, 0},
          {5, 0, 0, 0},
          {6, 6, 0, 0},
          {6, 2, 0, 0},
          {6, 1, 0, 0},
          {6, 0, 0, 0},
          {4, 4, 4, 7},
          {4, 4, 4, 8},
          {0, 0, 0, 7},
          {1, 1, 1, 1, 4},
          {1500, 500, 500, 500, 10, 0},
          {1500, 500, 500, 500, 500, 0},
          {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
          {0, 0, 0, 0, 0, 0, 0, 0, 0, 10},
          {6, 6, 5, 6, 6, 6, 6, 6, 6, 1},
          {0, 0, 0, 0, 0, 0, 0, 0, 0, 54},
          {0, 0, 0, 0, 0, 0, 0, 0, 0, 55},
          {0, 0, 0, 0, 0, 0, 0, 0, 0, 56},
          {0, 0, 0, 0, 0, 0, 0, 0, 0, 16},
          {1, 1, 1, 1, 1, 1, 1, 1, 1, 8},
          {1, 1, 1, 1, 1, 1, 1, 1, 1, 9},
          {1, 1, 1, 1, 1, 1, 1, 1, 1, 10},
          {1, 1, 1, 1, 1, 1, 1, 1, 1, 123},
          {1, 1, 1, 1, 1, 1, 1, 1, 1, 155},
          {10, 7, 12, 8, 11, 10, 9, 14},
          {13, 14, 6, 10, 10, 10, 8, 10},
          {130, 14, 60, 10, 100, 10, 80, 10},
          {130, 140, 60, 100, 100, 100, 80, 100},
          {0, 5, 5, 5, 5},
          large};
}

inline std::string MockServer(size_t number) { return absl::StrFormat("server%03d,16020,1", number); }

inline std::vector<std::string> MockServers(size_t count) {
  std::vector<std::string> servers;
  for (size_t i = 0; i < count; ++i) servers.push_back(MockServer(i));
  return servers;
}

// Returns one more region of `table`, newer than those before it.
inline PlacedRegion MockRegion(size_t number, const std::string& table, size_t server) {
  PlacedRegion region;
  region.info.table.qualifier = table;
  region.info.start_key = absl::StrFormat("row%07d", number);
  region.info.end_key = absl::StrFormat("row%07d", number + 1);
  region.info.id = 1'700'000'000'000 + static_cast<int64_t>(number);
  region.server = MockServer(server);
  return region;
}

// Region i of the cluster belongs to table i % tables.
inline ClusterPicture MockCluster(const std::vector<int>& counts, size_t tables = 1) {
  std::vector<PlacedRegion> regions;
  for (size_t server = 0; server < counts.size(); ++server) {
    for (int i = 0; i < counts[server]; ++i) {
      regions.push_back(MockRegion(regions.size(), absl::StrFormat("table%02d", regions.size() % tables), server));
    }
  }
  return TakePicture(MockServers(counts.size()), std::move(regions));
}

// Makes random servers, tables, loads and regions that must not move.
inline ClusterPicture RandomCluster(Dice* dice, bool all_movable) {
  const size_t servers = 1 + dice->Below(12);
  const size_t tables = 1 + dice->Below(4);
  const size_t crowded = 1 + dice->Below(servers);  // regions are on these
  std::vector<PlacedRegion> regions(dice->Below(150));
  for (size_t i = 0; i < regions.size(); ++i) {
    // The server after the last is dead, and not in the picture.
    const size_t server = dice->Below(20) == 0 ? servers : dice->Below(crowded);
    regions[i] = MockRegion(i, absl::StrFormat("table%02d", dice->Below(tables)), server);
    regions[i].movable = all_movable || dice->Below(8) != 0;
    regions[i].load = {.read_requests = dice->Below(10) == 0 ? dice->Below(5'000) : dice->Below(50) * 1.0,
                       .write_requests = dice->Below(100) * 1.0,
                       .store_mb = dice->Below(10'000) * 1.0,
                       .memstore_mb = dice->Below(128) * 1.0};
  }
  return TakePicture(MockServers(servers), std::move(regions));
}

// Returns the picture after the plan.
inline ClusterPicture After(ClusterPicture picture, const BalancePlan& plan) {
  for (const RegionMove& move : plan.moves) picture.regions[move.region].server = move.to;
  return picture;
}

}  // namespace vaquita::balancer
