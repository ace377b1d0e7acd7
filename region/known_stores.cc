#include "region/known_stores.h"

#include <utility>
#include <vector>

#include "engine/nonce_store.h"
#include "region/region.h"

namespace vaquita {

void KnownStores::Add(const RegionInfo& info, const TableDescriptor& table) {
  std::vector<StoreSpec> specs = Region::StoreSpecs(info, table, *options_);
  specs.push_back(NonceStore::FormerSpec(info));
  for (StoreSpec& spec : specs) {
    std::string name = spec.name;
    specs_.insert_or_assign(std::move(name), std::move(spec));
  }
}

std::unique_ptr<StoreSpec> KnownStores::Find(std::string_view store) const {
  const auto found = specs_.find(store);
  return found == specs_.end() ? nullptr : std::make_unique<StoreSpec>(found->second);
}

}  // namespace vaquita
