#include <algorithm>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "region/region_layout.h"
#include "region/region_transition.h"

namespace vaquita {
namespace {

absl::Status MergeError(const std::string& message) { return Error(ErrorKind::kMergeRegion, message); }

bool Adjacent(const RegionInfo& a, const RegionInfo& b) { return !a.end_key.empty() && a.end_key == b.start_key; }

// REQUIRES: `regions` in the order of their start keys.
absl::Status CheckMergeable(const std::vector<std::shared_ptr<Region>>& regions, bool forcible) {
  if (regions.size() < 2) return MergeError("Need two Regions at least to run a Merge");
  const auto table = regions.front()->table();
  for (size_t i = 0; i < regions.size(); ++i) {
    const RegionInfo& info = regions[i]->info();
    if (regions[i]->closed()) {
      return MergeError(absl::StrCat("Unable to merge regions that are NOT online: ", ToStringBinary(info.Name())));
    }
    if (i == 0) continue;
    const RegionInfo& before = regions[i - 1]->info();
    if (before == info) {
      return MergeError(absl::StrCat("Duplicate regions specified; cannot merge a region to itself. Passed in ",
                                     regions.size(), " but only ", regions.size() - 1, " unique."));
    }
    if (!(before.table == info.table)) {
      return MergeError(absl::StrCat("Can't merge regions from different tables: ", ToStringBinary(before.Name()), ", ",
                                     ToStringBinary(info.Name())));
    }
    if (!forcible && !Adjacent(before, info)) {
      return MergeError(absl::StrCat("Unable to merge non-adjacent or non-overlapping regions '", before.EncodedName(),
                                     "', '", info.EncodedName(), "' when force=false"));
    }
  }
  for (const auto& region : regions) {
    if (IsSameTable(*region->table(), *table)) continue;
    // An alter of the table has failed at some of them. The merged region would lose the others' new families, or have
    // cells of removed ones.
    return MergeError(absl::StrCat("Unable to merge regions of which an alter has not reached all: '",
                                   regions.front()->info().EncodedName(), "', '", region->info().EncodedName(),
                                   "'; alter the table again"));
  }
  if (table->merge_enabled) return absl::OkStatus();
  return Error(ErrorKind::kIO,
               absl::StrCat("Merge of ", ToStringBinary(regions.front()->info().Name()), " and ", regions.size() - 1,
                            " more failed as region merge is disabled for the table"));
}

RegionInfo MergedInfo(const std::vector<std::shared_ptr<Region>>& regions) {
  RegionInfo merged = regions.front()->info();
  for (const auto& region : regions) {
    const RegionInfo& info = region->info();
    merged.id = std::max(merged.id, info.id);
    if (info.end_key.empty() || (!merged.end_key.empty() && info.end_key > merged.end_key))
      merged.end_key = info.end_key;
  }
  ++merged.id;  // sorts behind its parents in meta
  return merged;
}

}  // namespace

absl::StatusOr<std::unique_ptr<RegionTransition>> PrepareMerge(StoreDb* db,
                                                               std::vector<std::shared_ptr<Region>> parents,
                                                               bool forcible) {
  std::stable_sort(parents.begin(), parents.end(),
                   [](const auto& a, const auto& b) { return a->info().start_key < b->info().start_key; });
  VAQUITA_RETURN_IF_ERROR(CheckMergeable(parents, forcible));
  const RegionInfo merged = MergedInfo(parents);
  return std::make_unique<RegionTransition>(db, std::move(parents), std::vector{merged});
}

}  // namespace vaquita
