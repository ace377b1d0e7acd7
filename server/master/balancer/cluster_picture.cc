#include "server/master/balancer/cluster_picture.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

namespace vaquita::balancer {
namespace {

bool ComesBefore(const RegionInfo& a, const RegionInfo& b) {
  // A table's last region has no end key, which sorts behind any other.
  return std::make_tuple(std::cref(a.table), std::cref(a.start_key), a.end_key.empty(), std::cref(a.end_key), a.id) <
         std::make_tuple(std::cref(b.table), std::cref(b.start_key), b.end_key.empty(), std::cref(b.end_key), b.id);
}

ServerIndex Find(const std::vector<std::string>& servers, const std::string& name) {
  const auto found = std::lower_bound(servers.begin(), servers.end(), name);
  return found != servers.end() && *found == name ? static_cast<ServerIndex>(found - servers.begin()) : kNone;
}

}  // namespace

ClusterPicture TakePicture(std::vector<std::string> servers, std::vector<PlacedRegion> regions) {
  ClusterPicture picture;
  std::sort(servers.begin(), servers.end());
  picture.servers = std::move(servers);

  std::vector<size_t> order(regions.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(),
            [&](size_t a, size_t b) { return ComesBefore(regions[a].info, regions[b].info); });

  picture.regions.reserve(regions.size());
  for (const size_t i : order) {
    PlacedRegion& region = regions[i];
    const ServerIndex server = Find(picture.servers, region.server);
    if (server == kNone) continue;
    if (picture.tables.empty() || picture.tables.back() != region.info.table) {
      picture.tables.push_back(region.info.table);
    }
    const auto table = static_cast<TableIndex>(picture.tables.size() - 1);
    picture.regions.push_back({std::move(region.info), table, server, region.load, region.movable});
  }
  return picture;
}

std::vector<int32_t> RegionCounts(const ClusterPicture& picture) {
  std::vector<int32_t> counts(picture.servers.size());
  for (const PicturedRegion& region : picture.regions) ++counts[region.server];
  return counts;
}

}  // namespace vaquita::balancer
