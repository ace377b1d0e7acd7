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
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/chore.h"
#include "model/balance_request.h"
#include "model/cluster_status.h"
#include "model/master_switch.h"
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
#include "server/master/meta/quota_table.h"
#include "server/master/meta/replication_peers.h"
#include "server/master/procedure/master_parts.h"
#include "server/master/procedure/procedure_executor.h"
#include "server/master/procedure/procedure_nonces.h"
#include "server/master/procedure/procedure_store.h"
#include "server/master/procedure/snapshots.h"
#include "server/regionserver/region_server.h"

namespace vaquita {

// The rest of the cluster, as the master sees it. All of it outlives Master::Stop.
struct ClusterSide {
  RegionServer* host = nullptr;  // in this process; serves the master's own regions, with Master::maintenance()
  std::function<std::vector<std::string>()> backup_masters;  // the names of the waiting masters
  // Connects to a region server that registered.
  std::function<ServerConnection(const ServerRegistration&)> connect;
  // Called from any thread, perhaps more than once, if the master cannot go on. Returns at once.
  std::function<void(const absl::Status&)> on_fatal;
};

// Counts the regions of a table, and those that have yet to take an altered descriptor. Both are 0 for a disabled or
// unknown table.
struct AlterProgress {
  size_t regions = 0;
  size_t waiting = 0;
};

class Master final {
 public:
  static absl::StatusOr<std::unique_ptr<Master>> Open(const MasterOptions& options);
  explicit Master(const MasterOptions& options);  // use Open
  ~Master() { Stop(); }

  // Serves the master's own regions and leads the region servers, which reach it by control(). Call it once, before
  // the methods below.
  absl::Status LeadCluster(const ClusterSide& cluster);
  MasterControl* control() { return parts_.assigner.get(); }
  // Waits until each region of the server, and each that had no server, is served or was refused once.
  void AwaitFirstSteps(std::string_view server_name) { parts_.assigner->AwaitFirstSteps(server_name); }
  Maintenance* maintenance() { return parts_.maintenance.get(); }  // looks after the master's own regions
  // Returns this master's epoch, one more than that of the master before.
  int64_t epoch() const { return epoch_; }
  const std::string& cluster_id() const { return parts_.store->cluster_id(); }
  const Clock& clock() const { return *parts_.options.clock; }
  // Return the names of the region servers that are online, and of the waiting masters.
  std::vector<std::string> ServerNames() const { return parts_.servers.Names(); }
  std::vector<std::string> BackupMasters() const { return cluster_side_.backup_masters(); }
  // Gives these servers no more regions, also after a restart of the master. With `offload` it moves their regions away
  // as long as another server can take them. Servers that are not online are passed over.
  absl::Status Decommission(const std::vector<std::string>& servers, bool offload);
  // Gives the server regions again, and moves `regions` there, after it has returned. One that cannot be moved is a
  // line in the log.
  absl::Status Recommission(const std::string& server, const std::vector<std::string>& regions);
  std::vector<std::string> DecommissionedServers() const;
  // Starts the split of a region whose policy asks for it, unless splits are switched off or it is being split.
  void RequestSplit(const RegionInfo& info);
  // Waits for running procedures, and refuses later ones with kMasterNotRunning. Call it before the region server is
  // destroyed.
  void Stop();

  // Tables. The Async forms check everything they can before they return an id; Wait gives the procedure's outcome.
  // `owner` gets every right to the table; empty: nobody does.
  absl::StatusOr<int64_t> CreateTableAsync(const TableDescriptor& table, const std::vector<std::string>& split_keys,
                                           const std::string& owner = "");
  absl::StatusOr<int64_t> DeleteTableAsync(const TableName& table);
  absl::StatusOr<int64_t> TruncateTableAsync(const TableName& table, bool preserve_splits);
  absl::StatusOr<int64_t> EnableTableAsync(const TableName& table);
  absl::StatusOr<int64_t> DisableTableAsync(const TableName& table);
  absl::StatusOr<int64_t> ModifyTableAsync(const TableDescriptor& table);
  // Changes table `name` without opening a region anew, and refuses changes that need that.
  absl::StatusOr<int64_t> ModifyTableWithoutReopenAsync(const TableName& name, const TableDescriptor& table);
  // Changes the descriptor that the table has when the procedure runs, so that two simultaneous changes both stay.
  absl::StatusOr<int64_t> AlterTableAsync(const TableName& table, const TableChange& change);
  absl::StatusOr<int64_t> FlushTableAsync(const TableName& table, const std::vector<std::string>& families);
  absl::StatusOr<int64_t> SplitRegionAsync(std::string_view region, std::string_view split_row);
  absl::StatusOr<int64_t> MergeRegionsAsync(const std::vector<std::string>& regions, bool forcible);
  // `region` is an encoded or a full name; an unknown one is kUnknownRegion. An unassigned region stays closed, also
  // after a restart, until it is assigned or its table is enabled again. A move to the region's own server does
  // nothing. If the cluster has one server, a move to another closes and opens the region.
  absl::StatusOr<int64_t> AssignRegionAsync(std::string_view region);
  absl::StatusOr<int64_t> UnassignRegionAsync(std::string_view region);
  // Waits for the move, `at_most_ms` at most: then it goes on, and the answer is DeadlineExceeded. It goes on, too, if
  // `watch` (null: none) ends the wait, with its error.
  absl::Status MoveRegion(std::string_view region, std::string_view server_name,
                          std::optional<int64_t> at_most_ms = std::nullopt, ReadWatch* watch = nullptr);
  absl::StatusOr<int64_t> TruncateRegionAsync(std::string_view region);
  // Notes that the region is offline until it is assigned. The region server is not told.
  absl::Status OfflineRegion(std::string_view region);

  // Procedures. Runs `submit`, one of the Async forms. If a request with this nonce has done so, returns its answer.
  absl::StatusOr<int64_t> SubmitOnce(const Nonce& nonce, const std::function<absl::StatusOr<int64_t>()>& submit) {
    VAQUITA_RETURN_IF_ERROR(CheckInitialized());  // not remembered as the nonce's answer
    return nonces_.SubmitOnce(nonce, submit);
  }
  absl::StatusOr<Procedure> GetProcedure(int64_t id) const { return procedures_->Get(id); }
  // Waits for the procedure's end, `at_most_ms` at most, and returns its state.
  absl::StatusOr<Procedure> AwaitProcedure(int64_t id, int64_t at_most_ms) {
    auto procedure = procedures_->Await(id, at_most_ms);
    if (procedure.ok() && procedure->state != Procedure::State::kRunning) parts_.meta->LetEditsPass();
    return procedure;
  }
  std::vector<Procedure> ListProcedures() const { return procedures_->List(); }
  absl::Status Wait(int64_t id, ReadWatch* watch = nullptr) { return procedures_->Wait(id, watch); }

  absl::StatusOr<std::shared_ptr<const TableDescriptor>> GetDescriptor(const TableName& table) const {
    return parts_.catalog.Descriptor(table);
  }
  int32_t MetaReplicas() const { return parts_.meta->region()->table()->RegionReplication(); }
  AlterProgress GetAlterProgress(const TableName& table) const;
  absl::StatusOr<TableState> GetTableState(const TableName& table) const { return parts_.catalog.State(table); }
  std::vector<TableName> ListTables(bool system) const;
  absl::StatusOr<std::vector<AssignedRegion>> GetRegions(const TableName& table) const {
    return parts_.catalog.Regions(table);
  }
  // Returns the region of `table` that holds `row`, or kTableNotFound. kMetaTableName has one region.
  absl::StatusOr<AssignedRegion> LocateRow(const TableName& table, std::string_view row) const {
    return parts_.catalog.Locate(table, row);
  }
  // Returns host:port of a server's gRPC; empty if that is the master's own process.
  std::string GrpcAddress(std::string_view server_name) const { return parts_.servers.GrpcAddress(server_name); }
  // Flush, or compact; an empty family means all. Flushes wait for their end. Those of a region, by its encoded or full
  // name, return kUnknownRegion or kNotServingRegion.
  absl::Status FlushTable(const TableName& table) { return Flush(table, {}); }
  absl::Status FlushRegion(std::string_view region) { return FlushFamilies(region, {}); }
  absl::Status CompactRegion(std::string_view region, std::string_view family, CompactionKind kind, bool wait);
  // Return the time of the last major compaction, in ms, or 0: the oldest of the table's regions, or the region's, by
  // its full name.
  int64_t LastMajorCompactionMs(const TableName& table) const;
  int64_t LastMajorCompactionMs(std::string_view region) const;
  absl::Status CompactTable(const TableName& table, std::string_view family, CompactionKind kind, bool wait);

  // Snapshots. `polled`: the client will ask IsSnapshotDone, as clients before 2.6 do, instead of following the
  // procedure. For these HBase takes one snapshot of a table at a time, and marks the snapshot of a disabled table.
  // Errors: kSnapshotExists, kSnapshotCreation.
  absl::StatusOr<int64_t> SnapshotAsync(const SnapshotDescription& snapshot, bool polled) {
    VAQUITA_RETURN_IF_ERROR(CheckInitialized());
    return snapshots_->Take(snapshot, polled);
  }
  // Errors: kUnknownSnapshot; kHBaseSnapshot, once, if the snapshot failed.
  absl::StatusOr<bool> IsSnapshotDone(const SnapshotDescription& snapshot) { return snapshots_->IsDone(snapshot); }
  std::vector<SnapshotDescription> ListSnapshots() const { return parts_.snapshots->List(); }  // by name
  // Returns kSnapshotDoesNotExist if there is no such snapshot; kIO, and the client tries again, while a procedure
  // needs it. A `judge` is asked for the snapshot that is found, because the one of that name may be another each time
  // that it is looked up, and its error is returned. Null: nobody is asked.
  absl::Status DeleteSnapshot(std::string_view name, const SnapshotFolder::Judge& judge = nullptr) {
    return parts_.snapshots->Remove(name, judge);
  }
  // Makes table `to` from the snapshot. If `to` is the snapshot's own table and disabled, it gets back the snapshot's
  // data and descriptor. `tracker` is a new table's kStoreFileTracker; empty means the snapshot's. Errors:
  // kSnapshotDoesNotExist, kRestoreSnapshot, kSnapshotTtlExpired, kNamespaceNotFound; the `judge`'s, as DeleteSnapshot.
  absl::StatusOr<int64_t> RestoreSnapshotAsync(const std::string& name, const TableName& to, const std::string& tracker,
                                               const std::string& owner = "", const Snapshots::Judge& judge = nullptr) {
    VAQUITA_RETURN_IF_ERROR(CheckInitialized());
    return snapshots_->Restore(name, to, tracker, owner, judge);
  }
  // Returns whether the last restore or clone to `table` has ended, or its error.
  absl::StatusOr<bool> IsSnapshotRestored(const TableName& table) { return snapshots_->IsRestored(table); }
  // Removes the snapshots whose TTL is over, and returns how many. A chore calls it, too, unless
  // MasterSwitch::kSnapshotCleanup is off.
  int RemoveExpiredSnapshots() { return snapshots_->RemoveExpired(); }

  // Namespaces.
  absl::Status CreateNamespace(const NamespaceDescriptor& ns) { return parts_.namespaces->Create(ns); }
  absl::Status ModifyNamespace(const NamespaceDescriptor& ns) { return parts_.namespaces->Modify(ns); }
  absl::Status DeleteNamespace(const std::string& name);  // waits for its procedure
  absl::StatusOr<int64_t> CreateNamespaceAsync(const NamespaceDescriptor& ns);
  absl::StatusOr<int64_t> ModifyNamespaceAsync(const NamespaceDescriptor& ns);
  absl::StatusOr<int64_t> DeleteNamespaceAsync(std::string_view name);
  std::vector<NamespaceDescriptor> ListNamespaces() const { return parts_.namespaces->List(); }
  absl::StatusOr<NamespaceDescriptor> GetNamespace(std::string_view name) const { return parts_.namespaces->Get(name); }

  // Replication peers; nothing is replicated to them. A change is a procedure, and kIO while
  // MasterSwitch::kPeerModification is off.
  const ReplicationPeers& replication_peers() const { return *parts_.replication_peers; }
  absl::StatusOr<int64_t> EditReplicationPeersAsync(const ReplicationPeerEdit& edit);

  // Quotas, which are kept and not enforced. While hbase.quota.enabled is false, SetQuota is kUnsupportedOperation, and
  // the others say false, or nothing. For their arguments and errors see server/master/meta/quota_table.h.
  absl::Status SetQuota(std::string_view request);
  absl::StatusOr<bool> SwitchRpcThrottle(bool on);
  absl::StatusOr<bool> IsRpcThrottleOn() const;
  absl::StatusOr<bool> SwitchExceedThrottleQuota(bool on);
  absl::Status ForgetQuotas();                           // see QuotaTable::ForgetAll
  std::map<TableName, int64_t> QuotaTableSizes() const;  // the bytes in files of each table that servers report
  absl::StatusOr<QuotaTable::SpaceUses> QuotaUses() const;
  absl::Status NoteQuotaUses();  // writes them to hbase:quota. A chore runs it, too.

  // Users' rights: see server/master/meta/acl_table.h. kUnsupportedOperation while hbase.security.authorization is
  // false. `may` checks who may do this.
  absl::Status Grant(const UserPermission& permission, bool merge, const AclTable::MayChange& may);
  absl::Status Revoke(const UserPermission& permission, const AclTable::MayChange& may);
  absl::StatusOr<std::vector<UserPermission>> ListPermissions(const PermissionQuery& query) const;
  absl::Status ForgetPermissions();  // all that were granted; without authorization there are none
  // Returns the table of a region, by its encoded or full name; kUnknownRegion.
  absl::StatusOr<TableName> TableOfRegion(std::string_view region) const;

  // Returns hbase:meta's region, for reads by clients.
  std::shared_ptr<Region> meta() { return parts_.meta->region(); }

  // The cluster.
  ClusterStatus Status() const;
  std::vector<RegionInTransition> RegionsInTransition() const;
  MasterMetrics Metrics() const;
  // Returns whether the master's database accepts writes (engine/write_health.h).
  WriteHealth::State Writes() const { return parts_.db->Writes(); }
  std::vector<MonitoredTask> Tasks() const { return parts_.db->tasks()->List(); }
  // Returns whether each region server that hbase:meta names is online or dead. Until then clients are told to wait.
  bool initialized() const { return serving_ && CheckInitialized().ok(); }
  // Runs the balancer once, and makes its plan's moves unless it is a dry run. A chore runs it, too.
  absl::StatusOr<BalanceAnswer> Balance(const BalanceRequest& request) { return balancer_.Run(request); }
  // Returns the last plan that the balancer carried out, with its reasons; empty before the first one.
  std::string LastBalancerPlan() const { return balancer_.last_plan(); }
  std::vector<BalancerDecision> BalancerDecisions(int64_t limit) const { return balancer_.Decisions(limit); }
  std::vector<BalancerRejection> BalancerRejections(int64_t limit) const { return balancer_.Rejections(limit); }
  absl::Status FlushStore() { return parts_.store->Flush(); }  // writes master:store's memstore to a file
  // Starts splits and merges that even out the regions of those of `tables` whose descriptor asks for it. Returns
  // whether the normalizer ran. A chore runs it, too.
  bool Normalize(const std::vector<TableName>& tables) { return normalizer_.Run(tables); }
  absl::StatusOr<bool> SetSwitch(MasterSwitch which, bool on);  // returns what it was
  bool IsOn(MasterSwitch which) const { return switches_[static_cast<size_t>(which)]; }
  // Removes rows of hbase:meta that splits and merges left and nothing refers to any more. Returns how many. A chore
  // runs it, too.
  absl::StatusOr<int> RunCatalogJanitor() { return parts_.janitor.Sweep(parts_.servers.Metrics(), parts_.meta.get()); }
  // Returns the inconsistencies within hbase:meta, and between it and the servers' regions. Waits for the servers.
  absl::StatusOr<std::vector<fsck::Finding>> CheckConsistency() { return CheckCluster(parts_); }

 private:
  static constexpr size_t kSwitches = static_cast<size_t>(MasterSwitch::kPeerModification) + 1;

  absl::Status Start();
  absl::Status OpenOwnRegions();
  absl::Status OpenQuotas();
  absl::Status OpenAcl();
  // Opens the only region of a table of the master's own, and makes the table if it is not there. FailedPrecondition if
  // a client of an older version made it.
  absl::StatusOr<std::shared_ptr<Region>> OpenOwnTable(const RegionInfo& info,
                                                       const std::shared_ptr<const TableDescriptor>& table);
  // Adds such a new table to hbase:meta and the catalog.
  absl::Status AddOwnTable(const RegionInfo& info, const std::shared_ptr<const TableDescriptor>& table);
  std::vector<std::shared_ptr<Region>> OwnRegions() const;  // those that clients see
  // Makes users' rights known to every server.
  absl::Status PublishPermissions(const std::shared_ptr<const Permissions>& permissions);
  // Returns whether quotas are kept now. They may be off and the table be there, from an earlier life.
  bool KeepsQuotas() const { return parts_.options.options->quotas; }
  absl::Status LoadSwitches();
  absl::StatusOr<int64_t> SubmitSplit(const RegionInfo& info, std::string split_row);
  // `moved` (null: nothing) is called with the procedure's outcome.
  absl::StatusOr<int64_t> SubmitMove(const RegionInfo& region, const std::string& server_name,
                                     const std::function<void(const absl::Status&)>& moved);
  void BringBack(const std::string& region, const std::string& server);  // later
  absl::Status Flush(const TableName& table, const std::vector<std::string>& families);
  // Submits `run` as a procedure that holds the lock of the region's table.
  absl::StatusOr<int64_t> SubmitForRegion(std::string_view procedure, const RegionInfo& region,
                                          absl::Status (*run)(MasterParts&, const RegionInfo&));
  absl::Status FlushFamilies(std::string_view region, const std::vector<std::string>& families);
  // Returns the server of the region, which may be the master's own; else kUnknownRegion or kNotServingRegion.
  absl::StatusOr<std::shared_ptr<RegionServerControl>> ServerOfRegion(std::string_view region) const;
  std::string ServerOfOffline(const RegionInfo& region) const;  // that serves it all the same; empty: nobody does
  // Returns the tables of which so few regions report that their size is not known.
  std::set<TableName> TablesReportedInPart() const;
  absl::Status OnEveryRegion(const TableName& table, const std::function<absl::Status(const std::string&)>& act);
  void BeginToServe(RegionServer* host);
  absl::Status StartAssignment(const ClusterSide& cluster);
  void AddAssignment(MasterMetrics* metrics) const;
  // Returns kPleaseHold until initialized().
  absl::Status CheckInitialized() const;
  absl::Status CompleteIfChanging(const TableName& table);
  void StartChores();

  MasterParts parts_;
  std::unique_ptr<ProcedureExecutor> procedures_;
  std::unique_ptr<ProcedureStore> kept_;
  std::unique_ptr<Snapshots> snapshots_;
  ProcedureNonces nonces_;
  std::mutex switches_mutex_;
  std::array<std::atomic<bool>, kSwitches> switches_;  // set under switches_mutex_
  int64_t epoch_ = 0;
  std::atomic<bool> serving_{false};  // LeadCluster is done
  ClusterSide cluster_side_;
  std::unique_ptr<AssignmentJournal> journal_;
  std::mutex requested_mutex_;
  std::set<std::string> requested_splits_;  // encoded names, so that a region is split once
  std::set<std::string> requested_moves_;   // "region to server", that BringBack submitted
  BalancedCluster cluster_{this};
  ClusterBalancer balancer_;
  ClusterNormalizer normalizer_;
  std::vector<std::unique_ptr<Chore>> chores_;
};

}  // namespace vaquita
