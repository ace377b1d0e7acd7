#include "server/region_server.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <utility>
#include <variant>

#include "absl/functional/function_ref.h"
#include "engine/fault_point.h"
#include "engine/status.h"
#include "engine/store_db.h"
#include "region/short_waits.h"
#include "region/split.h"
#include "server/meta_scanner.h"
#include "server/open_scanners.h"
#include "server/operation_nonces.h"
#include "server/region_map.h"
#include "server/resident_memory.h"
#include "server/scan_call.h"
#include "spdlog/spdlog.h"

namespace vaquita {
namespace {

class RegionServerImpl : public RegionServer {
 public:
  explicit RegionServerImpl(const RegionServerOptions& options)
      : options_(options),
        start_ms_(options.clock->NowMs()),
        scanners_(options.server_name, options.options->scanner_lease_ms, options.clock),
        nonces_(options.clock) {}
  ~RegionServerImpl() override;
  absl::Status Start(const std::vector<RegionToOpen>& regions);
  void LeaveTo(Maintenance* maintenance) { maintenance_ = maintenance; }

  absl::Status Get(std::string_view region, const vaquita::Get& get, CellBlock* cells) override;
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
  std::vector<std::shared_ptr<Region>> Regions() const override { return regions_.All(); }
  absl::Status CreateRegions(const std::vector<RegionInfo>& infos,
                             std::shared_ptr<const TableDescriptor> table) override;
  absl::Status OpenRegions(const std::vector<RegionToOpen>& regions) override;
  absl::Status CloseRegion(std::string_view region) override;
  absl::Status DropRegions(const std::vector<std::string>& encoded_names, const TableDescriptor& table) override;
  absl::Status AlterRegion(std::string_view region, std::shared_ptr<const TableDescriptor> table) override;
  absl::StatusOr<std::vector<RegionFiles>> ExportRegions(const std::vector<RegionInfo>& infos,
                                                         std::shared_ptr<const TableDescriptor> table,
                                                         const std::string& folder, bool flush) override;
  absl::Status ImportRegions(const std::vector<RegionImport>& regions, const TableDescriptor& table) override {
    return Region::Import(db_.get(), table, regions);
  }
  void Host(std::shared_ptr<Region> region) override { regions_.Add({std::move(region)}); }
  absl::Status FlushRegion(std::string_view region, const std::vector<std::string>& families) override;
  absl::Status CompactRegion(std::string_view region, std::string_view family, CompactionKind kind, bool wait) override;
  absl::Status SplitRegion(std::string_view region, std::string_view split_row, const Commit& commit) override;
  absl::Status MergeRegions(const std::vector<std::string>& regions, bool forcible, const Commit& commit) override;
  absl::Status RequestSplit(std::string_view region) override;

  const Options& options() const override { return *options_.options; }
  const std::string& server_name() const override { return options_.server_name; }
  ServerMetrics Metrics() const override;
  Maintenance* maintenance() override { return maintenance_; }

 private:
  absl::StatusOr<std::shared_ptr<Region>> FindRegionToWrite(std::string_view region) const;
  void Serve(const std::vector<std::shared_ptr<Region>>& regions);
  absl::StatusOr<RegionFiles> ExportRegion(const RegionInfo& info, const std::shared_ptr<const TableDescriptor>& table,
                                           const std::string& folder, bool flush);
  absl::StatusOr<OpenScanners::Call> OpenScanner(const ScanRequest& request);
  void RunAction(Region& region, const Action& action, const Nonce& nonce, ActionOutcome* outcome);
  absl::StatusOr<MutateResult> Do(Region& region, const Mutation& mutation, const Nonce& nonce);
  absl::StatusOr<MutateResult> Do(Region& region, const RowMutations& mutations, const Nonce& nonce);
  absl::StatusOr<MutateResult> Do(Region& region, const vaquita::CheckAndMutate& check, const Nonce& nonce);
  // Runs `operation` unless the nonce says that this has been done.
  absl::StatusOr<MutateResult> Once(Region& region, std::string_view row, std::span<const Mutation> mutations,
                                    const Nonce& nonce, absl::FunctionRef<absl::StatusOr<MutateResult>()> operation);
  absl::Status RunTransition(RegionTransition& transition, std::string_view what, const Commit& commit);
  template <typename T>
  absl::StatusOr<T> AfterWrite(const std::shared_ptr<Region>& region, absl::StatusOr<T> result) {
    if (result.ok()) maintenance_->AfterWrite(region);
    return result;
  }

  const RegionServerOptions options_;
  const int64_t start_ms_;
  std::atomic<int64_t> requests_{0};
  std::unique_ptr<StoreDb> db_;
  RegionMap regions_;
  OpenScanners scanners_;
  OperationNonces nonces_;
  std::unique_ptr<Maintenance> own_maintenance_;
  Maintenance* maintenance_ = nullptr;  // that, or another's for hosted regions
};

RegionServerImpl::~RegionServerImpl() {
  own_maintenance_.reset();
  for (const auto& region : regions_.All()) {
    regions_.Remove(region);
    scanners_.RegionClosed(region.get());
    if (const absl::Status status = region->Close(); !status.ok()) {
      spdlog::warn("close region {}: {}", region->info().EncodedName(), status.ToString());
    }
  }
}

absl::Status RegionServerImpl::Start(const std::vector<RegionToOpen>& regions) {
  std::map<std::string, StoreSpec, std::less<>> specs;
  for (const RegionToOpen& region : regions) {
    for (StoreSpec& spec : Region::StoreSpecs(region.info, *region.table, *options_.options)) {
      std::string name = spec.name;
      specs.emplace(std::move(name), std::move(spec));
    }
  }
  const auto resolve = [&](std::string_view store) -> std::unique_ptr<StoreSpec> {
    const auto it = specs.find(store);
    if (it != specs.end()) return std::make_unique<StoreSpec>(it->second);
    spdlog::info("dropping store {}: no region has it", store);
    return nullptr;
  };
  VAQUITA_ASSIGN_OR_RETURN(db_, StoreDb::Open({options_.path, options_.options, options_.clock}, resolve));
  own_maintenance_ = Maintenance::Start(db_.get(), [this](std::shared_ptr<Region> region) {
    if (options_.request_split) options_.request_split(region->info());
  });
  maintenance_ = own_maintenance_.get();
  return OpenRegions(regions);
}

absl::StatusOr<std::shared_ptr<Region>> RegionServerImpl::FindRegion(std::string_view region) const {
  if (std::shared_ptr<Region> found = regions_.Find(region)) return found;
  return Error(ErrorKind::kNotServingRegion, ToStringBinary(region) + " is not online on " + options_.server_name);
}

void RegionServerImpl::Serve(const std::vector<std::shared_ptr<Region>>& regions) {
  regions_.Add(regions);
  for (const auto& region : regions) maintenance_->Add(region);
}

absl::Status RegionServerImpl::Get(std::string_view region, const vaquita::Get& get, CellBlock* cells) {
  requests_.fetch_add(1, std::memory_order_relaxed);
  VAQUITA_ASSIGN_OR_RETURN(const auto found, FindRegion(region));
  return found->Get(get, cells);
}

absl::StatusOr<std::shared_ptr<Region>> RegionServerImpl::FindRegionToWrite(std::string_view region) const {
  VAQUITA_ASSIGN_OR_RETURN(auto found, FindRegion(region));
  if (ShortWaits::Apply() && maintenance_->DelaysWriters(*found)) return WouldWait();
  return found;
}

absl::StatusOr<MutateResult> RegionServerImpl::Mutate(std::string_view region, const Mutation& mutation,
                                                      const Nonce& nonce) {
  requests_.fetch_add(1, std::memory_order_relaxed);
  VAQUITA_ASSIGN_OR_RETURN(const auto found, FindRegionToWrite(region));
  return AfterWrite(found, Do(*found, mutation, nonce));
}

absl::StatusOr<MutateResult> RegionServerImpl::Mutate(std::string_view region, const RowMutations& mutations,
                                                      const Nonce& nonce) {
  requests_.fetch_add(1, std::memory_order_relaxed);
  VAQUITA_ASSIGN_OR_RETURN(const auto found, FindRegionToWrite(region));
  return AfterWrite(found, Do(*found, mutations, nonce));
}

absl::StatusOr<MutateResult> RegionServerImpl::CheckAndMutate(std::string_view region,
                                                              const vaquita::CheckAndMutate& check,
                                                              const Nonce& nonce) {
  requests_.fetch_add(1, std::memory_order_relaxed);
  VAQUITA_ASSIGN_OR_RETURN(const auto found, FindRegionToWrite(region));
  return AfterWrite(found, Do(*found, check, nonce));
}

absl::StatusOr<bool> RegionServerImpl::MutateRows(std::string_view region, std::span<const Mutation> mutations,
                                                  std::span<const vaquita::CheckAndMutate> conditions) {
  requests_.fetch_add(1, std::memory_order_relaxed);
  VAQUITA_ASSIGN_OR_RETURN(const auto found, FindRegion(region));
  return AfterWrite(found, found->MutateRows(mutations, conditions));
}

absl::StatusOr<MutateResult> RegionServerImpl::Do(Region& region, const Mutation& mutation, const Nonce& nonce) {
  return Once(region, mutation.row, {&mutation, 1}, nonce, [&] { return region.Mutate(mutation); });
}

absl::StatusOr<MutateResult> RegionServerImpl::Do(Region& region, const RowMutations& mutations, const Nonce& nonce) {
  return Once(region, mutations.row, mutations.mutations, nonce, [&] { return region.Mutate(mutations); });
}

absl::StatusOr<MutateResult> RegionServerImpl::Do(Region& region, const vaquita::CheckAndMutate& check,
                                                  const Nonce& nonce) {
  return Once(region, check.row, check.mutations, nonce, [&] { return region.CheckAndMutate(check); });
}

// What these increments and appends answered, of those that ask for it: what their columns held at `written_ms`. Others
// may have been added to since. HBase reads as of the operation's place in its log, to the same end.
absl::StatusOr<MutateResult> ReadBack(Region& region, std::string_view row, std::span<const Mutation> mutations,
                                      int64_t written_ms) {
  MutateResult result;
  for (const Mutation& mutation : mutations) {
    const bool adds = mutation.type == MutationType::kIncrement || mutation.type == MutationType::kAppend;
    if (!adds || !mutation.return_results) continue;
    Get get;
    get.row = row;
    get.time_range = mutation.time_range;
    get.time_range.max_ms = std::min(get.time_range.max_ms, written_ms + 1);
    for (const Cell& cell : mutation.cells) get.columns[cell.family].push_back(cell.qualifier);
    VAQUITA_RETURN_IF_ERROR(region.Get(get, &result.cells));
  }
  return result;
}

int64_t NewestTimestamp(const CellBlock& cells) {
  int64_t newest_ms = 0;
  for (size_t i = 0; i < cells.size(); ++i) newest_ms = std::max(newest_ms, cells[i].timestamp_ms);
  return newest_ms;
}

absl::StatusOr<MutateResult> RegionServerImpl::Once(Region& region, std::string_view row,
                                                    std::span<const Mutation> mutations, const Nonce& nonce,
                                                    absl::FunctionRef<absl::StatusOr<MutateResult>()> operation) {
  if (nonce.value == 0) return operation();
  OperationNonces::Run run = nonces_.Begin(nonce);
  if (run.would_wait()) return WouldWait();
  if (run.done_before()) return ReadBack(region, row, mutations, run.written_ms());
  absl::StatusOr<MutateResult> result = operation();
  // A condition that did not hold is to be looked at again.
  if (result.ok() && result->processed) run.Succeed(NewestTimestamp(result->cells));
  return result;
}

// Puts and deletes can share one write; everything else reads or decides first.
const Mutation* BatchableMutation(const Action& action) {
  const auto* mutation = std::get_if<Mutation>(&action);
  if (mutation == nullptr) return nullptr;
  return mutation->type == MutationType::kPut || mutation->type == MutationType::kDelete ? mutation : nullptr;
}

absl::Status ResultsTooLarge(int64_t bytes) {
  return Error(ErrorKind::kMultiActionResultTooLarge, "Max size exceeded CellSize: " + std::to_string(bytes));
}

std::vector<ActionOutcome> RegionServerImpl::Batch(std::string_view region, std::span<const Action> actions,
                                                   const BatchOptions& options) {
  requests_.fetch_add(static_cast<int64_t>(actions.size()), std::memory_order_relaxed);
  std::vector<ActionOutcome> outcomes(actions.size());
  const auto found = FindRegion(region);
  if (!found.ok()) {
    for (ActionOutcome& outcome : outcomes) outcome.status = found.status();
    return outcomes;
  }
  std::vector<const Mutation*> run;
  int64_t result_bytes = 0;
  for (size_t i = 0; i < actions.size();) {
    if (options.max_result_bytes >= 0 && result_bytes > options.max_result_bytes) {
      for (; i < actions.size(); ++i) outcomes[i].status = ResultsTooLarge(result_bytes);
      break;
    }
    run.clear();
    for (size_t j = i; j < actions.size(); ++j) {
      const Mutation* mutation = BatchableMutation(actions[j]);
      if (mutation == nullptr) break;
      run.push_back(mutation);
    }
    if (run.empty()) {
      if (options.carry_ttls) outcomes[i].cells.CarryTtls();
      RunAction(**found, actions[i], options.nonces.empty() ? Nonce() : options.nonces[i], &outcomes[i]);
      result_bytes += outcomes[i].cells.bytes().size() + outcomes[i].result.cells.bytes().size();
      ++i;
      continue;
    }
    std::vector<absl::Status> statuses = (*found)->MutateBatch(run);
    for (absl::Status& status : statuses) outcomes[i++].status = std::move(status);
  }
  maintenance_->AfterWrite(*found);
  return outcomes;
}

void RegionServerImpl::RunAction(Region& region, const Action& action, const Nonce& nonce, ActionOutcome* outcome) {
  if (const auto* get = std::get_if<vaquita::Get>(&action)) {
    outcome->status = region.Get(*get, &outcome->cells);
    return;
  }
  absl::StatusOr<MutateResult> result;
  if (const auto* mutation = std::get_if<Mutation>(&action)) {
    result = Do(region, *mutation, nonce);
  } else if (const auto* mutations = std::get_if<RowMutations>(&action)) {
    result = Do(region, *mutations, nonce);
  } else {
    result = Do(region, std::get<vaquita::CheckAndMutate>(action), nonce);
  }
  outcome->status = result.status();
  if (result.ok()) outcome->result = *std::move(result);
}

absl::StatusOr<OpenScanners::Call> RegionServerImpl::OpenScanner(const ScanRequest& request) {
  VAQUITA_ASSIGN_OR_RETURN(const auto region, FindRegion(request.region));
  auto scanner = std::make_shared<vaquita::OpenScanner>();
  const bool is_meta = region->info().table == kMetaTableName;
  VAQUITA_ASSIGN_OR_RETURN(scanner->scanner,
                           is_meta ? NewMetaScanner(*region, *request.scan) : region->NewScanner(*request.scan));
  scanner->region = region;
  scanner->caching = request.scan->caching;
  scanner->max_result_bytes = request.scan->max_result_bytes;
  scanner->rows_left = request.scan->limit > 0 ? request.scan->limit : -1;
  return scanners_.Begin(std::move(scanner));
}

absl::StatusOr<ScanResponse> RegionServerImpl::DoScan(const ScanRequest& request) {
  requests_.fetch_add(1, std::memory_order_relaxed);
  OpenScanners::Call call;
  if (request.scanner_id == 0) {
    VAQUITA_ASSIGN_OR_RETURN(call, OpenScanner(request));
  } else {
    VAQUITA_ASSIGN_OR_RETURN(call, scanners_.Enter(request.scanner_id));
    if (call.closed_before()) return ScanResponse{};  // clients of before 2.0 close after the end, too
  }
  return RunScanCall(std::move(call), request, *options_.options, options_.clock);
}

absl::Status RegionServerImpl::CreateRegions(const std::vector<RegionInfo>& infos,
                                             std::shared_ptr<const TableDescriptor> table) {
  VAQUITA_ASSIGN_OR_RETURN(const auto created, Region::CreateAll(db_.get(), infos, std::move(table)));
  Serve(created);
  return absl::OkStatus();
}

absl::Status RegionServerImpl::OpenRegions(const std::vector<RegionToOpen>& regions) {
  std::vector<std::shared_ptr<Region>> opened;
  for (const RegionToOpen& region : regions) {
    if (!region.open || regions_.Find(region.info.EncodedName()) != nullptr) continue;
    auto result = Region::Open(db_.get(), region.info, region.table);
    VAQUITA_RETURN_IF_ERROR(Annotate(result.status(), "open region " + region.info.EncodedName()));
    opened.push_back(*std::move(result));
  }
  Serve(opened);
  return absl::OkStatus();
}

absl::Status RegionServerImpl::CloseRegion(std::string_view name) {
  VAQUITA_ASSIGN_OR_RETURN(const auto region, FindRegion(name));
  maintenance_->Remove(region);
  absl::Status status = region->Flush();
  if (status.ok()) status = region->Close();
  if (!status.ok()) {
    maintenance_->Add(region);
    return Annotate(status, "close region " + region->info().EncodedName());
  }
  regions_.Remove(region);
  scanners_.RegionClosed(region.get());
  return absl::OkStatus();
}

absl::Status RegionServerImpl::DropRegions(const std::vector<std::string>& encoded_names,
                                           const TableDescriptor& table) {
  std::vector<std::string> stores;
  for (const std::string& name : encoded_names) {
    for (const auto& [family, descriptor] : table.families) {
      std::string store = Region::StoreName(name, family);
      if (db_->Find(store) != nullptr) stores.push_back(std::move(store));
    }
  }
  return db_->Drop(stores);
}

absl::Status RegionServerImpl::AlterRegion(std::string_view name, std::shared_ptr<const TableDescriptor> table) {
  if (const auto region = regions_.Find(name)) return region->Alter(std::move(table));
  for (const auto& [family, descriptor] : table->families) {
    const auto store = db_->Find(Region::StoreName(name, family));
    if (store != nullptr) VAQUITA_RETURN_IF_ERROR(store->Alter(descriptor));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<RegionFiles>> RegionServerImpl::ExportRegions(const std::vector<RegionInfo>& infos,
                                                                         std::shared_ptr<const TableDescriptor> table,
                                                                         const std::string& folder, bool flush) {
  VAQUITA_ASSIGN_OR_RETURN(const auto kept, db_->KeepFiles());
  std::vector<RegionFiles> all;
  for (const RegionInfo& info : infos) {
    auto files = ExportRegion(info, table, folder + "/" + info.EncodedName(), flush);
    VAQUITA_RETURN_IF_ERROR(Annotate(files.status(), "export region " + info.EncodedName()));
    all.push_back(*std::move(files));
    FaultPoint("snapshot:region");
  }
  return all;
}

absl::StatusOr<RegionFiles> RegionServerImpl::ExportRegion(const RegionInfo& info,
                                                           const std::shared_ptr<const TableDescriptor>& table,
                                                           const std::string& folder, bool flush) {
  if (const auto region = regions_.Find(info.EncodedName())) {
    VAQUITA_ASSIGN_OR_RETURN(RegionFiles files, region->Export(folder, flush));
    if (flush) maintenance_->AfterFlush(region);
    return files;
  }
  VAQUITA_ASSIGN_OR_RETURN(const auto closed, Region::Open(db_.get(), info, table));
  return closed->Export(folder, /*flush=*/true);
}

absl::Status RegionServerImpl::FlushRegion(std::string_view name, const std::vector<std::string>& families) {
  VAQUITA_ASSIGN_OR_RETURN(const auto region, FindRegion(name));
  VAQUITA_RETURN_IF_ERROR(region->FlushFamilies(families));
  maintenance_->AfterFlush(region);
  return absl::OkStatus();
}

absl::Status RegionServerImpl::CompactRegion(std::string_view name, std::string_view family, CompactionKind kind,
                                             bool wait) {
  VAQUITA_ASSIGN_OR_RETURN(const auto region, FindRegion(name));
  if (!family.empty() && region->table()->FindFamily(family) == nullptr) {
    return Error(ErrorKind::kNoSuchColumnFamily, "column family " + std::string(family) + " does not exist in region " +
                                                     ToStringBinary(region->info().Name()));
  }
  if (wait) return region->Compact(kind, family).status();
  maintenance_->RequestCompaction(region, kind, family);
  return absl::OkStatus();
}

absl::Status RegionServerImpl::SplitRegion(std::string_view name, std::string_view split_row, const Commit& commit) {
  VAQUITA_ASSIGN_OR_RETURN(auto parent, FindRegion(name));
  VAQUITA_ASSIGN_OR_RETURN(const auto transition, PrepareSplit(db_.get(), std::move(parent), split_row));
  return RunTransition(*transition, "split", commit);
}

absl::Status RegionServerImpl::MergeRegions(const std::vector<std::string>& names, bool forcible,
                                            const Commit& commit) {
  std::vector<std::shared_ptr<Region>> parents;
  for (const std::string& name : names) {
    VAQUITA_ASSIGN_OR_RETURN(auto parent, FindRegion(name));
    parents.push_back(std::move(parent));
  }
  VAQUITA_ASSIGN_OR_RETURN(const auto transition, PrepareMerge(db_.get(), std::move(parents), forcible));
  return RunTransition(*transition, "merge", commit);
}

absl::Status RegionServerImpl::RequestSplit(std::string_view name) {
  VAQUITA_ASSIGN_OR_RETURN(const auto region, FindRegion(name));
  if (options_.request_split) options_.request_split(region->info());
  return absl::OkStatus();
}

absl::Status RegionServerImpl::RunTransition(RegionTransition& transition, std::string_view what,
                                             const Commit& commit) {
  const std::vector<std::shared_ptr<Region>> parents = transition.parents();
  std::vector<RegionInfo> parent_infos;
  for (const auto& parent : parents) {
    parent_infos.push_back(parent->info());
    maintenance_->Remove(parent);  // no compaction may replace the files while they are linked
  }
  const auto look_after_parents_again = [&] {
    for (const auto& parent : parents) maintenance_->Add(parent);
  };
  auto new_regions = transition.Begin();
  if (!new_regions.ok()) {
    look_after_parents_again();
    return new_regions.status();
  }
  FaultPoint(std::string(what) + ":before-commit");
  if (absl::Status status = commit(parent_infos, transition.new_infos()); !status.ok()) {
    if (const absl::Status undone = transition.Rollback(); !undone.ok()) {
      return Annotate(status, "not undone (" + undone.ToString() + "), after");
    }
    look_after_parents_again();
    return status;
  }
  FaultPoint(std::string(what) + ":committed");
  regions_.Replace(parents, *new_regions);
  for (const auto& region : *new_regions) maintenance_->Add(region);
  for (const auto& parent : parents) scanners_.RegionClosed(parent.get());
  if (const absl::Status status = transition.Finish(); !status.ok()) {
    // Meta has switched: it is done. The next start drops what is left of the parents.
    spdlog::warn("{} of {}: drop the old stores: {}", what, parent_infos[0].EncodedName(), status.ToString());
  }
  FaultPoint(std::string(what) + ":finished");
  return absl::OkStatus();
}

ServerMetrics RegionServerImpl::Metrics() const {
  ServerMetrics metrics{.server_name = options_.server_name,
                        .grpc_address = options_.grpc_address,
                        .start_ms = start_ms_,
                        .requests = requests_.load(std::memory_order_relaxed),
                        .memory_bytes = ResidentMemoryBytes()};
  for (const auto& region : regions_.All()) metrics.regions.push_back(region->Metrics());
  return metrics;
}

}  // namespace

absl::StatusOr<std::unique_ptr<RegionServer>> RegionServer::Open(const RegionServerOptions& options,
                                                                 const std::vector<RegionToOpen>& regions) {
  auto server = std::make_unique<RegionServerImpl>(options);
  VAQUITA_RETURN_IF_ERROR(server->Start(regions));
  return server;
}

std::unique_ptr<RegionServer> RegionServer::ForHosted(const RegionServerOptions& options, Maintenance* maintenance) {
  auto server = std::make_unique<RegionServerImpl>(options);
  server->LeaveTo(maintenance);
  return server;
}

}  // namespace vaquita
