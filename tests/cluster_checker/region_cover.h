// tests/cluster_checker/region_cover.h: checks that a table's regions have each of its rows once.
#pragma once

#include <vector>

#include "absl/status/status.h"
#include "client/table.h"

namespace vaquita::checker {

// Checks a table's regions, in order. DataLoss if a row is in none of them or in two; Unavailable if they are right,
// but one has no server.
absl::Status CheckCover(const std::vector<client::RegionLocation>& regions);

}  // namespace vaquita::checker
