#include "region/split.h"

#include <algorithm>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "region/region_transition.h"
#include "region/split_policy.h"

namespace vaquita {
namespace {

absl::Status CheckSplittable(const Region& region, const Options& options) {
  const auto table = region.table();
  if (!table->split_enabled) {
    return Error(ErrorKind::kIO, absl::StrCat("Split region ", ToStringBinary(region.info().Name()),
                                              " failed as region split is disabled for the table"));
  }
  const bool can_split = !table->name.IsSystem() && !region.closed() && !region.HasReferences() &&
                         SplitPolicyName(*table, options) != "DisabledRegionSplitPolicy";
  if (can_split) return absl::OkStatus();
  return Error(ErrorKind::kDoNotRetryIO, absl::StrCat(region.info().EncodedName(), " NOT splittable"));
}

absl::Status CheckSplitRow(const RegionInfo& info, std::string_view row) {
  if (row == info.start_key) {
    return Error(ErrorKind::kDoNotRetryIO, absl::StrCat("Split row is equal to startkey: ", ToStringBinary(row)));
  }
  if (info.ContainsRow(row)) return absl::OkStatus();
  return Error(ErrorKind::kDoNotRetryIO, absl::StrCat("Split row is not inside region key range splitKey:",
                                                      ToStringBinary(row), " region: ", RegionText(info)));
}

}  // namespace

std::string RegionText(const RegionInfo& info) {
  return absl::StrCat("{ENCODED => ", info.EncodedName(), ", NAME => '", ToStringBinary(info.Name()),
                      "', STARTKEY => '", ToStringBinary(info.start_key), "', ENDKEY => '",
                      ToStringBinary(info.end_key), "'}");
}

absl::StatusOr<std::string> BestSplitRow(Region* region) {
  VAQUITA_ASSIGN_OR_RETURN(std::string row, region->SplitPoint());
  if (!row.empty()) return row;
  VAQUITA_RETURN_IF_ERROR(region->Flush());
  return region->SplitPoint();
}

absl::StatusOr<std::unique_ptr<RegionTransition>> PrepareSplit(StoreDb* db, std::shared_ptr<Region> region,
                                                               std::string_view split_row) {
  VAQUITA_RETURN_IF_ERROR(CheckSplittable(*region, db->options()));
  std::string row = RestrictedSplitRow(*region->table(), split_row);
  if (row.empty()) {
    VAQUITA_ASSIGN_OR_RETURN(row, BestSplitRow(region.get()));
  }
  if (row.empty()) {
    return Error(
        ErrorKind::kDoNotRetryIO,
        "Region not splittable because bestSplitPoint = null, maybe table is too small for auto split. For force "
        "split, try specifying split row");
  }
  VAQUITA_RETURN_IF_ERROR(CheckSplitRow(region->info(), row));
  VAQUITA_RETURN_IF_ERROR(CheckStartKeyLength(region->info().table, row));

  RegionInfo low = region->info();
  low.id = std::max(db->clock()->NowMs(), low.id + 1);
  RegionInfo high = low;
  low.end_key = row;
  high.start_key = row;
  return std::make_unique<RegionTransition>(db, std::vector{std::move(region)}, std::vector{low, high});
}

}  // namespace vaquita
