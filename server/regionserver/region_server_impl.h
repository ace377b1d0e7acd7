// server/regionserver/region_server_impl.h: the region server behind region_server.h: requests in region_server.cc, the
// master's commands in region_server_commands.cc.
//
// A region is served (in regions_, where requests find it), or opened and waits for ServeRegions (in opened_), or
// closed (its stores are in the database, or are not). A parent of a pending transition stays in regions_, closed, so
// that requests are told so. Commands about one region run one after the other (commands_); what they change together
// is under mutex_.
#pragma once

#include <atomic>
#include <cstdint>
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
#include "base/exclusive_names.h"
#include "base/task_pool.h"
#include "engine/store_db.h"
#include "region/split.h"
#include "server/data_root/region_notes.h"
#include "server/regionserver/failed_regions.h"
#include "server/regionserver/moved_regions.h"
#include "server/regionserver/open_scanners.h"
#include "server/regionserver/operation_nonces.h"
#include "server/regionserver/region_map.h"
#include "server/regionserver/region_server.h"

namespace vaquita {

class RegionServerImpl final : public RegionServer {
 public:
  explicit RegionServerImpl(const RegionServerOptions& options);
  ~RegionServerImpl() override;
  absl::Status OpenFolder(const std::vector<RegionToOpen>& regions) override;
  void LeaveTo(Maintenance* maintenance) { maintenance_ = maintenance; }

  absl::Status Get(std::string_view region, const vaquita::Get& get, CellBlock* cells, ReadWatch* watch) override;
  absl::StatusOr<MutateResult> Mutate(std::string_view region, const Mutation& mutation, const Nonce& nonce) override;
  absl::StatusOr<MutateResult> Mutate(std::string_view region, const RowMutations& mutations,
                                      const Nonce& nonce) override;
  absl::StatusOr<MutateResult> CheckAndMutate(std::string_view region, const vaquita::CheckAndMutate& check,
                                              const Nonce& nonce) override;
  absl::StatusOr<bool> MutateRows(std::string_view region, std::span<const Mutation> mutations,
                                  std::span<const vaquita::CheckAndMutate> conditions) override;
  std::vector<ActionOutcome> Batch(std::string_view region, std::span<const Action> actions,
                                   const BatchOptions& options) override;
  absl::StatusOr<ScanResponse> DoScan(const ScanRequest& request) override;

  absl::StatusOr<std::shared_ptr<Region>> FindRegion(std::string_view region) const override;
  std::string FindRegionName(const TableName& table, std::string_view row) const override {
    return regions_.FindName(table, row);
  }
  std::vector<std::shared_ptr<Region>> Regions() const override { return regions_.All(); }
  void Host(std::shared_ptr<Region> region) override { regions_.Add({std::move(region)}); }
  absl::Status RequestSplit(std::string_view region) override;
  const Options& options() const override { return *options_.options; }
  const std::string& server_name() const override { return options_.server_name; }
  ServerMetrics Metrics() const override { return MetricsOf(regions_.All()); }
  RegionServerTotals Totals() const override;
  RegionServerTrouble Trouble() const override { return {failed_.All(), sidelined_stores_}; }
  void ExpireScanners() override { scanners_.Expire(); }
  int64_t OpenScannerCount() const override { return static_cast<int64_t>(scanners_.size()); }
  std::shared_ptr<Region> RegionOfScanner(int64_t scanner_id) const override { return scanners_.RegionOf(scanner_id); }
  WriteHealth::State Writes() const override { return db_ == nullptr ? WriteHealth::State() : db_->Writes(); }
  Maintenance* maintenance() override { return maintenance_; }

  absl::Status CreateRegions(const std::vector<RegionInfo>& infos,
                             std::shared_ptr<const TableDescriptor> table) override;
  std::vector<absl::Status> OpenRegions(const std::vector<RegionOfTable>& regions) override;
  std::vector<absl::Status> ServeRegions(const std::vector<std::string>& regions) override;
  std::vector<absl::Status> CloseRegions(const std::vector<std::string>& regions,
                                         std::string_view destination) override;
  std::vector<absl::Status> ReleaseRegions(const std::vector<RegionOfTable>& regions) override;
  absl::Status DropRegions(const std::vector<std::string>& regions, const TableDescriptor& table) override;
  absl::Status AlterRegion(std::string_view region, std::shared_ptr<const TableDescriptor> table) override;
  absl::StatusOr<PendingTransition> BeginSplit(std::string_view region, std::string_view split_row) override;
  absl::StatusOr<PendingTransition> BeginMerge(const std::vector<std::string>& regions, bool forcible) override;
  absl::Status EndTransition(std::string_view id, TransitionEnd end) override;
  absl::StatusOr<std::vector<absl::Status>> RecoverServer(std::string_view dead_server,
                                                          const std::vector<RegionOfTable>& regions) override;
  absl::StatusOr<std::vector<RegionFiles>> ExportRegions(const std::vector<RegionInfo>& infos,
                                                         std::shared_ptr<const TableDescriptor> table,
                                                         const std::string& folder, bool flush) override;
  absl::Status ImportRegions(const std::vector<RegionImport>& regions, const TableDescriptor& table) override;
  using RegionServer::FlushRegion;
  absl::Status FlushRegion(std::string_view region, const std::vector<std::string>& families) override;
  absl::Status CompactRegion(std::string_view region, std::string_view family, CompactionKind kind, bool wait) override;
  absl::StatusOr<ServerReport> Report() override;

 private:
  using RegionList = std::vector<std::shared_ptr<Region>>;
  using Names = std::set<std::string, std::less<>>;

  // Requests.
  absl::StatusOr<std::shared_ptr<Region>> FindRegionToWrite(std::string_view region) const;
  absl::Status NotServed(std::string_view region) const;
  bool HasLease() const;
  absl::Status LeaseIsOver() const;
  // Of what was done while the lease ended: the region may be open elsewhere already, without it.
  absl::Status LeaseWasOver() const;
  absl::StatusOr<OpenScanners::Call> OpenScanner(const ScanRequest& request);
  void RunAction(Region& region, const Action& action, const Nonce& nonce, ReadWatch* watch, ActionOutcome* outcome);
  absl::StatusOr<MutateResult> Do(Region& region, const Mutation& mutation, const Nonce& nonce);
  absl::StatusOr<MutateResult> Do(Region& region, const RowMutations& mutations, const Nonce& nonce);
  absl::StatusOr<MutateResult> Do(Region& region, const vaquita::CheckAndMutate& check, const Nonce& nonce);
  // Runs `operation` unless the nonce says that this has been done.
  absl::StatusOr<MutateResult> Once(Region& region, std::string_view row, std::span<const Mutation> mutations,
                                    const Nonce& nonce, absl::FunctionRef<absl::StatusOr<MutateResult>()> operation);
  // What a write may be answered.
  template <typename T>
  absl::StatusOr<T> AfterWrite(const std::shared_ptr<Region>& region, absl::StatusOr<T> result) {
    if (!result.ok()) return result;
    maintenance_->AfterWrite(region);
    if (!HasLease()) return LeaseWasOver();
    return result;
  }
  ServerMetrics MetricsOf(const RegionList& regions) const;
  // Changes regions_; what the old ones did goes on to count.
  void ReplaceRegions(const RegionList& old_ones, const RegionList& new_ones);

  // Commands.
  struct Transition {
    std::string_view what;  // "split" or "merge"
    PendingTransition pending;
    std::unique_ptr<RegionTransition> steps;
    RegionList new_regions;
  };
  // What of the folder no region has.
  absl::Status SetUnknownAside(const std::vector<RegionToOpen>& regions);
  void SayWhatMayBeLost(const RegionToOpen& region) const;
  absl::Status LookAtNotes(const std::vector<RegionToOpen>& regions);
  absl::Status OpenAtStart(const std::vector<RegionToOpen>& regions);
  absl::Status WithoutStores(const RegionInfo& info) const;
  void ForgetNotes(const RegionList& regions);
  absl::StatusOr<Names> Handoffs() const;
  std::shared_ptr<Region> FindOpened(std::string_view encoded_name) const;
  std::shared_ptr<Region> FindOpenedOrServed(std::string_view encoded_name) const;
  void AddOpened(const std::shared_ptr<Region>& region);
  void RemoveOpened(const std::string& encoded_name);
  absl::Status CheckNotInTransition(std::string_view encoded_name) const;
  absl::Status CheckClosed(std::string_view encoded_name) const;
  // Readies the stores of regions that are closed here, from handoffs where there are any.
  void ReadyStores(const std::vector<RegionOfTable>& regions, std::vector<absl::Status>* statuses);
  absl::Status Serve(const std::string& encoded_name);
  absl::Status Close(const std::string& encoded_name, std::string_view destination);
  absl::Status CloseOpened(const std::shared_ptr<Region>& region);
  absl::Status CloseServed(const std::shared_ptr<Region>& region, std::string_view destination);
  absl::Status HandOver(const RegionOfTable& region, const Names& handoffs);
  // Of regions whose handoffs are published: what nobody need wait for.
  void EndRelease(const std::vector<std::string>& regions, const std::vector<std::string>& stores);
  void AwaitReleases();
  absl::StatusOr<RegionFiles> ExportRegion(const RegionInfo& info, const std::shared_ptr<const TableDescriptor>& table,
                                           const std::string& folder, bool flush);
  // The pending transition of exactly these parents into so many regions, if there is one.
  std::optional<PendingTransition> FindPending(const std::vector<std::string>& parents, size_t new_regions) const;
  absl::StatusOr<PendingTransition> Begin(std::string_view what, std::unique_ptr<RegionTransition> steps);
  void Commit(Transition& transition);
  absl::Status RollBack(Transition& transition);

  const RegionServerOptions options_;
  const int64_t start_ms_;
  std::atomic<int64_t> requests_{0};
  std::unique_ptr<StoreDb> db_;
  std::unique_ptr<RegionNotes> notes_;  // of db_
  Names missing_;                       // regions that have their home here, and had nothing here at the start
  RegionMap regions_;
  mutable std::mutex totals_mutex_;  // so that no region is counted twice, or not at all, while it goes
  RegionServerTotals gone_;          // what regions did that are here no more; under totals_mutex_
  MovedRegions moved_;
  FailedRegions failed_;
  std::atomic<int64_t> sidelined_stores_{0};
  OpenScanners scanners_;
  OperationNonces nonces_;
  std::unique_ptr<Maintenance> own_maintenance_;
  Maintenance* maintenance_ = nullptr;  // that, or another's for hosted regions

  ExclusiveNames commands_;  // regions, by encoded name, and dead servers
  mutable std::mutex mutex_;
  std::map<std::string, std::shared_ptr<Region>, std::less<>> opened_;
  std::map<std::string, Transition, std::less<>> transitions_;  // by id
  std::unique_ptr<TaskPool> afterwards_;                        // of releases; null before the folder is open
};

}  // namespace vaquita
