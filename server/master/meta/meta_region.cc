#include "server/master/meta/meta_region.h"

#include <string>
#include <utility>
#include <vector>

#include "base/status.h"
#include "engine/nonce_store.h"
#include "model/region_of_table.h"
#include "server/master/meta/meta_table.h"

namespace vaquita {

std::unique_ptr<StoreSpec> MetaStores::Find(std::string_view store) {
  const std::string prefix = Region::StoreName(MetaTable::Info().EncodedName(), "");
  if (!store.starts_with(prefix) || store == NonceStore::FormerSpec(MetaTable::Info()).name) return nullptr;
  FamilyDescriptor family;
  family.name = store.substr(prefix.size());
  families_.push_back(family.name);
  TableDescriptor table{.name = kMetaTableName};
  table.families[family.name] = std::move(family);
  for (StoreSpec& spec : Region::StoreSpecs(MetaTable::Info(), table, *options_)) {
    if (spec.name == store) return std::make_unique<StoreSpec>(std::move(spec));
  }
  return nullptr;
}

absl::StatusOr<std::shared_ptr<Region>> MetaStores::OpenRegion(StoreDb* db, const MasterStore& master) const {
  const auto altered = master.descriptors().find(kMetaTableName);
  const auto table = altered == master.descriptors().end() ? MetaTable::Descriptor() : altered->second;
  const RegionOfTable own[] = {{MetaTable::Info(), table}};
  VAQUITA_RETURN_IF_ERROR(db->nonces()->TakeFormer(own));
  VAQUITA_ASSIGN_OR_RETURN(auto region, Region::OpenOrCreate(db, MetaTable::Info(), table));
  VAQUITA_RETURN_IF_ERROR(region->Alter(table));  // the stores were opened before it was known
  std::vector<std::string> removed;
  for (const std::string& family : families_) {
    if (table->FindFamily(family) != nullptr) continue;
    removed.push_back(Region::StoreName(MetaTable::Info().EncodedName(), family));
  }
  if (!removed.empty()) VAQUITA_RETURN_IF_ERROR(db->Drop(removed));
  return region;
}

absl::Status CheckMetaDescriptor(const TableDescriptor& table) {
  for (const char* family : {"info", "table", "rep_barrier"}) {
    const FamilyDescriptor* const found = table.FindFamily(family);
    if (found == nullptr) {
      return Error(ErrorKind::kDoNotRetryIO, "Delete of hbase:meta column family " + std::string(family));
    }
    if (found->TtlMs().has_value()) {
      return Error(ErrorKind::kDoNotRetryIO, "TTL of hbase:meta's column family " + std::string(family) +
                                                 " must be FOREVER, or the cluster would forget its regions");
    }
  }
  return absl::OkStatus();
}

}  // namespace vaquita
