// server/master_parts.h: what the master's procedures work on.
#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "engine/store_db.h"
#include "region/maintenance.h"
#include "server/catalog.h"
#include "server/catalog_janitor.h"
#include "server/edit_clock.h"
#include "server/live_servers.h"
#include "server/master_options.h"
#include "server/master_store.h"
#include "server/meta_table.h"
#include "server/namespaces.h"
#include "server/region_assigner.h"
#include "server/region_changes.h"
#include "server/region_server.h"
#include "server/snapshot_folder.h"

namespace vaquita {

struct MasterParts {
  explicit MasterParts(const MasterOptions& o) : options(o), region_ids(o.clock) {}

  const MasterOptions options;
  std::unique_ptr<StoreDb> db;
  std::unique_ptr<MasterStore> store;
  std::unique_ptr<MetaTable> meta;
  std::unique_ptr<Namespaces> namespaces;
  std::unique_ptr<SnapshotFolder> snapshots;
  Catalog catalog;
  std::unique_ptr<Maintenance> maintenance;  // of the master's own regions
  CatalogJanitor janitor{&catalog};
  EditClock region_ids;  // a region's id is when it was made; no two generations of a table share one
  LiveServers servers;
  std::unique_ptr<RegionAssigner> assigner;
  int64_t unreadable_meta_rows = 0;   // at the start
  std::atomic<bool> stopping{false};  // what waits for others gives up
  RegionServer* host = nullptr;       // serves the master's own regions; set once, before any procedure runs
  std::string only_server;            // in standalone; else empty

  RegionRecords records() { return {meta.get(), &catalog, &janitor}; }

  // In standalone it is the one server, whatever meta says of an earlier life of it.
  const std::string& HomeOf(const AssignedRegion& region) const {
    return only_server.empty() ? region.home : only_server;
  }
};

}  // namespace vaquita
