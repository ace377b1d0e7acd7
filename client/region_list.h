// client/region_list.h: lists the present regions of a table.
#pragma once

#include <vector>

#include "absl/status/statusor.h"
#include "client/cluster.h"
#include "client/table.h"

namespace vaquita::client {

// Returns the regions in order of their rows, without split parents that are not removed yet.
absl::StatusOr<std::vector<RegionLocation>> ListRegions(Cluster& cluster, const TableName& table);

}  // namespace vaquita::client
