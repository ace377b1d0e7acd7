// server/master/balancer/testing/large_cluster.h: a large cluster out of balance in every way, always the same.
#pragma once

#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "server/master/balancer/cluster_picture.h"
#include "server/master/balancer/dice.h"

namespace vaquita::balancer {

// A tenth of the servers is new and empty; regions are at random on the others. There is a table for each 2,000
// regions. One region in a hundred is hot, and most of the hot ones are on a hundredth of the servers.
inline ClusterPicture LargeCluster(size_t servers, size_t regions) {
  Dice dice(42);
  std::vector<std::string> names;
  for (size_t i = 0; i < servers; ++i) names.push_back(absl::StrFormat("host%04d.example.org,16020,1700000000000", i));
  std::vector<PlacedRegion> placed(regions);
  for (size_t i = 0; i < regions; ++i) {
    PlacedRegion& region = placed[i];
    region.info.table.qualifier = absl::StrFormat("table%03d", i / 2'000);
    region.info.start_key = absl::StrFormat("user%012d", i);
    region.info.end_key = absl::StrFormat("user%012d", i + 1);
    region.info.id = 1'700'000'000'000 + static_cast<int64_t>(i);
    const bool hot = dice.Below(100) == 0;
    region.server = names[dice.Below(hot && dice.Coin() ? servers / 100 : servers * 9 / 10)];
    region.load = {.read_requests = dice.Share() * (hot ? 5'000 : 50),
                   .write_requests = dice.Share() * (hot ? 2'000 : 20),
                   .store_mb = dice.Share() * 10'000,
                   .memstore_mb = dice.Share() * 20};
  }
  return TakePicture(std::move(names), std::move(placed));
}

}  // namespace vaquita::balancer
