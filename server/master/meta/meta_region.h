// server/master/meta/meta_region.h: hbase:meta's region under its descriptor, which clients may alter.
//
// The descriptor is among master:store's once it was altered; before that it is MetaTable::Descriptor.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/store_db.h"
#include "region/region.h"
#include "server/master/meta/master_store.h"

namespace vaquita {

// The stores of hbase:meta in a database that is being opened: its families are not known yet.
class MetaStores {
 public:
  explicit MetaStores(const Options* options) : options_(options) {}  // outlives it

  // Serves as StoreDb::Resolve. Returns null if the store is not a family of hbase:meta.
  std::unique_ptr<StoreSpec> Find(std::string_view store);
  // Opens the region, or makes it. Drops the stores of families that were removed, if a crash has left some.
  absl::StatusOr<std::shared_ptr<Region>> OpenRegion(StoreDb* db, const MasterStore& master) const;

 private:
  const Options* const options_;
  std::vector<std::string> families_;
};

// Checks a new descriptor of hbase:meta: the families that the cluster needs are there
// (ModifyTableProcedure.preflightChecks), and their rows do not end by themselves. Returns DoNotRetryIOException.
absl::Status CheckMetaDescriptor(const TableDescriptor& table);

}  // namespace vaquita
