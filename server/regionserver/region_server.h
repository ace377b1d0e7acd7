// server/regionserver/region_server.h: a region server: its regions, their open scanners, their background work.
//
// It has every operation of the service in plain types. The front ends (gRPC, HBase RPC) decode, call this and encode;
// they decide nothing. The master's requests are described in region_server_control.h.
//
// A region is served (in regions_, where requests find it), or opened and waits for ServeRegions (in opened_), or
// closed (its stores are in the database, or are not). A parent of a pending transition stays in regions_, closed, so
// that requests get the right error. Commands about one region run one after the other (commands_); what they change
// together is under mutex_. Threads: every method may be called from any thread. Ownership: owns its StoreDb and
// regions; `options`, `clock` and `lease` outlive it. Source: HRegionServer, RSRpcServices (2.6).
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/call_context.h"
#include "base/exclusive_names.h"
#include "base/task_pool.h"
#include "engine/store_db.h"
#include "model/cluster_status.h"
#include "model/nonce.h"
#include "model/operations.h"
#include "region/maintenance.h"
#include "region/region.h"
#include "region/split.h"
#include "server/control/process_orders.h"
#include "server/control/region_server_control.h"
#include "server/data_root/region_notes.h"
#include "server/regionserver/failed_regions.h"
#include "server/regionserver/moved_regions.h"
#include "server/regionserver/open_scanners.h"
#include "server/regionserver/operation_nonces.h"
#include "server/regionserver/region_map.h"
#include "server/regionserver/slow_call_log.h"

namespace vaquita {

class AccessControl;
class ServerLease;
class WriteGroup;

struct RegionServerOptions {
  std::string path;         // this server's folder
  std::string root;         // the cluster's data root, where handoffs and the sideline are
  std::string cluster_id;   // is noted in the folder; empty: not known
  std::string server_name;  // "host,port,startcode"
  std::string grpc_address;
  int64_t info_port = 0;  // its web pages are there; 0: it has none
  const Options* options = nullptr;
  bool syncs = true;  // false: the data go when the process ends (StoreDbOptions)
  Clock* clock = nullptr;
  const ServerLease* lease = nullptr;     // null: it never ends
  AccessControl* access = nullptr;        // checks the data operations; outlives the server; null: everybody may all
  const ProcessOrders* orders = nullptr;  // to the process, which outlives it; null: it takes none
  // Asks the master to split the region (by its policy). Called from a background thread.
  std::function<void(const RegionInfo&)> request_split;
};

// One action's outcome in a multi-row batch.
struct ActionOutcome {
  absl::Status status;
  MutateResult result;  // mutations and conditions
  CellBlock cells;      // gets
};

// A scan call. With `scan` it asks for a new scanner's first results, else for an open scanner's next ones.
struct ScanRequest {
  std::string region;          // for a new scanner
  const Scan* scan = nullptr;  // for a new scanner
  int64_t scanner_id = 0;      // an open scanner's; clients may send any number
  int64_t next_call_seq = -1;  // -1: not checked
  int32_t number_of_rows = 0;
  int32_t limit_of_rows = 0;  // once so many rows have ended in this call, the scan is over; 0: no limit
  bool fetch = true;          // false: only opens or closes
  bool close = false;
  bool renew = false;        // only renews the lease
  int64_t deadline_ms = -1;  // answer by then with the rows read so far
  // The client accepts an answer without rows. So it gets the rows read so far after half of its lease, or of the time
  // until it gives up (-1: not known).
  bool heartbeats = false;
  int64_t client_gives_up_ms = -1;
  // The end of this region is told by an answer without rows, if the scan goes on in another region.
  bool region_ends_without_rows = false;
  bool carry_ttls = false;  // CellBlock::CarryTtls
  CallContext context;      // its watch may end the call with an error, and its scanner with it
};

struct ScanResponse {
  int64_t scanner_id = 0;  // 0: the scanner is closed
  int64_t opened_id = 0;   // the new scanner's, also if it is closed already
  int64_t lease_ms = 0;    // a scanner lives so long without a call
  bool stale = false;      // it reads a replica
  ResultBatch batch;
  bool more_results_in_region = false;
  bool more_results = true;  // false: the filter or the limit ended the whole scan
  ScanProgress progress;
};

// Returns the refusal of the actions that an answer of `bytes` bytes has no room for.
absl::Status ResultsTooLarge(int64_t bytes);

// Options of a batch as a whole.
struct BatchOptions {
  std::span<const Nonce> nonces;  // one for each action, or none at all
  // Once the results and errors are larger than this, the remaining actions are refused with
  // kMultiActionResultTooLarge; -1: no limit.
  int64_t max_result_bytes = -1;
  int64_t earlier_result_bytes = 0;  // the answer has them already
  bool carry_ttls = false;           // for gets: CellBlock::CarryTtls
  CallContext context;
  std::shared_ptr<Region> region;  // the actions', if the caller has found it already
};

// Counts the work of all regions of a server since its start, including those that have moved away. The numbers only
// grow.
struct RegionServerTotals {
  int64_t read_requests = 0;
  int64_t write_requests = 0;
  int64_t filtered_read_requests = 0;
  StoreDbMetrics stores;  // if the server has a folder
};

// Problems that an operator should look at.
struct RegionServerTrouble {
  std::map<std::string, absl::Status> failed_regions;  // their data are damaged or missing; by encoded name
  int64_t sidelined_stores = 0;                        // since the start; they belonged to no region
};

enum class TransitionEnd { kCommit, kRollBack };

class RegionServer final : public RegionServerControl {
 public:
  // Use Open or ForHosted.
  explicit RegionServer(const RegionServerOptions& options);
  // Makes a server and opens its folder.
  static absl::StatusOr<std::unique_ptr<RegionServer>> Open(const RegionServerOptions& options,
                                                            const std::vector<RegionOfTable>& regions);
  // Makes a server without a folder, which serves only the regions that Host gives it. `maintenance`, which outlives
  // the server, looks after them.
  static std::unique_ptr<RegionServer> ForHosted(const RegionServerOptions& options, Maintenance* maintenance);
  // Opens the folder, which is the home of `regions`. They are opened, and served when the master says so. Of the other
  // stores those with data of their own go to the sideline, and the rest is dropped. A region that cannot be opened is
  // left out of the report. Returns FailedPrecondition, in one line, if another process has the folder open, or if the
  // folder has data, but none of any of `regions`. Call it once, before any request or command about its regions.
  absl::Status OpenFolder(const std::vector<RegionOfTable>& regions);
  // Closes scanners and regions; the next Open replays the log. The server does not know how hbase:meta has decided a
  // pending transition, so the next Open finds its parents and its new regions as they are.
  ~RegionServer() override;

  // Data. `region` is an encoded or a full region name. Errors: kRegionMoved if the region is elsewhere; kCorruptHFile
  // if its data here are damaged or missing; kNotServingRegion if it is not served here, or if this server has no
  // lease; kAccessDenied if the context's caller has no right to it. A write that was not acknowledged before the lease
  // ended gets kNotServingRegion, too, and may have been done.
  absl::Status Get(std::string_view region, const vaquita::Get& get, CellBlock* cells, const CallContext& context = {});
  // `nonce` is of a request with increments or appends. If these have been done, they are not done again, and the
  // answer is the first one.
  absl::StatusOr<MutateResult> Mutate(std::string_view region, const Mutation& mutation, const Nonce& nonce = {},
                                      const CallContext& context = {});
  absl::StatusOr<MutateResult> Mutate(std::string_view region, const RowMutations& mutations, const Nonce& nonce = {},
                                      const CallContext& context = {});
  // For PutGroup. AddToGroup adds a put, or does nothing and returns false (Region::AddToGroup). CommitGroup writes the
  // group; its status is that of each put.
  absl::StatusOr<bool> AddToGroup(std::string_view region, const Mutation& put, const CallContext& context,
                                  WriteGroup* group);
  absl::Status CommitGroup(WriteGroup* group);
  // Returns for each action whether the caller has the rights for what it writes; Batch asks by itself. As in HBase,
  // the puts and deletes are one: if one is refused, all are.
  std::vector<absl::Status> CheckActions(const CallContext& context, const Region& region,
                                         std::span<const Action> actions) const;
  absl::StatusOr<MutateResult> CheckAndMutate(std::string_view region, const vaquita::CheckAndMutate& check,
                                              const Nonce& nonce = {}, const CallContext& context = {});
  // See Region::MutateRows.
  absl::StatusOr<bool> MutateRows(std::string_view region, std::span<const Mutation> mutations,
                                  std::span<const vaquita::CheckAndMutate> conditions, const CallContext& context = {});
  // Runs actions of one region. Returns an outcome for each, in order. Consecutive puts and deletes are one write; as
  // in HBase, gets between them do not end it, so that a get does not see the puts and deletes that stand just before
  // it.
  std::vector<ActionOutcome> Batch(std::string_view region, std::span<const Action> actions,
                                   const BatchOptions& options = {});
  // Runs actions of several regions: regions[i] is the region of actions[i]. Each region's actions are one Batch.
  std::vector<ActionOutcome> BatchByRegion(std::span<const std::string> regions, std::span<Action> actions,
                                           const BatchOptions& options = {});
  absl::StatusOr<ScanResponse> AnswerScan(const ScanRequest& request);

  // Returns the checks of users' rights; null: everybody may do everything.
  const AccessControl* access() const { return options_.access; }

  // Regions.
  absl::StatusOr<std::shared_ptr<Region>> FindRegion(std::string_view region) const;
  // See Region::Prefetch.
  static void Prefetch(std::span<const std::shared_ptr<Region>> regions) { Region::Prefetch(regions); }
  // Returns the number of the replica of that name; 0: it is a primary's. The server answers for the replicas of its
  // regions: reads from what it has, so they are never behind, and writes with HBase's refusal.
  int32_t ReplicaIdOf(std::string_view region) const { return regions_.ReplicaIdOf(region); }
  // Returns the encoded name of the region of `table` that holds `row`; empty if it is not served here.
  std::string FindRegionName(const TableName& table, std::string_view row) const {
    return regions_.FindName(table, row);
  }
  std::vector<std::shared_ptr<Region>> Regions() const { return regions_.All(); }
  // Returns a number that changes whenever Regions does. Cheap.
  int64_t RegionsVersion() const { return regions_.version(); }
  // Serves one of the master's own regions (hbase:meta, hbase:namespace). Its stores are the master's, and outlive this
  // server.
  void Host(std::shared_ptr<Region> region) { regions_.Add({std::move(region)}); }
  // Takes the number of replicas from the altered table of such a region.
  void UpdateReplicas(const std::shared_ptr<Region>& region) { regions_.UpdateReplicas(region); }
  // Returns the row at which the region's policy would split it; empty if it cannot be split. A region whose data are
  // all in memory is flushed first.
  absl::StatusOr<std::string> BestSplitRow(std::string_view region);
  // Asks the master to split the region at its policy's row.
  absl::Status RequestSplit(std::string_view region);

  const Options& options() const { return *options_.options; }
  const Clock& clock() const { return *options_.clock; }
  const std::string& server_name() const { return options_.server_name; }
  ServerMetrics Metrics() const { return MetricsOf(regions_.All()); }
  RegionServerTotals Totals() const;
  // Returns the stores' part of Totals, which alone is cheap.
  StoreDbMetrics StoreCounters() const { return db_ == nullptr ? StoreDbMetrics() : db_->Metrics(); }
  RegionServerTrouble Trouble() const { return {failed_.All(), sidelined_stores_}; }
  int64_t OpenScannerCount() const { return static_cast<int64_t>(scanners_.size()); }
  void ExpireScanners() { scanners_.Expire(); }  // closes those whose lease is over; a thread does so, too
  // Returns the region that an open scanner reads; null if it is not open, or if its first call still runs.
  std::shared_ptr<Region> RegionOfScanner(int64_t scanner_id) const { return scanners_.RegionOf(scanner_id); }
  // Returns whether the server's database accepts writes (engine/write_health.h).
  WriteHealth::State Writes() const { return db_ == nullptr ? WriteHealth::State() : db_->Writes(); }
  Maintenance* maintenance() { return maintenance_; }
  SlowCallLog& slow_calls() { return slow_calls_; }
  std::vector<MonitoredTask> Tasks() const {
    return db_ == nullptr ? std::vector<MonitoredTask>() : db_->tasks()->List();
  }
  // Begins a new file of the write-ahead log, by the flush of the region with the smallest memstore. Does nothing if
  // all memstores are empty: then no file of the log is needed any more.
  absl::Status RollLog();
  // See StoreDb.
  CacheEviction DropCachedBlocks() { return db_ == nullptr ? CacheEviction() : db_->DropCachedBlocks(); }

  // Orders of clients to the process. StopProcess returns when the stop begins; kUnsupportedOperation if the process is
  // not to be stopped by clients. UpdateConfiguration: see ProcessOrders; its errors are kDoNotRetryIO.
  absl::Status StopProcess(std::string_view client) const;
  absl::Status UpdateConfiguration() const;

  CommandResult Execute(const Command& command) override;
  absl::Status CreateRegions(const std::vector<RegionInfo>& infos,
                             std::shared_ptr<const TableDescriptor> table) override;
  absl::Status DropRegions(const std::vector<std::string>& regions, const TableDescriptor& table) override;
  absl::Status AlterRegion(std::string_view region, std::shared_ptr<const TableDescriptor> table) override;
  absl::StatusOr<std::vector<RegionFiles>> ExportRegions(const std::vector<RegionInfo>& infos,
                                                         std::shared_ptr<const TableDescriptor> table,
                                                         const std::string& folder, bool flush) override;
  absl::Status ImportRegions(const std::vector<RegionImport>& regions, const TableDescriptor& table) override;
  absl::Status FlushRegion(std::string_view region, const std::vector<std::string>& families = {}) override;
  absl::Status CompactRegion(std::string_view region, std::string_view family, CompactionKind kind, bool wait) override;
  absl::StatusOr<ServerReport> Report() override;
  absl::Status SetPermissions(std::shared_ptr<const Permissions> permissions) override;

  // Execute calls these. They return a status for each region.
  std::vector<absl::Status> OpenRegions(const std::vector<RegionOfTable>& regions);
  std::vector<absl::Status> ServeRegions(const std::vector<std::string>& regions);
  std::vector<absl::Status> CloseRegions(const std::vector<std::string>& regions, std::string_view destination);
  std::vector<absl::Status> ReleaseRegions(const std::vector<RegionOfTable>& regions);
  absl::StatusOr<PendingTransition> BeginSplit(std::string_view region, std::string_view split_row);
  absl::StatusOr<PendingTransition> BeginMerge(const std::vector<std::string>& regions, bool forcible);
  absl::Status EndTransition(std::string_view id, TransitionEnd end);
  absl::StatusOr<std::vector<absl::Status>> RecoverServer(std::string_view dead_server,
                                                          const std::vector<RegionOfTable>& regions);

 private:
  using RegionList = std::vector<std::shared_ptr<Region>>;
  using Names = std::set<std::string, std::less<>>;

  // Requests.
  absl::StatusOr<std::shared_ptr<Region>> FindRegionToWrite(std::string_view region, const CallContext& context) const;
  absl::Status NotServed(std::string_view region) const;
  absl::Status CheckIsPrimary(std::string_view region) const;
  bool HasLease() const;
  absl::Status LeaseIsOver() const;
  // Returns the error of a write during which the lease ended: the region may be open elsewhere without it.
  absl::Status LeaseWasOver() const;
  // Returns `asked`, or `*narrowed`: the part of it that the caller may read. Null: there is no access control.
  template <typename Read>
  absl::StatusOr<const Read*> ReadableBy(const CallContext& context, const Region& region, const Read& asked,
                                         std::optional<Read>* narrowed) const;
  absl::Status CheckWrites(const CallContext& context, const Region& region, std::span<const Mutation> mutations) const;
  absl::Status CheckCondition(const CallContext& context, const Region& region,
                              const vaquita::CheckAndMutate& check) const;
  absl::Status CheckRoomForScanner(const Region& region, int64_t kept_bytes) const;
  // Opens a scanner, and says whether it may stay open after its first call.
  absl::StatusOr<OpenScanners::Call> OpenScanner(const ScanRequest& request, absl::Status* may_stay);
  void RunAction(Region& region, const Action& action, const Nonce& nonce, const CallContext& context,
                 ActionOutcome* outcome);
  absl::StatusOr<MutateResult> MutateOnce(Region& region, const Mutation& mutation, const Nonce& nonce,
                                          const CallContext& context);
  absl::StatusOr<MutateResult> MutateOnce(Region& region, const RowMutations& mutations, const Nonce& nonce,
                                          const CallContext& context);
  absl::StatusOr<MutateResult> MutateOnce(Region& region, const vaquita::CheckAndMutate& check, const Nonce& nonce,
                                          const CallContext& context);
  // Runs `operation` unless the nonce says that this has been done.
  absl::StatusOr<MutateResult> RunOnce(Region& region, std::string_view row, std::span<const Mutation> mutations,
                                       const Nonce& nonce, const CallContext& context,
                                       absl::FunctionRef<absl::StatusOr<MutateResult>()> operation);
  // Returns the answer of a write, or an error if the lease has ended.
  template <typename T>
  absl::StatusOr<T> AfterWrite(const std::shared_ptr<Region>& region, const CallContext& context,
                               absl::StatusOr<T> result) {
    if (!result.ok()) return result;
    maintenance_->AfterWrite(region, context.short_waits);
    if (!HasLease()) return LeaseWasOver();
    return result;
  }
  ServerMetrics MetricsOf(const RegionList& regions) const;
  // Changes regions_, and keeps the counts of the old ones.
  void ReplaceRegions(const RegionList& old_ones, const RegionList& new_ones);

  // Commands.
  struct Transition {
    std::string_view what;  // "split" or "merge"
    PendingTransition pending;
    std::unique_ptr<RegionTransition> steps;
    RegionList new_regions;
  };
  // Moves the stores that belong to no region to the sideline.
  absl::Status SetUnknownAside(const std::vector<RegionOfTable>& regions);
  void WarnOfPossibleLoss(const RegionOfTable& region) const;
  absl::Status UpdateNotes(const std::vector<RegionOfTable>& regions);
  absl::Status OpenAtStart(const std::vector<RegionOfTable>& regions);
  absl::Status WithoutStores(const RegionInfo& info) const;
  void ForgetNotes(const RegionList& regions);
  absl::StatusOr<Names> Handoffs() const;
  std::vector<absl::Status> OpenOrCreate(const Command& command);
  std::shared_ptr<Region> FindOpened(std::string_view encoded_name) const;
  std::shared_ptr<Region> FindOpenedOrServed(std::string_view encoded_name) const;
  void AddOpened(const std::shared_ptr<Region>& region);
  void RemoveOpened(const std::string& encoded_name);
  absl::Status CheckNotInTransition(std::string_view encoded_name) const;
  absl::Status CheckClosed(std::string_view encoded_name) const;
  // Readies the stores of regions that are closed here; takes those of handoffs over.
  void ReadyStores(const std::vector<RegionOfTable>& regions, std::vector<absl::Status>* statuses);
  absl::Status Serve(const std::string& encoded_name);
  absl::Status Close(const std::string& encoded_name, std::string_view destination);
  absl::Status CloseOpened(const std::shared_ptr<Region>& region);
  absl::Status CloseServed(const std::shared_ptr<Region>& region, std::string_view destination);
  absl::Status HandOver(const RegionOfTable& region, const Names& handoffs);
  // Ends the release of regions whose handoffs are published. Nobody needs to wait for this part.
  void EndRelease(const std::vector<std::string>& regions, const std::vector<std::string>& stores);
  void AwaitReleases();
  absl::StatusOr<RegionFiles> ExportRegion(const RegionInfo& info, const std::shared_ptr<const TableDescriptor>& table,
                                           const std::string& folder, bool flush);
  // Returns the pending transition of exactly these parents into so many regions.
  std::optional<PendingTransition> FindPending(const std::vector<std::string>& parents, size_t new_regions) const;
  absl::StatusOr<PendingTransition> Begin(std::string_view what, std::unique_ptr<RegionTransition> steps);
  void Commit(Transition& transition);
  absl::Status RollBack(Transition& transition);

  const RegionServerOptions options_;
  SlowCallLog slow_calls_;
  const int64_t start_ms_;
  std::atomic<int64_t> requests_{0};
  std::unique_ptr<StoreDb> db_;
  std::unique_ptr<RegionNotes> notes_;  // in db_
  Names missing_;                       // regions at home here that had no data here at the start
  RegionMap regions_;
  mutable std::mutex totals_mutex_;  // so that a region that leaves is counted exactly once
  RegionServerTotals gone_;          // the totals of regions that have left; under totals_mutex_
  MovedRegions moved_;
  FailedRegions failed_;
  std::atomic<int64_t> sidelined_stores_{0};
  OpenScanners scanners_;
  OperationNonces nonces_;
  std::unique_ptr<Maintenance> own_maintenance_;
  Maintenance* maintenance_ = nullptr;  // own_maintenance_, or the master's for hosted regions

  ExclusiveNames commands_;  // regions, by encoded name, and dead servers
  // Uses of handoffs that failed: the handoffs are gone, and it is not sure that the disk knows. No region may be
  // served before a sync that began after the last of them.
  std::atomic<uint64_t> failed_uses_ = 0;
  std::atomic<uint64_t> synced_uses_ = 0;  // those that the last sync covered
  mutable std::mutex mutex_;
  std::map<std::string, std::shared_ptr<Region>, std::less<>> opened_;
  std::map<std::string, Transition, std::less<>> transitions_;  // by id
  std::unique_ptr<TaskPool> afterwards_;                        // ends releases; null before the folder is open
};

}  // namespace vaquita
