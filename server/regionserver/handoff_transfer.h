// server/regionserver/handoff_transfer.h: a closed region of an open database made a handoff, and a handoff made its
// stores.
//
// Shared by a server that releases a region and one that recovers another's.
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

// The region's stores that `db` has, by name. `damaged_too`: also those that were set apart, for a region of which
// nothing here counts any more.
std::vector<std::string> StoresOf(const StoreDb& db, const RegionOfTable& region, bool damaged_too = false);

// Opens a closed region over its stores in `db`, and makes those of families that its table got meanwhile. `noted` is
// what the folder's notes say of it, or null: a family that is noted and has no store is lost, which is kCorruptHFile.
absl::StatusOr<std::shared_ptr<Region>> OpenNoted(StoreDb* db, const RegionOfTable& region, const NotedRegion* noted);

// Flushes what the memstores hold, links the files, publishes the handoff; the stores stay. `owner`: the folder of
// `db`. `noted`: as above. NotFound: `db` has nothing of the region, and had nothing. REQUIRES: the region is closed;
// for many, the caller has KeepFiles.
absl::Status HandOver(StoreDb* db, const RegionOfTable& region, const NotedRegion* noted, const std::string& root,
                      const std::string& owner);

// Makes the stores of regions, which `db` has none of, out of their handoffs, which stay. A status each.
std::vector<absl::Status> TakeOver(StoreDb* db, const std::vector<RegionOfTable>& regions, const std::string& root);

}  // namespace vaquita
