// server/master/procedure/master_parts.h: the parts of the master that its procedures work on.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>

#include "engine/store_db.h"
#include "region/maintenance.h"
#include "server/data_root/snapshot_folder.h"
#include "server/master/assignment/assignment_manager.h"
#include "server/master/assignment/online_servers.h"
#include "server/master/meta/acl_table.h"
#include "server/master/meta/catalog.h"
#include "server/master/meta/catalog_janitor.h"
#include "server/master/meta/master_options.h"
#include "server/master/meta/master_store.h"
#include "server/master/meta/meta_table.h"
#include "server/master/meta/monotonic_timestamps.h"
#include "server/master/meta/namespaces.h"
#include "server/master/meta/quota_table.h"
#include "server/master/meta/region_changes.h"
#include "server/master/meta/replication_peers.h"
#include "server/regionserver/region_server.h"

namespace vaquita {

struct MasterParts {
  explicit MasterParts(const MasterOptions& o) : options(o), region_ids(o.clock) {}

  const MasterOptions options;
  std::unique_ptr<StoreDb> db;
  std::unique_ptr<MasterStore> store;
  std::unique_ptr<MetaTable> meta;
  std::unique_ptr<Namespaces> namespaces;
  std::unique_ptr<ReplicationPeers> replication_peers;
  std::unique_ptr<QuotaTable> quotas;  // null: there is none, because quotas were never on
  std::unique_ptr<AclTable> acl;       // null: there is none, because users never had rights
  std::unique_ptr<SnapshotFolder> snapshots;
  Catalog catalog;
  std::unique_ptr<Maintenance> maintenance;  // looks after the master's own regions
  CatalogJanitor janitor{&catalog};
  MonotonicTimestamps region_ids;  // a region's id is when it was made; no two generations of a table share one
  OnlineServers servers;
  std::unique_ptr<AssignmentManager> assigner;  // once the master leads
  int64_t unreadable_meta_rows = 0;             // at the start
  std::atomic<bool> stopping{false};            // waits for others end
  // Called if the master must end. Set before any procedure runs, as the next.
  std::function<void(const absl::Status&)> on_fatal;
  RegionServer* host = nullptr;  // serves the master's own regions

  RegionRecords records() { return {meta.get(), &catalog, &janitor}; }
};

}  // namespace vaquita
