// region/known_stores.h: the specs of known regions' stores by name, for StoreDb::Open.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "engine/store_db.h"
#include "model/region_info.h"
#include "model/table_descriptor.h"

namespace vaquita {

class KnownStores {
 public:
  explicit KnownStores(const Options* options) : options_(options) {}  // outlives it

  // Adds all stores that a region of `table` may have.
  void Add(const RegionInfo& info, const TableDescriptor& table);
  // Serves as StoreDb::Resolve. Returns null if no region has such a store.
  std::unique_ptr<StoreSpec> Find(std::string_view store) const;

 private:
  const Options* const options_;
  std::map<std::string, StoreSpec, std::less<>> specs_;
};

}  // namespace vaquita
