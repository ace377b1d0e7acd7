#include "region/region.h"

#include <utility>

#include "base/status.h"
#include "model/store_settings.h"
#include "region/region_layout.h"

namespace vaquita {
namespace {

// The layout of a region whose stores the database has.
absl::StatusOr<std::shared_ptr<const RegionLayout>> FindLayout(const StoreDb& db, const RegionInfo& info,
                                                               std::shared_ptr<const TableDescriptor> table) {
  VAQUITA_RETURN_IF_ERROR(Region::CheckDamage(db, info, *table));
  auto layout = std::make_shared<RegionLayout>();
  layout->info = info;
  layout->flush_bytes = FlushBytes(*table, db.options());
  layout->blocking_bytes = BlockingMemstoreBytes(*table, db.options());
  layout->max_cell_bytes = MaxCellBytes(*table, db.options());
  const std::string encoded_name = info.EncodedName();
  for (const auto& [family, descriptor] : table->families) {
    const std::string name = Region::StoreName(encoded_name, descriptor);
    auto store = db.Find(name);
    if (store == nullptr) {
      return Error(ErrorKind::kCorruptHFile,
                   "the data of family " + family + " of region " + encoded_name + " are missing");
    }
    layout->families.push_back(family);
    layout->stores.push_back(std::move(store));
  }
  layout->table = std::move(table);
  return layout;
}

}  // namespace

std::string Region::StoreName(std::string_view encoded_name, std::string_view family) {
  std::string name(encoded_name);
  name += '/';
  name += family;
  return name;
}

std::vector<StoreSpec> Region::StoreSpecs(const RegionInfo& info, const TableDescriptor& table,
                                          const Options& options) {
  std::vector<StoreSpec> specs;
  specs.reserve(table.families.size());
  const std::string encoded_name = info.EncodedName();
  for (const auto& [family, descriptor] : table.families) {
    specs.push_back({StoreName(encoded_name, descriptor), FamilyOfStores(table, descriptor), info.range(),
                     FlushBytes(table, options), RowOrderOf(info.table)});
  }
  return specs;
}

absl::Status Region::CheckDamage(const StoreDb& db, const RegionInfo& info, const TableDescriptor& table) {
  for (const StoreSpec& spec : StoreSpecs(info, table, db.options())) {
    VAQUITA_RETURN_IF_ERROR(db.DamageOf(spec.name));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::shared_ptr<Region>> Region::Open(StoreDb* db, const RegionInfo& info,
                                                     std::shared_ptr<const TableDescriptor> table) {
  VAQUITA_ASSIGN_OR_RETURN(auto layout, FindLayout(*db, info, std::move(table)));
  return std::make_shared<Region>(db, std::move(layout));
}

absl::StatusOr<std::shared_ptr<Region>> Region::OpenOrCreate(StoreDb* db, const RegionInfo& info,
                                                             std::shared_ptr<const TableDescriptor> table) {
  VAQUITA_ASSIGN_OR_RETURN(auto regions, CreateAll(db, {info}, std::move(table)));
  return std::move(regions.front());
}

absl::StatusOr<std::vector<std::shared_ptr<Region>>> Region::CreateAll(StoreDb* db,
                                                                       const std::vector<RegionInfo>& infos,
                                                                       std::shared_ptr<const TableDescriptor> table) {
  std::vector<StoreSpec> missing;
  for (const RegionInfo& info : infos) {
    VAQUITA_RETURN_IF_ERROR(CheckDamage(*db, info, *table));
    for (StoreSpec& spec : StoreSpecs(info, *table, db->options())) {
      if (db->Find(spec.name) == nullptr) missing.push_back(std::move(spec));
    }
  }
  if (!missing.empty()) VAQUITA_RETURN_IF_ERROR(db->Create(std::move(missing)).status());
  std::vector<std::shared_ptr<Region>> regions;
  regions.reserve(infos.size());
  for (const RegionInfo& info : infos) {
    VAQUITA_ASSIGN_OR_RETURN(regions.emplace_back(), Open(db, info, table));
  }
  return regions;
}

}  // namespace vaquita
