#include "server/regionserver/handoff_transfer.h"

#include <map>
#include <memory>
#include <utility>

#include "base/fault_point.h"
#include "base/status.h"
#include "model/table_descriptor.h"
#include "region/region.h"
#include "server/data_root/handoff.h"

namespace vaquita {
namespace {

// A region that is taken over, with its place among the arguments.
struct Arrival {
  size_t index = 0;
  const RegionOfTable* region = nullptr;
  RegionFiles files;
};

absl::Status Import(StoreDb* db, std::span<const Arrival> arrivals, const std::string& root) {
  std::vector<RegionImport> imports;
  for (const Arrival& arrival : arrivals) {
    const RegionInfo& info = arrival.region->info;
    imports.push_back({info, HandoffFolder(root, info.EncodedName()), &arrival.files});
  }
  return Region::Import(db, *arrivals.front().region->table, imports);
}

}  // namespace

std::vector<std::string> StoresOf(const StoreDb& db, const RegionOfTable& region, bool damaged_too) {
  std::vector<std::string> stores;
  for (StoreSpec& spec : Region::StoreSpecs(region.info, *region.table, db.options())) {
    const bool is_damaged = damaged_too && !db.DamageOf(spec.name).ok();
    if (db.Find(spec.name) != nullptr || is_damaged) stores.push_back(std::move(spec.name));
  }
  return stores;
}

bool LacksStores(const StoreDb& db, const RegionOfTable& region) {
  return !region.table->families.empty() && StoresOf(db, region).empty();
}

absl::StatusOr<std::shared_ptr<Region>> OpenNoted(StoreDb* db, const RegionOfTable& region, const NotedRegion* noted) {
  const std::string name = region.info.EncodedName();
  for (const auto& [family, descriptor] : region.table->families) {
    const bool is_lost = noted != nullptr && noted->families.contains(descriptor.StoreName()) &&
                         db->Find(Region::StoreName(name, descriptor)) == nullptr;
    if (is_lost) return Region::Open(db, region.info, region.table);  // says which is missing
  }
  return Region::OpenOrCreate(db, region.info, region.table);
}

absl::Status HandOver(StoreDb* db, const RegionOfTable& region, const NotedRegion* noted, const std::string& root,
                      const std::string& owner) {
  const std::string name = region.info.EncodedName();
  VAQUITA_RETURN_IF_ERROR(Region::CheckDamage(*db, region.info, *region.table));
  const bool has_none = noted == nullptr && LacksStores(*db, region);
  if (has_none) return absl::NotFoundError("no data of region " + name + " in " + owner);
  VAQUITA_ASSIGN_OR_RETURN(HandoffDraft draft, HandoffDraft::Begin(root, owner, name));
  VAQUITA_ASSIGN_OR_RETURN(const auto closed, OpenNoted(db, region, noted));
  VAQUITA_ASSIGN_OR_RETURN(RegionFiles files, closed->Export(draft.folder(), /*flush=*/true));
  VAQUITA_RETURN_IF_ERROR(closed->ExportNonces(draft.folder(), &files));
  FaultPoint("handoff:linked");
  return draft.Publish({region.info, std::move(files), region.table});
}

std::vector<absl::Status> TakeOver(StoreDb* db, const std::vector<RegionOfTable>& regions, const std::string& root) {
  std::vector<absl::Status> statuses(regions.size());
  std::map<std::string, std::vector<Arrival>> by_table;
  for (size_t i = 0; i < regions.size(); ++i) {
    auto handoff = ReadHandoff(root, regions[i].info.EncodedName());
    statuses[i] = handoff.ok() ? CheckHandoffFiles(root, *handoff) : handoff.status();
    if (!statuses[i].ok()) continue;
    by_table[regions[i].table->name.ToString()].push_back({i, &regions[i], std::move(handoff->files)});
  }
  for (const auto& [table, arrivals] : by_table) {
    // All at once costs one sync; if that fails, each by itself tells which one it was.
    if (Import(db, arrivals, root).ok()) continue;
    for (const Arrival& arrival : arrivals) statuses[arrival.index] = Import(db, {&arrival, 1}, root);
  }
  return statuses;
}

}  // namespace vaquita
