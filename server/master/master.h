// server/master/master.h: the master: hbase:meta, namespaces, tables and their states, and the operations that change
// them.
//
// It keeps hbase:meta as an ordinary region in its own store, with HBase's row keys and columns, so that clients scan
// it like any other. Operations that HBase runs as procedures are procedures here too: an Async form returns an id that
// can be polled for progress, and for the outcome after it has ended. A crash at any step leaves a cluster that the
// next start makes whole. Threads: every method may be called from any thread; operations on one table exclude each
// other. Source: HMaster, MasterRpcServices, MetaTableAccessor, CreateTableProcedure and its kin (2.6).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "model/balance_request.h"
#include "model/cluster_status.h"
#include "model/nonce.h"
#include "model/operations.h"
#include "model/snapshot_description.h"
#include "model/table_descriptor.h"
#include "region/region.h"
#include "server/master/meta/assigned_region.h"
#include "server/master/meta/master_options.h"
#include "server/master/meta/replication_peers.h"
#include "server/regionserver/region_server.h"

namespace vaquita {

class MasterControl;
namespace fsck {
struct Finding;
}
struct MasterMetrics;
struct ServerConnection;
struct ServerRegistration;

// A master needs these beside its folder. All outlive Master::Stop.
struct ClusterSide {
  RegionServer* host = nullptr;  // in this process; serves the master's own regions, with Master::maintenance()
  std::function<std::vector<std::string>()> backup_masters;  // the names of those that wait
  // The way to a region server that registered.
  std::function<ServerConnection(const ServerRegistration&)> connect;
  // The master can go on no more; called once, from any thread, and returns at once.
  std::function<void(const absl::Status&)> on_fatal;
};

class Master {
 public:
  static absl::StatusOr<std::unique_ptr<Master>> Open(const MasterOptions& options);
  virtual ~Master() = default;

  // Serves the master's own regions and leads the region servers, which reach it by control(). Once, before all that is
  // below.
  virtual absl::Status LeadCluster(const ClusterSide& cluster) = 0;
  virtual MasterControl* control() = 0;
  // Waits until each region of a server that reported is served, or was refused once; also those that no server had.
  virtual void AwaitFirstSteps(std::string_view server_name) = 0;
  virtual Maintenance* maintenance() = 0;  // of the master's own regions
  // One more than that of any master of this folder before.
  virtual int64_t epoch() const = 0;
  virtual const std::string& cluster_id() const = 0;
  // The region servers that live, by name; the masters that wait.
  virtual std::vector<std::string> ServerNames() const = 0;
  virtual std::vector<std::string> BackupMasters() const = 0;
  // A decommissioned server gets no regions; with `offload` it loses those it has, by and by, while there is another.
  // It stays so over restarts of the master. Those that do not live are passed over.
  virtual absl::Status Decommission(const std::vector<std::string>& servers, bool offload) = 0;
  // Then moves `regions` there.
  virtual absl::Status Recommission(const std::string& server, const std::vector<std::string>& regions) = 0;
  virtual std::vector<std::string> DecommissionedServers() const = 0;
  // A region that by its policy wants to be split: starts that, unless splits are switched off or it is being split
  // already.
  virtual void RequestSplit(const RegionInfo& info) = 0;
  // Running procedures end, later ones are refused with kMasterNotRunning. Before the region server is destroyed.
  virtual void Stop() = 0;

  // Tables. The Async forms check everything they can before they return an id; Wait gives the procedure's outcome.
  virtual absl::StatusOr<int64_t> CreateTableAsync(const TableDescriptor& table,
                                                   const std::vector<std::string>& split_keys) = 0;
  virtual absl::StatusOr<int64_t> DeleteTableAsync(const TableName& table) = 0;
  virtual absl::StatusOr<int64_t> TruncateTableAsync(const TableName& table, bool preserve_splits) = 0;
  virtual absl::StatusOr<int64_t> EnableTableAsync(const TableName& table) = 0;
  virtual absl::StatusOr<int64_t> DisableTableAsync(const TableName& table) = 0;
  virtual absl::StatusOr<int64_t> ModifyTableAsync(const TableDescriptor& table) = 0;
  // Changes the descriptor that the table has when the procedure runs, so that two changes at a time are both made.
  virtual absl::StatusOr<int64_t> AlterTableAsync(const TableName& table, const TableChange& change) = 0;
  virtual absl::StatusOr<int64_t> FlushTableAsync(const TableName& table, const std::vector<std::string>& families) = 0;
  virtual absl::StatusOr<int64_t> SplitRegionAsync(std::string_view region, std::string_view split_row) = 0;
  virtual absl::StatusOr<int64_t> MergeRegionsAsync(const std::vector<std::string>& regions, bool forcible) = 0;
  // `region`: an encoded or a full name; kUnknownRegion. A region that was unassigned stays closed, also after a
  // restart, until it is assigned or its table is enabled anew. A move to where it is does nothing. If there is one
  // server, a move to another one closes and opens it.
  virtual absl::StatusOr<int64_t> AssignRegionAsync(std::string_view region) = 0;
  virtual absl::StatusOr<int64_t> UnassignRegionAsync(std::string_view region) = 0;
  virtual absl::Status MoveRegion(std::string_view region, std::string_view server_name) = 0;  // waits
  virtual absl::StatusOr<int64_t> TruncateRegionAsync(std::string_view region) = 0;
  // The master takes the region for offline, until it is assigned; nothing else changes.
  virtual absl::Status OfflineRegion(std::string_view region) = 0;

  // Procedures. Runs `submit`, which is one of the Async forms, unless a request with this nonce did so before: then
  // the answer is what that one got.
  virtual absl::StatusOr<int64_t> Once(const Nonce& nonce, const std::function<absl::StatusOr<int64_t>()>& submit) = 0;
  virtual absl::StatusOr<Procedure> GetProcedure(int64_t id) const = 0;
  // The same, after its end if that comes within `at_most_ms`.
  virtual absl::StatusOr<Procedure> AwaitProcedure(int64_t id, int64_t at_most_ms) = 0;
  virtual std::vector<Procedure> ListProcedures() const = 0;
  virtual absl::Status Wait(int64_t id) = 0;

  virtual absl::StatusOr<std::shared_ptr<const TableDescriptor>> GetDescriptor(const TableName& table) const = 0;
  virtual absl::StatusOr<TableState> GetTableState(const TableName& table) const = 0;
  virtual std::vector<TableName> ListTables(bool system) const = 0;
  virtual absl::StatusOr<std::vector<AssignedRegion>> GetRegions(const TableName& table) const = 0;
  // The region of `table` that holds `row`; hbase:meta's own for kMetaTableName. Unknown table: kTableNotFound.
  virtual absl::StatusOr<AssignedRegion> LocateRow(const TableName& table, std::string_view row) const = 0;
  // host:port of a server's gRPC; empty: of the process that the master is in.
  virtual std::string GrpcAddress(std::string_view server_name) const = 0;
  // Waits for both; empty family: all. Those of a region, by its encoded or full name: kUnknownRegion,
  // kNotServingRegion.
  virtual absl::Status FlushTable(const TableName& table) = 0;
  virtual absl::Status FlushRegion(std::string_view region) = 0;
  virtual absl::Status CompactRegion(std::string_view region, std::string_view family, CompactionKind kind,
                                     bool wait) = 0;
  // When the table's least lately compacted region was, ms; 0: never. That of a region, by its full name, or 0.
  virtual int64_t LastMajorCompactionMs(const TableName& table) const = 0;
  virtual int64_t LastMajorCompactionMs(std::string_view region) const = 0;
  virtual absl::Status CompactTable(const TableName& table, std::string_view family, CompactionKind kind,
                                    bool wait) = 0;

  // Snapshots. `polled`: the client will ask IsSnapshotDone, as those before 2.6 do, instead of following the
  // procedure; then HBase takes one snapshot of a table at a time, and marks that of a disabled table so. Errors:
  // kSnapshotExists, kSnapshotCreation.
  virtual absl::StatusOr<int64_t> SnapshotAsync(const SnapshotDescription& snapshot, bool polled) = 0;
  // kUnknownSnapshot; kHBaseSnapshot, once, if it failed.
  virtual absl::StatusOr<bool> IsSnapshotDone(const SnapshotDescription& snapshot) = 0;
  virtual std::vector<SnapshotDescription> ListSnapshots() const = 0;  // by name
  virtual absl::Status DeleteSnapshot(std::string_view name) = 0;      // kSnapshotDoesNotExist
  // Makes table `to` of the snapshot; or, if it exists, gives the snapshot's own table, which is disabled, the data and
  // the descriptor that it had. `tracker`: a new table's kStoreFileTracker; empty: the snapshot's. Errors:
  // kSnapshotDoesNotExist, kRestoreSnapshot, kSnapshotTtlExpired, kNamespaceNotFound.
  virtual absl::StatusOr<int64_t> RestoreSnapshotAsync(const std::string& name, const TableName& to,
                                                       const std::string& tracker) = 0;
  // Whether the last such change of `table` has ended; its error.
  virtual absl::StatusOr<bool> IsSnapshotRestored(const TableName& table) = 0;
  // Removes the snapshots whose TTL is over; how many. It runs by itself, too, unless MasterSwitch::kSnapshotCleanup is
  // off.
  virtual int RemoveExpiredSnapshots() = 0;

  // Namespaces.
  virtual absl::Status CreateNamespace(const NamespaceDescriptor& ns) = 0;
  virtual absl::Status ModifyNamespace(const NamespaceDescriptor& ns) = 0;
  virtual absl::Status DeleteNamespace(std::string_view name) = 0;
  virtual absl::StatusOr<int64_t> CreateNamespaceAsync(const NamespaceDescriptor& ns) = 0;
  virtual absl::StatusOr<int64_t> ModifyNamespaceAsync(const NamespaceDescriptor& ns) = 0;
  virtual absl::StatusOr<int64_t> DeleteNamespaceAsync(std::string_view name) = 0;
  virtual std::vector<NamespaceDescriptor> ListNamespaces() const = 0;
  virtual absl::StatusOr<NamespaceDescriptor> GetNamespace(std::string_view name) const = 0;

  // Replication peers, to which nothing is replicated. A change of them is a procedure; kIO while
  // MasterSwitch::kPeerModification is off.
  virtual const ReplicationPeers& replication_peers() const = 0;
  virtual absl::StatusOr<int64_t> EditReplicationPeersAsync(const std::string& description,
                                                            const ReplicationPeers::Edit& edit) = 0;

  // hbase:meta's region, for reads by clients.
  virtual std::shared_ptr<Region> meta() = 0;

  // The cluster.
  virtual ClusterStatus Status() const = 0;
  virtual MasterMetrics Metrics() const = 0;
  // Returns whether its writes work (engine/write_health.h).
  virtual WriteHealth::State Writes() const = 0;
  // The region servers that hbase:meta names are there, or dead: until then clients are told to wait.
  virtual bool initialized() const = 0;
  // A run of the balancer, which also comes by itself; with the moves of its plan, unless it is a dry run.
  virtual absl::StatusOr<BalanceAnswer> Balance(const BalanceRequest& request) = 0;
  // Starts the splits and merges that even out the regions of those of `tables` that are to be normalized. It runs by
  // itself, too. Answers whether it ran.
  virtual bool Normalize(const std::vector<TableName>& tables) = 0;
  virtual bool SetSwitch(MasterSwitch which, bool on) = 0;  // returns what it was
  virtual bool IsOn(MasterSwitch which) const = 0;
  // Removes from meta what splits and merges left there and nothing refers to any more; how many rows. It runs by
  // itself, too.
  virtual absl::StatusOr<int> RunCatalogJanitor() = 0;
  // What is inconsistent in hbase:meta, and between it and what the region servers serve. It waits for these.
  virtual absl::StatusOr<std::vector<fsck::Finding>> CheckConsistency() = 0;
};

}  // namespace vaquita
