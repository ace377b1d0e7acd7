// client/region_list.h: all regions of a table, as the cluster has them now.
#pragma once

#include <vector>

#include "absl/status/statusor.h"
#include "client/cluster.h"
#include "client/table.h"

namespace vaquita::client {

// In order of their rows, without parents of a split that are not removed yet.
absl::StatusOr<std::vector<RegionLocation>> ListRegions(Cluster& cluster, const TableName& table);

}  // namespace vaquita::client
