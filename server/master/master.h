// server/master/master.h: the master: hbase:meta, namespaces, tables and their states, and the operations that change
// them.
//
// It keeps hbase:meta as an ordinary region in its own store, with HBase's row keys and columns, so that clients scan
// it like any other. Operations that HBase runs as procedures are procedures here too: an Async form returns an id that
// can be polled for progress, and for the outcome after it has ended. A crash at any step leaves a cluster that the
// next start makes whole. Threads: every method may be called from any thread; operations on one table exclude each
// other. Source: HMaster, MasterRpcServices, MetaTableAccessor, CreateTableProcedure and its kin (2.6).
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/chore.h"
#include "model/balance_request.h"
#include "model/cluster_status.h"
#include "model/nonce.h"
#include "model/operations.h"
#include "model/snapshot_description.h"
#include "model/table_descriptor.h"
#include "region/region.h"
#include "server/fsck/finding.h"
#include "server/master/assignment/assignment_journal.h"
#include "server/master/balanced_cluster.h"
#include "server/master/cluster_balancer.h"
#include "server/master/cluster_check.h"
#include "server/master/cluster_normalizer.h"
#include "server/master/master_metrics.h"
#include "server/master/meta/assigned_region.h"
#include "server/master/meta/master_options.h"
#include "server/master/meta/replication_peers.h"
#include "server/master/procedure/master_parts.h"
#include "server/master/procedure/procedure_executor.h"
#include "server/master/procedure/procedure_nonces.h"
#include "server/master/procedure/procedure_store.h"
#include "server/master/procedure/snapshots.h"
#include "server/regionserver/region_server.h"

namespace vaquita {

// A master needs these beside its folder. All outlive Master::Stop.
struct ClusterSide {
  RegionServer* host = nullptr;  // in this process; serves the master's own regions, with Master::maintenance()
  std::function<std::vector<std::string>()> backup_masters;  // the names of those that wait
  // The way to a region server that registered.
  std::function<ServerConnection(const ServerRegistration&)> connect;
  // The master can go on no more; called once, from any thread, and returns at once.
  std::function<void(const absl::Status&)> on_fatal;
};

// Says how many of a table's regions have yet to take an altered descriptor. A table that is disabled or unknown has
// none.
struct AlterProgress {
  size_t regions = 0;
  size_t waiting = 0;
};

class Master final {
 public:
  static absl::StatusOr<std::unique_ptr<Master>> Open(const MasterOptions& options);
  explicit Master(const MasterOptions& options);  // use Open
  ~Master() { Stop(); }

  // Serves the master's own regions and leads the region servers, which reach it by control(). Once, before all that is
  // below.
  absl::Status LeadCluster(const ClusterSide& cluster);
  MasterControl* control() { return parts_.assigner.get(); }
  // Waits until each region of a server that reported is served, or was refused once; also those that no server had.
  void AwaitFirstSteps(std::string_view server_name) { parts_.assigner->AwaitFirstSteps(server_name); }
  Maintenance* maintenance() { return parts_.maintenance.get(); }  // looks after the master's own regions
  // One more than that of any master of this folder before.
  int64_t epoch() const { return epoch_; }
  const std::string& cluster_id() const { return parts_.store->cluster_id(); }
  // The region servers that live, by name; the masters that wait.
  std::vector<std::string> ServerNames() const { return parts_.servers.Names(); }
  std::vector<std::string> BackupMasters() const { return cluster_side_.backup_masters(); }
  // A decommissioned server gets no regions; with `offload` it loses those it has, by and by, while there is another.
  // It stays so over restarts of the master. Those that do not live are passed over.
  absl::Status Decommission(const std::vector<std::string>& servers, bool offload);
  // Takes regions again, and moves `regions` there.
  absl::Status Recommission(const std::string& server, const std::vector<std::string>& regions);
  std::vector<std::string> DecommissionedServers() const;
  // A region that by its policy wants to be split: starts that, unless splits are switched off or it is being split
  // already.
  void RequestSplit(const RegionInfo& info);
  // Running procedures end, later ones are refused with kMasterNotRunning. Before the region server is destroyed.
  void Stop();

  // Tables. The Async forms check everything they can before they return an id; Wait gives the procedure's outcome.
  absl::StatusOr<int64_t> CreateTableAsync(const TableDescriptor& table, const std::vector<std::string>& split_keys);
  absl::StatusOr<int64_t> DeleteTableAsync(const TableName& table);
  absl::StatusOr<int64_t> TruncateTableAsync(const TableName& table, bool preserve_splits);
  absl::StatusOr<int64_t> EnableTableAsync(const TableName& table);
  absl::StatusOr<int64_t> DisableTableAsync(const TableName& table);
  absl::StatusOr<int64_t> ModifyTableAsync(const TableDescriptor& table);
  // Changes table `name` for a client that wants no region to be opened anew: some changes are then refused.
  absl::StatusOr<int64_t> ModifyTableWithoutReopenAsync(const TableName& name, const TableDescriptor& table);
  // Changes the descriptor that the table has when the procedure runs, so that two changes at a time are both made.
  absl::StatusOr<int64_t> AlterTableAsync(const TableName& table, const TableChange& change);
  absl::StatusOr<int64_t> FlushTableAsync(const TableName& table, const std::vector<std::string>& families);
  absl::StatusOr<int64_t> SplitRegionAsync(std::string_view region, std::string_view split_row);
  absl::StatusOr<int64_t> MergeRegionsAsync(const std::vector<std::string>& regions, bool forcible);
  // `region`: an encoded or a full name; kUnknownRegion. A region that was unassigned stays closed, also after a
  // restart, until it is assigned or its table is enabled anew. A move to where it is does nothing. If there is one
  // server, a move to another one closes and opens it.
  absl::StatusOr<int64_t> AssignRegionAsync(std::string_view region);
  absl::StatusOr<int64_t> UnassignRegionAsync(std::string_view region);
  absl::Status MoveRegion(std::string_view region, std::string_view server_name);  // waits
  absl::StatusOr<int64_t> TruncateRegionAsync(std::string_view region);
  // The master takes the region for offline, until it is assigned; nothing else changes.
  absl::Status OfflineRegion(std::string_view region);

  // Procedures. Runs `submit`, which is one of the Async forms, unless a request with this nonce did so before: then
  // the answer is what that one got.
  absl::StatusOr<int64_t> Once(const Nonce& nonce, const std::function<absl::StatusOr<int64_t>()>& submit) {
    VAQUITA_RETURN_IF_ERROR(CheckInitialized());  // its error is no answer to be remembered
    return nonces_.Once(nonce, submit);
  }
  absl::StatusOr<Procedure> GetProcedure(int64_t id) const { return procedures_->Get(id); }
  // Returns the procedure after its end if that comes within `at_most_ms`.
  absl::StatusOr<Procedure> AwaitProcedure(int64_t id, int64_t at_most_ms) {
    auto procedure = procedures_->Await(id, at_most_ms);
    if (procedure.ok() && procedure->state != Procedure::State::kRunning) parts_.meta->LetEditsPass();
    return procedure;
  }
  std::vector<Procedure> ListProcedures() const { return procedures_->List(); }
  absl::Status Wait(int64_t id) { return procedures_->Wait(id); }

  absl::StatusOr<std::shared_ptr<const TableDescriptor>> GetDescriptor(const TableName& table) const {
    return parts_.catalog.Descriptor(table);
  }
  AlterProgress GetAlterProgress(const TableName& table) const;
  absl::StatusOr<TableState> GetTableState(const TableName& table) const { return parts_.catalog.State(table); }
  std::vector<TableName> ListTables(bool system) const;
  absl::StatusOr<std::vector<AssignedRegion>> GetRegions(const TableName& table) const {
    return parts_.catalog.Regions(table);
  }
  // The region of `table` that holds `row`; hbase:meta's own for kMetaTableName. Unknown table: kTableNotFound.
  absl::StatusOr<AssignedRegion> LocateRow(const TableName& table, std::string_view row) const {
    return parts_.catalog.Locate(table, row);
  }
  // host:port of a server's gRPC; empty: of the process that the master is in.
  std::string GrpcAddress(std::string_view server_name) const { return parts_.servers.GrpcAddress(server_name); }
  // Waits for both; empty family: all. Those of a region, by its encoded or full name: kUnknownRegion,
  // kNotServingRegion.
  absl::Status FlushTable(const TableName& table) { return Flush(table, {}); }
  absl::Status FlushRegion(std::string_view region) { return FlushFamilies(region, {}); }
  absl::Status CompactRegion(std::string_view region, std::string_view family, CompactionKind kind, bool wait);
  // When the table's least lately compacted region was, ms; 0: never. That of a region, by its full name, or 0.
  int64_t LastMajorCompactionMs(const TableName& table) const;
  int64_t LastMajorCompactionMs(std::string_view region) const;
  absl::Status CompactTable(const TableName& table, std::string_view family, CompactionKind kind, bool wait);

  // Snapshots. `polled`: the client will ask IsSnapshotDone, as those before 2.6 do, instead of following the
  // procedure; then HBase takes one snapshot of a table at a time, and marks that of a disabled table so. Errors:
  // kSnapshotExists, kSnapshotCreation.
  absl::StatusOr<int64_t> SnapshotAsync(const SnapshotDescription& snapshot, bool polled) {
    VAQUITA_RETURN_IF_ERROR(CheckInitialized());
    return snapshots_->Take(snapshot, polled);
  }
  // kUnknownSnapshot; kHBaseSnapshot, once, if it failed.
  absl::StatusOr<bool> IsSnapshotDone(const SnapshotDescription& snapshot) { return snapshots_->IsDone(snapshot); }
  std::vector<SnapshotDescription> ListSnapshots() const { return parts_.snapshots->List(); }  // by name
  absl::Status DeleteSnapshot(std::string_view name) {
    return parts_.snapshots->Remove(name);
  }  // kSnapshotDoesNotExist
  // Makes table `to` of the snapshot; or, if it exists, gives the snapshot's own table, which is disabled, the data and
  // the descriptor that it had. `tracker`: a new table's kStoreFileTracker; empty: the snapshot's. Errors:
  // kSnapshotDoesNotExist, kRestoreSnapshot, kSnapshotTtlExpired, kNamespaceNotFound.
  absl::StatusOr<int64_t> RestoreSnapshotAsync(const std::string& name, const TableName& to,
                                               const std::string& tracker) {
    VAQUITA_RETURN_IF_ERROR(CheckInitialized());
    return snapshots_->Restore(name, to, tracker);
  }
  // Returns whether the last such change of `table` has ended, or its error.
  absl::StatusOr<bool> IsSnapshotRestored(const TableName& table) { return snapshots_->IsRestored(table); }
  // Removes the snapshots whose TTL is over; how many. It runs by itself, too, unless MasterSwitch::kSnapshotCleanup is
  // off.
  int RemoveExpiredSnapshots() { return snapshots_->RemoveExpired(); }

  // Namespaces.
  absl::Status CreateNamespace(const NamespaceDescriptor& ns) { return parts_.namespaces->Create(ns); }
  absl::Status ModifyNamespace(const NamespaceDescriptor& ns) { return parts_.namespaces->Modify(ns); }
  absl::Status DeleteNamespace(std::string_view name) {
    return parts_.namespaces->Delete(name, [&] { return parts_.catalog.TablesIn(name); });
  }
  absl::StatusOr<int64_t> CreateNamespaceAsync(const NamespaceDescriptor& ns);
  absl::StatusOr<int64_t> ModifyNamespaceAsync(const NamespaceDescriptor& ns);
  absl::StatusOr<int64_t> DeleteNamespaceAsync(std::string_view name);
  std::vector<NamespaceDescriptor> ListNamespaces() const { return parts_.namespaces->List(); }
  absl::StatusOr<NamespaceDescriptor> GetNamespace(std::string_view name) const { return parts_.namespaces->Get(name); }

  // Replication peers, to which nothing is replicated. A change of them is a procedure; kIO while
  // MasterSwitch::kPeerModification is off.
  const ReplicationPeers& replication_peers() const { return *parts_.replication_peers; }
  absl::StatusOr<int64_t> EditReplicationPeersAsync(const std::string& description, const ReplicationPeers::Edit& edit);

  // hbase:meta's region, for reads by clients.
  std::shared_ptr<Region> meta() { return parts_.meta->region(); }

  // The cluster.
  ClusterStatus Status() const;
  MasterMetrics Metrics() const;
  // Returns whether its writes work (engine/write_health.h).
  WriteHealth::State Writes() const { return parts_.db->Writes(); }
  // The region servers that hbase:meta names are there, or dead: until then clients are told to wait.
  bool initialized() const { return serving_ && CheckInitialized().ok(); }
  // A run of the balancer, which also comes by itself; with the moves of its plan, unless it is a dry run.
  absl::StatusOr<BalanceAnswer> Balance(const BalanceRequest& request) { return balancer_.Run(request); }
  // Starts the splits and merges that even out the regions of those of `tables` that are to be normalized. It runs by
  // itself, too. Answers whether it ran.
  bool Normalize(const std::vector<TableName>& tables) { return normalizer_.Run(tables); }
  bool SetSwitch(MasterSwitch which, bool on);  // returns what it was
  bool IsOn(MasterSwitch which) const { return switches_[static_cast<size_t>(which)]; }
  // Removes from meta what splits and merges left there and nothing refers to any more; how many rows. It runs by
  // itself, too.
  absl::StatusOr<int> RunCatalogJanitor() { return parts_.janitor.Sweep(parts_.servers.Metrics(), parts_.meta.get()); }
  // Returns what is inconsistent in hbase:meta, and between it and the servers' regions. It waits for the servers.
  absl::StatusOr<std::vector<fsck::Finding>> CheckConsistency() { return CheckCluster(parts_); }

 private:
  static constexpr size_t kSwitches = static_cast<size_t>(MasterSwitch::kPeerModification) + 1;

  absl::Status Start();
  absl::Status OpenOwnRegions();
  absl::Status LoadSwitches();
  absl::StatusOr<int64_t> SubmitSplit(const RegionInfo& info, std::string split_row);
  absl::Status Flush(const TableName& table, const std::vector<std::string>& families);
  // `run` as a procedure that has the region's table for itself.
  absl::StatusOr<int64_t> SubmitForRegion(std::string_view procedure, const RegionInfo& region,
                                          absl::Status (*run)(MasterParts&, const RegionInfo&));
  absl::Status FlushFamilies(std::string_view region, const std::vector<std::string>& families);
  // Who serves the region, which may be the master's own; kUnknownRegion, kNotServingRegion.
  absl::StatusOr<std::shared_ptr<RegionServerControl>> ServerOfRegion(std::string_view region) const;
  absl::Status OnEveryRegion(const TableName& table, const std::function<absl::Status(const std::string&)>& act);
  void BeginToServe(RegionServer* host);
  absl::Status StartAssignment(const ClusterSide& cluster);
  bool LivesAgain(const std::string& server) const;
  void AddAssignment(MasterMetrics* metrics) const;
  // kPleaseHold until the region servers that hbase:meta names are there, or dead.
  absl::Status CheckInitialized() const;
  absl::Status CompleteIfChanging(const TableName& table);
  void StartChores();

  MasterParts parts_;
  std::unique_ptr<ProcedureExecutor> procedures_;
  std::unique_ptr<ProcedureStore> kept_;
  std::unique_ptr<Snapshots> snapshots_;
  ProcedureNonces nonces_;
  std::array<std::atomic<bool>, kSwitches> switches_;
  int64_t epoch_ = 0;
  std::atomic<bool> serving_{false};  // LeadCluster is done
  ClusterSide cluster_side_;
  std::unique_ptr<AssignmentJournal> journal_;
  std::mutex requested_mutex_;
  std::set<std::string> requested_splits_;  // encoded names, so that a region is asked for once
  BalancedCluster cluster_{this};
  ClusterBalancer balancer_;
  ClusterNormalizer normalizer_;
  std::vector<std::unique_ptr<Chore>> chores_;
};

}  // namespace vaquita
