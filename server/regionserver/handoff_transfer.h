// server/regionserver/handoff_transfer.h: makes a handoff of a closed region, and a region's stores of a handoff.
//
// Servers that release a region use it, and servers that recover another's.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/store_db.h"
#include "model/region_of_table.h"
#include "region/region.h"
#include "server/data_root/region_notes.h"

namespace vaquita {

// Returns the names of the region's stores in `db`. `damaged_too`: also of those that were set apart, for a region
// whose data here are needed no more.
std::vector<std::string> StoresOf(const StoreDb& db, const RegionOfTable& region, bool damaged_too = false);
// Returns whether the region has none of the stores that it should have: a table whose sanity checks are off may have
// no family, and then its regions have no stores.
bool LacksStores(const StoreDb& db, const RegionOfTable& region);

// Opens a closed region over its stores in `db`, and makes the stores of families that its table got meanwhile. `noted`
// has the folder's notes of the region, or is null. kCorruptHFile if a family in the notes has no store.
absl::StatusOr<std::shared_ptr<Region>> OpenNoted(StoreDb* db, const RegionOfTable& region, const NotedRegion* noted);

// Flushes the memstores, links the files, and publishes the handoff; the stores stay. `owner`: the folder of `db`.
// `noted`: as above. NotFound if `db` LacksStores of the region and `noted` is null. REQUIRES: the region is
// closed; for many regions, the caller has KeepFiles.
absl::Status HandOver(StoreDb* db, const RegionOfTable& region, const NotedRegion* noted, const std::string& root,
                      const std::string& owner);

// Makes the stores of regions from their handoffs, which stay. Returns a status for each region. REQUIRES: `db` has no
// stores of these regions.
std::vector<absl::Status> TakeOver(StoreDb* db, const std::vector<RegionOfTable>& regions, const std::string& root);

}  // namespace vaquita
