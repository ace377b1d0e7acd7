// client/admin.h: administration of a cluster, with the methods of hbase-client's Admin.
//
// Each call returns when its work is done, unless its name ends in Async. Errors carry HBase's exception class.
// Threads: any, at once.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/table.h"
#include "model/balance_request.h"
#include "model/balancer_record.h"
#include "model/cache_eviction.h"
#include "model/cluster_status.h"
#include "model/master_switch.h"
#include "model/permission.h"
#include "model/region_info.h"
#include "model/replication_peer.h"
#include "model/slow_call.h"
#include "model/snapshot_description.h"
#include "model/table_descriptor.h"
#include "model/table_name.h"

namespace vaquita::client {

class Admin {
 public:
  virtual ~Admin() = default;

  // Tables.
  virtual absl::Status CreateTable(const TableDescriptor& table, const std::vector<std::string>& split_keys = {}) = 0;
  virtual absl::StatusOr<int64_t> CreateTableAsync(const TableDescriptor& table,
                                                   const std::vector<std::string>& split_keys) = 0;
  virtual absl::StatusOr<Procedure> GetProcedure(int64_t id) = 0;
  virtual absl::Status WaitForProcedure(int64_t id) = 0;
  virtual absl::Status DeleteTable(const TableName& table) = 0;
  virtual absl::Status TruncateTable(const TableName& table, bool preserve_splits) = 0;
  virtual absl::Status EnableTable(const TableName& table) = 0;
  virtual absl::Status DisableTable(const TableName& table) = 0;
  virtual absl::Status ModifyTable(const TableDescriptor& table) = 0;  // families too: added, changed, removed
  virtual absl::StatusOr<TableDescriptor> GetDescriptor(const TableName& table) = 0;
  virtual absl::StatusOr<TableState> GetTableState(const TableName& table) = 0;
  virtual absl::StatusOr<bool> TableExists(const TableName& table) = 0;
  // Returns the names that `regex` matches as a whole, as in HBase (empty: all), in order. Without `system`, user
  // tables only.
  virtual absl::StatusOr<std::vector<TableName>> ListTableNames(std::string_view regex = "", bool system = false) = 0;

  // Namespaces.
  virtual absl::Status CreateNamespace(const NamespaceDescriptor& ns) = 0;
  virtual absl::Status ModifyNamespace(const NamespaceDescriptor& ns) = 0;
  virtual absl::Status DeleteNamespace(std::string_view name) = 0;
  virtual absl::StatusOr<std::vector<NamespaceDescriptor>> ListNamespaces() = 0;
  virtual absl::StatusOr<NamespaceDescriptor> GetNamespace(std::string_view name) = 0;

  // Regions. `region` is an encoded or a full region name; `family` empty means all.
  virtual absl::StatusOr<std::vector<RegionLocation>> GetRegions(const TableName& table) = 0;
  virtual absl::Status Flush(const TableName& table) = 0;
  virtual absl::Status FlushRegion(std::string_view region) = 0;
  // Waits for the compaction. HBase's compact() does not wait; CompactAsync is like it.
  virtual absl::Status Compact(const TableName& table, std::string_view family, bool major) = 0;
  virtual absl::Status CompactAsync(const TableName& table, std::string_view family, bool major) = 0;
  virtual absl::Status CompactRegion(std::string_view region, std::string_view family, bool major) = 0;
  virtual absl::StatusOr<bool> IsCompacting(const TableName& table) = 0;
  virtual absl::Status SplitTable(const TableName& table,
                                  std::string_view split_row) = 0;  // empty row: every region at its midkey
  virtual absl::Status SplitRegion(std::string_view region, std::string_view split_row) = 0;
  virtual absl::Status MergeRegions(const std::vector<std::string>& regions, bool forcible) = 0;
  // Moves the region to the server ("host,port,startcode"), or, if that is empty, to one of the master's choice.
  virtual absl::Status MoveRegion(std::string_view region, std::string_view server_name = "") = 0;
  // Opens a closed region on a server of the master's choice; one that is open stays where it is.
  virtual absl::Status AssignRegion(std::string_view region) = 0;
  // Closes the region. It stays closed, also after a restart, until it is assigned or its table is enabled again.
  virtual absl::Status UnassignRegion(std::string_view region) = 0;
  virtual absl::Status TruncateRegion(std::string_view region) = 0;  // removes all of its rows
  virtual absl::StatusOr<std::vector<RegionInTransition>> ListRegionsInTransition() = 0;

  // Snapshots. `regex` must match the whole name; empty matches all. Takes a snapshot. Name and table are used, and
  // type, TTL and maximum file size if they are set.
  virtual absl::Status Snapshot(const SnapshotDescription& snapshot) = 0;
  virtual absl::StatusOr<std::vector<SnapshotDescription>> ListSnapshots(std::string_view regex = "") = 0;  // by name
  // Returns the snapshots of existing tables whose names match.
  virtual absl::StatusOr<std::vector<SnapshotDescription>> ListTableSnapshots(std::string_view table_regex,
                                                                              std::string_view regex = "") = 0;
  // Makes table `to` from the snapshot. `tracker`: its hbase.store.file-tracker.impl; empty: the snapshot's.
  virtual absl::Status CloneSnapshot(std::string_view name, const TableName& to, std::string_view tracker = "") = 0;
  // Restores the data and the descriptor of the snapshot's table, which is disabled or does not exist.
  virtual absl::Status RestoreSnapshot(std::string_view name) = 0;
  virtual absl::Status DeleteSnapshot(std::string_view name) = 0;
  virtual absl::Status DeleteSnapshots(std::string_view regex) = 0;
  virtual absl::Status DeleteTableSnapshots(std::string_view table_regex, std::string_view regex = "") = 0;

  // The cluster.
  virtual absl::StatusOr<ClusterStatus> GetClusterStatus() = 0;
  virtual absl::StatusOr<std::vector<RegionMetrics>> GetRegionMetrics(const TableName& table) = 0;
  // Gives these servers no more regions, also after a restart of the master. With `offload` it moves their regions
  // away. Servers that are not online are passed over.
  virtual absl::Status DecommissionServers(const std::vector<std::string>& servers, bool offload) = 0;
  // Gives the server regions again, and moves `regions` there.
  virtual absl::Status RecommissionServer(std::string_view server, const std::vector<std::string>& regions) = 0;
  virtual absl::StatusOr<std::vector<std::string>> ListDecommissionedServers() = 0;
  // Switches the compactions of a live server on or off, until it ends. Returns the earlier state.
  virtual absl::StatusOr<bool> SwitchCompactions(std::string_view server, bool on) = 0;

  // Procedures of the last minutes, and the locks that running ones have.
  virtual absl::StatusOr<std::vector<Procedure>> ListProcedures() = 0;
  virtual absl::StatusOr<std::vector<LockedResource>> ListLocks() = 0;

  // The master's own work.
  virtual absl::StatusOr<bool> SetSwitch(MasterSwitch which, bool on) = 0;  // returns the earlier state
  virtual absl::StatusOr<bool> IsOn(MasterSwitch which) = 0;
  // Runs the balancer; a dry run only returns its plan. HBase's RPC does not carry the plan's text.
  virtual absl::StatusOr<BalanceAnswer> Balance(const BalanceRequest& request = {}) = 0;
  // Starts splits and merges that even out the regions of `tables` (empty: all) that have NORMALIZATION_ENABLED.
  // Returns whether it ran.
  virtual absl::StatusOr<bool> Normalize(const std::vector<TableName>& tables = {}) = 0;
  // Removes rows of hbase:meta that splits and merges left and nothing needs any more. Returns how many.
  virtual absl::StatusOr<int64_t> RunCatalogJanitor() = 0;
  virtual absl::Status FlushMasterStore() = 0;  // writes the memstore of the master's own table to a file
  // Returns what is inconsistent in hbase:meta, or between it and the servers' regions, a sentence each. HBase's RPC
  // does not carry this: kUnsupportedOperation.
  virtual absl::StatusOr<std::vector<std::string>> CheckConsistency() = 0;
  // Return the balancer's last runs, the latest first: those with a plan, and those without one.
  virtual absl::StatusOr<std::vector<BalancerDecision>> ListBalancerDecisions(int64_t limit) = 0;
  virtual absl::StatusOr<std::vector<BalancerRejection>> ListBalancerRejections(int64_t limit) = 0;

  // A live server's own work.
  virtual absl::StatusOr<std::vector<SlowCall>> ListSlowCalls(std::string_view server, const SlowCallQuery& query) = 0;
  virtual absl::StatusOr<bool> ClearSlowCalls(std::string_view server) = 0;  // returns whether it keeps such calls
  virtual absl::Status RollLog(std::string_view server) = 0;                 // begins a new file of its log
  // Orders to the process of a live server ("host,port,startcode"), which may be the active master. Stop: it begins to
  // stop, and a region server moves its regions away first. UpdateConfiguration: it reads its configuration again, and
  // takes over what may change while it runs; a server of Vaquita names the other settings that have changed in an
  // error.
  virtual absl::Status StopMaster() = 0;
  virtual absl::Status StopServer(std::string_view server) = 0;
  virtual absl::Status UpdateConfiguration(std::string_view server) = 0;
  // Empties the block caches of the servers that have the table's regions. A server of Vaquita has one cache for all.
  virtual absl::StatusOr<CacheEviction> ClearBlockCache(const TableName& table) = 0;

  // Replication peers. Vaquita keeps them, and replicates nothing to them.
  virtual absl::Status AddReplicationPeer(const ReplicationPeer& peer) = 0;
  virtual absl::Status RemoveReplicationPeer(std::string_view id) = 0;
  virtual absl::Status SwitchReplicationPeer(std::string_view id, bool on) = 0;
  virtual absl::Status UpdateReplicationPeer(std::string_view id, const ReplicationPeerConfig& config) = 0;
  virtual absl::StatusOr<std::vector<ReplicationPeer>> ListReplicationPeers() = 0;  // by id

  // Users' rights. Errors: kAccessDenied; kUnsupportedOperation where hbase.security.authorization is false. With
  // `merge` the actions come to those that the user has; else they replace them. A permission to revoke without actions
  // stands for all.
  virtual absl::Status Grant(const UserPermission& permission, bool merge) = 0;
  virtual absl::Status Revoke(const UserPermission& permission) = 0;
  virtual absl::StatusOr<std::vector<UserPermission>> ListUserPermissions(const PermissionQuery& query) = 0;
  virtual absl::StatusOr<bool> HasAuthorization() = 0;  // returns whether users have only the rights of this kind

  // Quotas. A server with hbase.quota.enabled keeps them, in the table hbase:quota; Vaquita does not enforce them.
  // `request` is HBase's message SetQuotaRequest as bytes (proto/hbase/Quota.proto). Errors: kUnsupportedOperation
  // where quotas are off.
  virtual absl::Status SetQuota(std::string_view request) = 0;
  virtual absl::StatusOr<bool> SwitchRpcThrottle(bool on) = 0;  // returns the earlier state; false where quotas are off
  virtual absl::StatusOr<bool> IsRpcThrottleOn() = 0;
  virtual absl::StatusOr<bool> SwitchExceedThrottleQuota(bool on) = 0;  // as SwitchRpcThrottle
  // Returns the bytes in files of each table, as region servers report them; nothing where quotas are off.
  virtual absl::StatusOr<std::map<TableName, int64_t>> QuotaTableSizes() = 0;
};

}  // namespace vaquita::client
