#include "server/regionserver/region_server.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"
#include "base/absl_text.h"
#include "base/call_context.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/status.h"
#include "model/filter_size.h"
#include "proto/hbase/status_codec.h"
#include "region/write_group.h"
#include "server/access/access_control.h"
#include "server/control/server_lease.h"
#include "server/master/meta/meta_check.h"
#include "server/master/meta/namespaces.h"
#include "server/regionserver/scan_rpc.h"

namespace vaquita {
namespace {

// A moved region's, as hbase:meta has it for every opening (info:seqnumDuringOpen), so that clients prefer neither.
constexpr int64_t kFirstSeqNum = 2;

// Returns the answers of the increments and appends that ask for one: their columns' values at `written_ms`. Others
// may have been added to since. HBase reads as of the operation's place in its log, to the same end.
absl::StatusOr<MutateResult> ReadBack(Region& region, std::string_view row, std::span<const Mutation> mutations,
                                      int64_t written_ms, const CallContext& context) {
  MutateResult result;
  for (const Mutation& mutation : mutations) {
    if (!IsDelta(mutation.type) || !mutation.return_results) continue;
    Get get;
    get.row = row;
    get.time_range = mutation.time_range;
    get.time_range.max_ms = std::min(get.time_range.max_ms, written_ms + 1);
    for (const Cell& cell : mutation.cells) get.columns[cell.family].push_back(cell.qualifier);
    VAQUITA_RETURN_IF_ERROR(region.Get(get, &result.cells, context));
  }
  return result;
}

// Puts and deletes can share one write; everything else reads or decides first.
const Mutation* BatchableMutation(const Action& action) {
  const auto* mutation = std::get_if<Mutation>(&action);
  return mutation != nullptr && !IsDelta(mutation->type) ? mutation : nullptr;
}

void AddRequests(const Region& region, RegionServerTotals* totals) {
  const RegionMetrics metrics = region.Metrics();
  totals->read_requests += metrics.read_requests;
  totals->write_requests += metrics.write_requests;
  totals->filtered_read_requests += metrics.filtered_read_requests;
}

int64_t BytesIn(const ActionOutcome& outcome) {
  return static_cast<int64_t>(outcome.cells.bytes().size() + outcome.result.cells.bytes().size() +
                              outcome.status.message().size());
}

// Returns the memory that a scanner of so many stores keeps of what its client sent. A usual scan of whole families
// keeps next to nothing.
int64_t KeptBytes(const Scan& scan, size_t stores) {
  constexpr int64_t kBytesOfAColumn = 64;
  constexpr size_t kUsualRowBytes = 1024;
  int64_t bytes = scan.filter.has_value() ? SizeOf(*scan.filter).bytes : 0;
  for (const auto& [family, qualifiers] : scan.columns) {
    for (const std::string& qualifier : qualifiers) bytes += kBytesOfAColumn + static_cast<int64_t>(qualifier.size());
  }
  for (const std::string* row : {&scan.rows.start, &scan.rows.stop}) {
    // Each store's iterator has its own bounds, and nobody keeps what is longer than a row.
    if (row->size() > kUsualRowBytes) bytes += static_cast<int64_t>(stores * std::min(row->size(), kMaxRowLength));
  }
  return bytes;
}

}  // namespace

absl::Status ResultsTooLarge(int64_t bytes) {
  return Error(ErrorKind::kMultiActionResultTooLarge, "Max size exceeded CellSize: " + std::to_string(bytes));
}

RegionServer::RegionServer(const RegionServerOptions& options)
    : options_(options),
      slow_calls_(*options.options),
      start_ms_(options.clock->NowMs()),
      moved_(options.clock),
      scanners_(options.server_name, options.options->scanner_lease_ms, options.clock),
      nonces_(options.clock) {}

absl::Status RegionServer::RollLog() {
  std::shared_ptr<Region> smallest;
  int64_t least = 0;
  for (const std::shared_ptr<Region>& region : Regions()) {
    const int64_t bytes = region->Metrics().memstore_bytes;
    if (region->closed() || IsMastersOwn(region->info().table) || bytes == 0 || (smallest != nullptr && bytes >= least))
      continue;
    smallest = region;
    least = bytes;
  }
  return smallest == nullptr ? absl::OkStatus() : FlushRegion(smallest->info().EncodedName());
}

absl::Status RegionServer::StopProcess(std::string_view client) const {
  if (options_.orders == nullptr || options_.orders->stop == nullptr) {
    return Error(ErrorKind::kUnsupportedOperation,
                 "the process of " + options_.server_name +
                     " cannot be stopped by a client; end the process that it is a part of");
  }
  spdlog::warn("{} stops, as a client at {} asks", options_.server_name, client);
  options_.orders->stop();
  return absl::OkStatus();
}

absl::Status RegionServer::UpdateConfiguration() const {
  if (options_.orders == nullptr || options_.orders->update_configuration == nullptr) return absl::OkStatus();
  const absl::Status updated = options_.orders->update_configuration();
  return updated.ok() ? updated : Error(ErrorKind::kDoNotRetryIO, StdText(updated.message()));
}

RegionServer::~RegionServer() {
  AwaitReleases();
  own_maintenance_.reset();
  for (auto& [id, transition] : transitions_) transition.steps->LeaveUndecided();
  RegionList regions = regions_.All();
  for (const auto& [name, region] : opened_) regions.push_back(region);
  for (const auto& region : regions) {
    regions_.Remove(region);
    scanners_.RegionClosed(region.get());
    if (region->closed()) continue;
    if (const absl::Status status = region->Close(); !status.ok()) {
      spdlog::warn("cannot close region {}: {}", region->info().EncodedName(), status.ToString());
    }
  }
}

bool RegionServer::HasLease() const { return options_.lease == nullptr || options_.lease->valid(); }

absl::Status RegionServer::LeaseIsOver() const {
  return Error(ErrorKind::kNotServingRegion, "the lease of " + options_.server_name + " is over");
}

absl::Status RegionServer::LeaseWasOver() const {
  return Error(ErrorKind::kRegionServerAborted, "the lease of " + options_.server_name + " ended meanwhile");
}

absl::StatusOr<std::shared_ptr<Region>> RegionServer::FindRegion(std::string_view region) const {
  if (!HasLease()) return LeaseIsOver();
  if (std::shared_ptr<Region> found = regions_.FindWithReplicas(region)) return found;
  return NotServed(region);
}

absl::Status RegionServer::NotServed(std::string_view region) const {
  ServerName destination;
  if (moved_.Find(region, &destination)) {
    return RegionMoved({destination.host, destination.port, destination.start_code, kFirstSeqNum});
  }
  VAQUITA_RETURN_IF_ERROR(failed_.Find(region));
  return Error(ErrorKind::kNotServingRegion, ToShortStringBinary(region) + " is not online on " + options_.server_name);
}

absl::StatusOr<std::string> RegionServer::BestSplitRow(std::string_view name) {
  VAQUITA_ASSIGN_OR_RETURN(const auto region, FindRegion(name));
  VAQUITA_ASSIGN_OR_RETURN(std::string row, vaquita::BestSplitRow(region.get()));
  maintenance_->AfterFlush(region);
  return row;
}

absl::Status RegionServer::RequestSplit(std::string_view name) {
  VAQUITA_ASSIGN_OR_RETURN(const auto region, FindRegion(name));
  if (options_.request_split) options_.request_split(region->info());
  return absl::OkStatus();
}

absl::Status RegionServer::Get(std::string_view region, const vaquita::Get& get, CellBlock* cells,
                               const CallContext& context) {
  requests_.fetch_add(1, std::memory_order_relaxed);
  VAQUITA_ASSIGN_OR_RETURN(const auto found, FindRegion(region));
  std::optional<vaquita::Get> narrowed;
  VAQUITA_ASSIGN_OR_RETURN(const vaquita::Get* readable, ReadableBy(context, *found, get, &narrowed));
  return found->Get(*readable, cells, context);
}

// A replica takes no writes (ServerRegionReplicaUtil.isReadOnly, HRegion.checkReadOnly).
absl::Status RegionServer::CheckIsPrimary(std::string_view region) const {
  if (ReplicaIdOf(region) == 0) return absl::OkStatus();
  return Error(ErrorKind::kDoNotRetryIO, "region is read only");
}

absl::StatusOr<std::shared_ptr<Region>> RegionServer::FindRegionToWrite(std::string_view region,
                                                                        const CallContext& context) const {
  VAQUITA_ASSIGN_OR_RETURN(auto found, FindRegion(region));
  VAQUITA_RETURN_IF_ERROR(CheckIsPrimary(region));
  if (context.short_waits && maintenance_->DelaysWriters(*found)) return WouldWait();
  return found;
}

absl::StatusOr<MutateResult> RegionServer::Mutate(std::string_view region, const Mutation& mutation, const Nonce& nonce,
                                                  const CallContext& context) {
  requests_.fetch_add(1, std::memory_order_relaxed);
  VAQUITA_ASSIGN_OR_RETURN(const auto found, FindRegionToWrite(region, context));
  VAQUITA_RETURN_IF_ERROR(CheckWrites(context, *found, {&mutation, 1}));
  return AfterWrite(found, context, MutateOnce(*found, mutation, nonce, context));
}

absl::StatusOr<MutateResult> RegionServer::Mutate(std::string_view region, const RowMutations& mutations,
                                                  const Nonce& nonce, const CallContext& context) {
  requests_.fetch_add(1, std::memory_order_relaxed);
  VAQUITA_ASSIGN_OR_RETURN(const auto found, FindRegionToWrite(region, context));
  VAQUITA_RETURN_IF_ERROR(CheckWrites(context, *found, mutations.mutations));
  return AfterWrite(found, context, MutateOnce(*found, mutations, nonce, context));
}

absl::StatusOr<bool> RegionServer::AddToGroup(std::string_view region, const Mutation& put, const CallContext& context,
                                              WriteGroup* group) {
  VAQUITA_ASSIGN_OR_RETURN(const auto found, FindRegionToWrite(region, context));
  if (found->info().table.IsSystem()) return false;
  VAQUITA_RETURN_IF_ERROR(CheckWrites(context, *found, {&put, 1}));
  VAQUITA_ASSIGN_OR_RETURN(const bool added, found->AddToGroup(put, context, group));
  if (added) requests_.fetch_add(1, std::memory_order_relaxed);
  return added;
}

absl::Status RegionServer::CommitGroup(WriteGroup* group) {
  const std::vector<std::shared_ptr<Region>> regions = group->Regions();
  VAQUITA_RETURN_IF_ERROR(group->Commit());
  for (const std::shared_ptr<Region>& region : regions) maintenance_->AfterWrite(region, /*short_waits=*/true);
  return HasLease() ? absl::OkStatus() : LeaseWasOver();
}

absl::StatusOr<MutateResult> RegionServer::CheckAndMutate(std::string_view region, const vaquita::CheckAndMutate& check,
                                                          const Nonce& nonce, const CallContext& context) {
  requests_.fetch_add(1, std::memory_order_relaxed);
  VAQUITA_ASSIGN_OR_RETURN(const auto found, FindRegionToWrite(region, context));
  VAQUITA_RETURN_IF_ERROR(CheckCondition(context, *found, check));
  VAQUITA_RETURN_IF_ERROR(CheckWrites(context, *found, check.mutations));
  return AfterWrite(found, context, MutateOnce(*found, check, nonce, context));
}

absl::StatusOr<bool> RegionServer::MutateRows(std::string_view region, std::span<const Mutation> mutations,
                                              std::span<const vaquita::CheckAndMutate> conditions,
                                              const CallContext& context) {
  requests_.fetch_add(1, std::memory_order_relaxed);
  VAQUITA_ASSIGN_OR_RETURN(const auto found, FindRegion(region));
  VAQUITA_RETURN_IF_ERROR(CheckIsPrimary(region));
  VAQUITA_RETURN_IF_ERROR(CheckSystemWrite(found->info().table, mutations, options_.clock->NowMs()));
  for (const vaquita::CheckAndMutate& condition : conditions) {
    VAQUITA_RETURN_IF_ERROR(CheckCondition(context, *found, condition));
  }
  VAQUITA_RETURN_IF_ERROR(CheckWrites(context, *found, mutations));
  return AfterWrite(found, context, found->MutateRows(mutations, conditions, context));
}

absl::StatusOr<MutateResult> RegionServer::MutateOnce(Region& region, const Mutation& mutation, const Nonce& nonce,
                                                      const CallContext& context) {
  return RunOnce(region, mutation.row, {&mutation, 1}, nonce, context,
                 [&] { return region.Mutate(mutation, nonce, context); });
}

absl::StatusOr<MutateResult> RegionServer::MutateOnce(Region& region, const RowMutations& mutations, const Nonce& nonce,
                                                      const CallContext& context) {
  return RunOnce(region, mutations.row, mutations.mutations, nonce, context,
                 [&] { return region.Mutate(mutations, nonce, context); });
}

absl::StatusOr<MutateResult> RegionServer::MutateOnce(Region& region, const vaquita::CheckAndMutate& check,
                                                      const Nonce& nonce, const CallContext& context) {
  return RunOnce(region, check.row, check.mutations, nonce, context,
                 [&] { return region.CheckAndMutate(check, nonce, context); });
}

absl::StatusOr<MutateResult> RegionServer::RunOnce(Region& region, std::string_view row,
                                                   std::span<const Mutation> mutations, const Nonce& nonce,
                                                   const CallContext& context,
                                                   absl::FunctionRef<absl::StatusOr<MutateResult>()> operation) {
  VAQUITA_RETURN_IF_ERROR(CheckSystemWrite(region.info().table, mutations, options_.clock->NowMs()));
  if (nonce.value == 0) return operation();
  OperationNonces::Run run = nonces_.Begin(nonce, context.short_waits);
  if (run.would_wait()) return WouldWait();
  if (!run.done_before()) {
    const auto done = run.may_be_forgotten() ? Region::Done::kEver : Region::Done::kBeforeItsOpening;
    VAQUITA_ASSIGN_OR_RETURN(const std::optional<int64_t> earlier_ms, region.FindEarlier(row, nonce, done, context));
    if (earlier_ms.has_value()) run.Succeed(*earlier_ms);
  }
  if (run.has_succeeded()) return ReadBack(region, row, mutations, run.written_ms(), context);
  absl::StatusOr<MutateResult> result = operation();
  // A repetition checks a condition again that did not hold.
  if (result.ok() && result->processed) run.Succeed(NewestTimestamp(result->cells));
  return result;
}

std::vector<ActionOutcome> RegionServer::Batch(std::string_view region, std::span<const Action> actions,
                                               const BatchOptions& options) {
  requests_.fetch_add(static_cast<int64_t>(actions.size()), std::memory_order_relaxed);
  std::vector<ActionOutcome> outcomes(actions.size());
  const auto found = options.region != nullptr ? options.region : FindRegion(region);
  if (!found.ok()) {
    for (ActionOutcome& outcome : outcomes) outcome.status = found.status();
    return outcomes;
  }
  const bool is_system = (*found)->info().table.IsSystem();
  const absl::Status writable = CheckIsPrimary(region);
  std::vector<absl::Status> refused;  // the actions', if users have rights
  if (options_.access != nullptr) refused = CheckActions(options.context, **found, actions);
  int64_t result_bytes = options.earlier_result_bytes;
  std::vector<const Mutation*> run;  // the puts and deletes that wait to be written together, and their places
  std::vector<size_t> places;
  const auto write_run = [&] {
    if (run.empty()) return;
    std::vector<absl::Status> statuses = (*found)->MutateBatch(run, options.context);
    for (size_t k = 0; k < statuses.size(); ++k) {
      outcomes[places[k]].status = std::move(statuses[k]);
      result_bytes += BytesIn(outcomes[places[k]]);
    }
    run.clear();
    places.clear();
  };
  // Gets that are short each may be long together.
  ReadStop stop(options_.clock);
  stop.Begin(-1, /*inside_rows=*/false, options.context.watch);
  for (size_t i = 0; i < actions.size(); ++i) {
    if (options.max_result_bytes >= 0 && result_bytes > options.max_result_bytes) {
      for (; i < actions.size(); ++i) outcomes[i].status = ResultsTooLarge(result_bytes);
      break;
    }
    const absl::Status* const refusal = !refused.empty() && !refused[i].ok() ? &refused[i] : nullptr;
    // Those that may be refused are checked one by one.
    const Mutation* mutation =
        is_system || !writable.ok() || refusal != nullptr ? nullptr : BatchableMutation(actions[i]);
    if (mutation != nullptr) {
      run.push_back(mutation);
      places.push_back(i);
      continue;
    }
    const bool is_get = std::holds_alternative<vaquita::Get>(actions[i]);
    if (!is_get) write_run();
    if (options.carry_ttls) outcomes[i].cells.CarryTtls();
    const Nonce nonce = options.nonces.empty() ? Nonce() : options.nonces[i];
    if (refusal != nullptr) {
      outcomes[i].status = *refusal;
    } else if (is_get && stop.AfterRow()) {
      outcomes[i].status = stop.status();
    } else if (!is_get && !writable.ok()) {
      outcomes[i].status = writable;
    } else {
      RunAction(**found, actions[i], nonce, options.context, &outcomes[i]);
    }
    result_bytes += BytesIn(outcomes[i]);
  }
  write_run();
  maintenance_->AfterWrite(*found, options.context.short_waits);
  if (!HasLease()) {
    for (ActionOutcome& outcome : outcomes) outcome = {LeaseWasOver(), {}, {}};
  }
  return outcomes;
}

std::vector<ActionOutcome> RegionServer::BatchByRegion(std::span<const std::string> regions, std::span<Action> actions,
                                                       const BatchOptions& options) {
  std::map<std::string_view, std::vector<size_t>> by_region;
  for (size_t i = 0; i < actions.size(); ++i) by_region[regions[i]].push_back(i);
  std::vector<ActionOutcome> outcomes(actions.size());
  int64_t result_bytes = options.earlier_result_bytes;
  for (const auto& [region, places] : by_region) {
    std::vector<Action> group;
    std::vector<Nonce> nonces;
    for (const size_t i : places) {
      group.push_back(std::move(actions[i]));
      if (!options.nonces.empty()) nonces.push_back(options.nonces[i]);
    }
    BatchOptions group_options = options;
    group_options.nonces = nonces;
    group_options.earlier_result_bytes = result_bytes;
    std::vector<ActionOutcome> done = Batch(region, group, group_options);
    for (size_t i = 0; i < places.size(); ++i) {
      result_bytes += BytesIn(done[i]);
      outcomes[places[i]] = std::move(done[i]);
      actions[places[i]] = std::move(group[i]);
    }
  }
  return outcomes;
}

void RegionServer::RunAction(Region& region, const Action& action, const Nonce& nonce, const CallContext& context,
                             ActionOutcome* outcome) {
  if (const auto* get = std::get_if<vaquita::Get>(&action)) {
    std::optional<vaquita::Get> narrowed;
    const auto readable = ReadableBy(context, region, *get, &narrowed);
    outcome->status = readable.ok() ? region.Get(**readable, &outcome->cells, context) : readable.status();
    return;
  }
  absl::StatusOr<MutateResult> result;
  if (const auto* mutation = std::get_if<Mutation>(&action)) {
    result = MutateOnce(region, *mutation, nonce, context);
  } else if (const auto* mutations = std::get_if<RowMutations>(&action)) {
    result = MutateOnce(region, *mutations, nonce, context);
  } else {
    result = MutateOnce(region, std::get<vaquita::CheckAndMutate>(action), nonce, context);
  }
  outcome->status = result.status();
  if (result.ok()) outcome->result = *std::move(result);
}

// Returns whether one more scanner of `region`, which keeps so many bytes, may stay open. If not, scans that end with
// their first call go on, as most do, and there is as much room again for the system's tables: a client that leaves its
// scanners open keeps nobody from finding regions.
absl::Status RegionServer::CheckRoomForScanner(const Region& region, int64_t kept_bytes) const {
  const auto open = static_cast<int64_t>(scanners_.size());
  if (open / (region.info().table.IsSystem() ? 2 : 1) >= options_.options->max_scanners) {
    return Error(ErrorKind::kRegionTooBusy, absl::StrCat(open, " scanners are open on ", options_.server_name,
                                                         ", as many as vaquita.scanners.max allows"));
  }
  const int64_t others_bytes = scanners_.kept_bytes();
  if (kept_bytes > 0 && others_bytes > 0 && kept_bytes + others_bytes > options_.options->max_request_bytes) {
    return Error(ErrorKind::kRegionTooBusy,
                 absl::StrCat("Filters, columns and long rows of this scan take ", kept_bytes,
                              " bytes, and those of open scanners ", others_bytes, " on ", options_.server_name,
                              ", more than hbase.ipc.max.request.size allows: ", options_.options->max_request_bytes));
  }
  return absl::OkStatus();
}

absl::StatusOr<OpenScanners::Call> RegionServer::OpenScanner(const ScanRequest& request, absl::Status* may_stay) {
  VAQUITA_ASSIGN_OR_RETURN(const auto region, FindRegion(request.region));
  const int64_t kept_bytes = KeptBytes(*request.scan, region->table()->families.size());
  *may_stay = CheckRoomForScanner(*region, kept_bytes);
  std::optional<Scan> narrowed;
  VAQUITA_ASSIGN_OR_RETURN(const Scan* readable, ReadableBy(request.context, *region, *request.scan, &narrowed));
  auto scanner = std::make_shared<vaquita::OpenScanner>();
  scanner->kept_bytes = kept_bytes;
  VAQUITA_ASSIGN_OR_RETURN(scanner->scanner, region->NewScanner(*readable, request.context));
  if (options_.access != nullptr)
    scanner->owner = request.context.caller == nullptr ? "" : request.context.caller->name;
  scanner->region = region;
  scanner->stale = ReplicaIdOf(request.region) != 0;
  scanner->caching = request.scan->caching;
  scanner->max_result_bytes = request.scan->max_result_bytes;
  scanner->batched = request.scan->batch > 0;
  scanner->rows_left = request.scan->limit > 0 ? request.scan->limit : -1;
  scanner->goes_on_elsewhere = GoesOnElsewhere(*request.scan, region->info());
  return scanners_.Begin(std::move(scanner));
}

absl::StatusOr<ScanResponse> RegionServer::AnswerScan(const ScanRequest& request) {
  requests_.fetch_add(1, std::memory_order_relaxed);
  OpenScanners::Call call;
  absl::Status may_stay;
  if (request.scan != nullptr) {
    VAQUITA_ASSIGN_OR_RETURN(call, OpenScanner(request, &may_stay));
  } else {
    if (!HasLease()) return LeaseIsOver();
    VAQUITA_ASSIGN_OR_RETURN(call, scanners_.Enter(request.scanner_id));
    if (options_.access != nullptr && !call.closed_before()) {
      VAQUITA_RETURN_IF_ERROR(options_.access->CheckScannerOwner(request.context.caller, call->owner));
    }
  }
  return RunScanRpc(std::move(call), request, may_stay, *options_.options, options_.clock);
}

ServerMetrics RegionServer::MetricsOf(const RegionList& regions) const {
  ServerMetrics metrics{.server_name = options_.server_name,
                        .grpc_address = options_.grpc_address,
                        .info_port = options_.info_port,
                        .start_ms = start_ms_,
                        .requests = requests_.load(std::memory_order_relaxed),
                        .memory_bytes = ResidentMemoryBytes(),
                        .regions = {}};
  metrics.regions.reserve(regions.size());
  for (const auto& region : regions) metrics.regions.push_back(region->Metrics());
  return metrics;
}

void RegionServer::ReplaceRegions(const RegionList& old_ones, const RegionList& new_ones) {
  std::lock_guard lock(totals_mutex_);
  for (const auto& region : old_ones) AddRequests(*region, &gone_);
  regions_.Replace(old_ones, new_ones);
}

RegionServerTotals RegionServer::Totals() const {
  RegionServerTotals totals;
  {
    std::lock_guard lock(totals_mutex_);
    totals = gone_;
    for (const auto& region : regions_.All()) AddRequests(*region, &totals);
  }
  totals.stores = StoreCounters();
  return totals;
}

absl::StatusOr<std::unique_ptr<RegionServer>> RegionServer::Open(const RegionServerOptions& options,
                                                                 const std::vector<RegionOfTable>& regions) {
  auto server = std::make_unique<RegionServer>(options);
  VAQUITA_RETURN_IF_ERROR(server->OpenFolder(regions));
  return server;
}

std::unique_ptr<RegionServer> RegionServer::ForHosted(const RegionServerOptions& options, Maintenance* maintenance) {
  auto server = std::make_unique<RegionServer>(options);
  server->maintenance_ = maintenance;
  return server;
}

}  // namespace vaquita
