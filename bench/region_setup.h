// bench/region_setup.h: one region with its own store database and its background work, in this process.
#pragma once

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "base/options.h"
#include "engine/store_db.h"
#include "region/maintenance.h"
#include "region/region.h"

namespace vaquita::bench {

// Members are destroyed in reverse order: upkeep, region, database.
struct RegionSetup {
  Options options;
  std::unique_ptr<StoreDb> db;
  std::shared_ptr<Region> region;
  std::unique_ptr<Maintenance> maintenance;
};

// Opens a new region of table "bench", family "f", in `folder`. Flushes run in the background; compactions run on
// request, so that they are measured by themselves.
absl::StatusOr<std::unique_ptr<RegionSetup>> OpenBenchRegion(const std::string& folder);

}  // namespace vaquita::bench
