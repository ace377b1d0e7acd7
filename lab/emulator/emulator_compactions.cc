// Store files: CompactSplit, ExploringCompactionPolicy (model/compaction_policy.h), CompactionChecker,
// PressureAwareCompactionThroughputController (2.6).
#include <algorithm>
#include <cmath>
#include <limits>

#include "lab/emulator/emulator_run.h"

namespace vaquita::lab {
namespace {

constexpr double kMostChecksOfServer = 1e5;
constexpr double kMostChecks = 1e7;  // all servers'

}  // namespace

void EmulatorRun::CountFiles(EmulatedRegion* region, const EmulatedStore& store, int sign) {
  EmulatedServer& server = servers_[region->server];
  double bytes = 0;
  for (const EmulatedFile& file : store.files) bytes += file.bytes;
  for (EmulatedCounts* counts : {&region->counts, &server.report.counts, &total_}) {
    counts->files += sign * static_cast<int64_t>(store.files.size());
    counts->data_bytes += sign * bytes;
  }
  const auto files = std::min(store.files.size(), static_cast<size_t>(settings_.blocking_store_files) + 1);
  if (files >= server.stores_with.size()) server.stores_with.resize(files + 1);
  server.stores_with[files] += sign;
}

bool EmulatorRun::HasTooManyFiles(const EmulatedRegion& region) const {
  return std::any_of(region.stores.begin(), region.stores.end(), [&](const EmulatedStore& store) {
    return static_cast<int64_t>(store.files.size()) > settings_.blocking_store_files;
  });
}

int64_t EmulatorRun::Priority(const EmulatedStore& store) const {
  const int64_t priority = settings_.blocking_store_files - static_cast<int64_t>(store.files.size());
  return priority == kPriorityUser ? priority + 1 : priority;
}

int64_t EmulatorRun::Priority(const EmulatedRegion& region) const {
  int64_t least = std::numeric_limits<int64_t>::max();
  for (const EmulatedStore& store : region.stores) least = std::min(least, Priority(store));
  return least;
}

bool EmulatorRun::NeedsCompaction(const EmulatedStore& store) const {
  if (static_cast<int64_t>(store.files.size()) < compaction_policy_.min_files) return false;
  const auto compacting =
      std::count_if(store.files.begin(), store.files.end(), [](const EmulatedFile& file) { return file.compacting(); });
  return static_cast<int64_t>(store.files.size()) - compacting >= compaction_policy_.min_files;
}

// A store that waits already waits with the most urgent of its requests: every flush makes one (CompactSplit).
void EmulatorRun::RequestCompaction(EmulatedRegion* region, uint32_t i) {
  EmulatedStore& store = region->stores[i];
  const int64_t priority = Priority(store);
  if (!region->online || (store.compaction_queued && store.queued_priority <= priority)) return;
  EmulatedServer& server = servers_[region->server];
  Enqueue(region, i, &server.small_compactions);
  RunCompactions(&server);
}

void EmulatorRun::Enqueue(EmulatedRegion* region, uint32_t i, std::priority_queue<QueuedCompaction>* queue) {
  EmulatedStore& store = region->stores[i];
  store.compaction_queued = true;
  store.queued_priority = Priority(store);
  queue->push({store.queued_priority, sequence_++, region->id, i});
}

void EmulatorRun::RequestDueCompactions(EmulatedRegion* region) {
  for (uint32_t i = 0; i < region->stores.size(); ++i) {
    if (NeedsCompaction(region->stores[i])) RequestCompaction(region, i);
  }
}

// A thread for large compactions runs small ones while it has no large one (StealJobQueue).
void EmulatorRun::RunCompactions(EmulatedServer* server) {
  for (;;) {
    if (server->small_running < settings_.small_compaction_threads && !server->small_compactions.empty()) {
      RunOneCompaction(server, false);
    } else if (server->large_running < settings_.large_compaction_threads &&
               !(server->large_compactions.empty() && server->small_compactions.empty())) {
      RunOneCompaction(server, true);
    } else {
      return;
    }
  }
}

// Takes a request from its queue, and selects its files now.
void EmulatorRun::RunOneCompaction(EmulatedServer* server, bool large_thread) {
  auto& queue =
      large_thread && !server->large_compactions.empty() ? server->large_compactions : server->small_compactions;
  const QueuedCompaction queued = queue.top();
  queue.pop();
  EmulatedRegion& region = regions_[queued.region];
  if (region.retired || !region.online || &servers_[region.server] != server) return;
  EmulatedStore& store = region.stores[queued.store];
  if (!store.compaction_queued || queued.priority != store.queued_priority) return;
  if (Priority(store) > queued.priority) return Enqueue(&region, queued.store, &queue);  // others are more urgent now
  store.compaction_queued = false;

  const CompactionSelection selection = Select(&region, queued.store);
  if (selection.empty()) return;
  double bytes = 0;
  for (size_t i = 0; i < selection.count; ++i) bytes += store.files[selection.first + i].bytes;
  if (!large_thread && bytes > throttle_bytes_) {
    return Enqueue(&region, queued.store, &server->large_compactions);
  }
  BeginCompaction(server, queued, selection, bytes, large_thread);
}

// Drops files whose cells have all expired, except the newest file, without a compaction.
void EmulatorRun::DropExpiredFiles(EmulatedRegion* region, uint32_t i) {
  EmulatedStore& store = region->stores[i];
  if (load_.ttl_ms <= 0 || store.files.size() < 2) return;
  const double expired_ms = now_ms_ - static_cast<double>(load_.ttl_ms);
  CountFiles(region, store, -1);
  const auto newest = store.files.end() - 1;
  store.files.erase(
      std::remove_if(store.files.begin(), newest,
                     [&](const EmulatedFile& file) { return !file.compacting() && file.newest_cell_ms < expired_ms; }),
      newest);
  CountFiles(region, store, 1);
}

// Selects among the files behind those being compacted, as SortedCompactionPolicy.selectCompaction does.
CompactionSelection EmulatorRun::Select(EmulatedRegion* region, uint32_t i) {
  DropExpiredFiles(region, i);
  EmulatedStore& store = region->stores[i];
  size_t first = store.files.size();
  while (first > 0 && !store.files[first - 1].compacting()) --first;
  candidates_.clear();
  for (size_t at = first; at < store.files.size(); ++at) {
    const EmulatedFile& file = store.files[at];
    candidates_.push_back({.bytes = static_cast<int64_t>(file.bytes),
                           .reference = file.reference,
                           .created_ms = static_cast<int64_t>(file.created_ms),
                           .min_timestamp_ms = static_cast<int64_t>(ArrivalTime(file.arrivals.first))});
  }
  compaction_policy_.major_period_ms = static_cast<int64_t>(store.major_period_ms);
  const auto compacting =
      std::count_if(store.files.begin(), store.files.end(), [](const EmulatedFile& file) { return file.compacting(); });
  const int64_t others = static_cast<int64_t>(first) - compacting + (compacting > 0 ? 1 : 0);
  CompactionSelection selection =
      SelectCompaction(compaction_policy_, candidates_, CompactionKind::kMinor, static_cast<int64_t>(now_ms_), others);
  if (first > 0) selection.all = selection.major = false;
  selection.first += first;
  return selection;
}

void EmulatorRun::BeginCompaction(EmulatedServer* server, const QueuedCompaction& queued,
                                  const CompactionSelection& selection, double bytes, bool large_thread) {
  if (free_running_.empty()) {
    free_running_.push_back(static_cast<uint32_t>(running_.size()));
    running_.emplace_back();
  }
  const uint32_t slot = free_running_.back();
  free_running_.pop_back();
  running_[slot] = {.region = queued.region,
                    .store = queued.store,
                    .server = static_cast<uint32_t>(server - servers_.data()),
                    .files = static_cast<uint32_t>(selection.count),
                    .large = large_thread,
                    .major = selection.major};
  std::vector<EmulatedFile>& files = regions_[queued.region].stores[queued.store].files;
  for (size_t i = 0; i < selection.count; ++i) files[selection.first + i].compaction = slot + 1;
  ++(large_thread ? server->large_running : server->small_running);
  At(now_ms_ + bytes / CompactionSpeed(server) * 1000, EventKind::kCompactionDone, slot);
}

// Returns the speed, in bytes a second, of a compaction that begins now. HBase divides its limit among the running
// compactions; here a compaction keeps the share that it began with.
double EmulatorRun::CompactionSpeed(EmulatedServer* server) {
  if (cluster_.system == EmulatedSystem::kVaquita) return cluster_.disk_bytes_per_s;
  if (now_ms_ - server->tuned_ms >= static_cast<double>(settings_.compaction_tune_ms)) {
    server->tuned_ms = now_ms_;
    auto most_files = static_cast<int64_t>(server->stores_with.size()) - 1;
    while (most_files > 0 && server->stores_with[most_files] == 0) --most_files;
    const auto over = static_cast<double>(most_files - compaction_policy_.min_files);
    const auto range = static_cast<double>(settings_.blocking_store_files - compaction_policy_.min_files);
    const double pressure = over <= 0 ? 0 : range <= 0 ? 2 : over / range;
    const auto least = static_cast<double>(settings_.compaction_least_bytes_per_s);
    const auto most = static_cast<double>(settings_.compaction_most_bytes_per_s);
    server->compaction_bytes_per_s = pressure > 1
                                         ? cluster_.disk_bytes_per_s
                                         : std::min(cluster_.disk_bytes_per_s, least + (most - least) * pressure);
  }
  return server->compaction_bytes_per_s / (server->small_running + server->large_running);
}

void EmulatorRun::OnCompactionDone(uint32_t slot) {
  const RunningCompaction compaction = running_[slot];
  free_running_.push_back(slot);
  running_[slot].files = 0;
  EmulatedServer& server = servers_[compaction.server];
  --(compaction.large ? server.large_running : server.small_running);
  if (!compaction.cancelled) FinishCompaction(compaction, slot);
  RunCompactions(&server);
}

void EmulatorRun::FinishCompaction(const RunningCompaction& compaction, uint32_t slot) {
  settled_ms_ = now_ms_;
  EmulatedRegion& region = regions_[compaction.region];
  EmulatedStore& store = region.stores[compaction.store];
  CountFiles(&region, store, -1);
  const auto first = std::find_if(store.files.begin(), store.files.end(),
                                  [&](const EmulatedFile& file) { return file.compaction == slot + 1; });
  const auto end = first + compaction.files;
  if (cluster_.system == EmulatedSystem::kHBase &&
      std::any_of(first, end, [](const EmulatedFile& file) { return file.reference; })) {
    const auto period = static_cast<double>(settings_.archive_ms);
    store.references_until_ms = std::ceil(now_ms_ / period) * period;
  }
  const EmulatedFile made = Compacted(region, {first, end});
  store.files.erase(first + 1, end);
  *first = made;
  CountFiles(&region, store, 1);
  for (EmulatedCounts* counts : {&region.counts, &servers_[region.server].report.counts, &total_}) {
    ++(compaction.major ? counts->major_compactions : counts->minor_compactions);
    counts->compacted_bytes += made.bytes;
  }
  AfterCompaction(&region, compaction.store);
}

// Returns the file that replaces the neighbours `files`.
EmulatedFile EmulatorRun::Compacted(const EmulatedRegion& region, std::span<const EmulatedFile> files) const {
  EmulatedFile made{.arrivals = files.front().arrivals, .created_ms = std::max(now_ms_, 1.0)};
  for (const EmulatedFile& file : files) {
    made.bytes += file.bytes * LiveShare(region, file);
    made.arrivals.first = std::min(made.arrivals.first, file.arrivals.first);
    made.arrivals.end = std::max(made.arrivals.end, file.arrivals.end);
    made.newest_cell_ms = std::max(made.newest_cell_ms, file.newest_cell_ms);
  }
  if (load_.ttl_ms > 0) {
    made.arrivals.first = std::max(made.arrivals.first, PointsUntil(now_ms_ - static_cast<double>(load_.ttl_ms)));
    made.arrivals.end = std::max(made.arrivals.first, made.arrivals.end);
  }
  return made;
}

// Returns the share of the file's cells that have not expired.
double EmulatorRun::LiveShare(const EmulatedRegion& region, const EmulatedFile& file) const {
  if (load_.ttl_ms <= 0) return 1;
  const double expired_ms = now_ms_ - static_cast<double>(load_.ttl_ms);
  if (file.newest_cell_ms < expired_ms) return 0;
  const uint32_t expired = PointsUntil(expired_ms);
  const uint32_t points = sample_.index().Count(region.ranks, file.arrivals);
  if (expired <= file.arrivals.first || points == 0) return 1;
  const uint32_t live = sample_.index().Count(region.ranks, {std::min(expired, file.arrivals.end), file.arrivals.end});
  return static_cast<double>(live) / points;
}

// CompactSplit.CompactionRunner: a store that may be stuck goes on; else the region may have become large enough.
void EmulatorRun::AfterCompaction(EmulatedRegion* region, uint32_t i) {
  const bool goes_on = Priority(region->stores[i]) <= 0 ||
                       (cluster_.system == EmulatedSystem::kVaquita && NeedsCompaction(region->stores[i]));
  const bool blocked = Priority(*region) < kPriorityUser;
  if (!(goes_on && blocked) && RequestSplit(region)) return;
  if (goes_on) RequestCompaction(region, i);
  ResumeFlush(region);
}

void EmulatorRun::CancelCompactions(EmulatedRegion* region) {
  for (RunningCompaction& running : running_) {
    if (running.region == region->id && running.files > 0) running.cancelled = true;
  }
  for (EmulatedStore& store : region->stores) {
    store.compaction_queued = false;
    for (EmulatedFile& file : store.files) file.compaction = 0;
  }
}

void EmulatorRun::OnCompactionCheck(uint32_t id) {
  EmulatedServer& server = servers_[id];
  for (size_t n = 0; n < server.regions.size(); ++n) {
    EmulatedRegion& region = regions_[server.regions[n]];
    for (uint32_t i = 0; i < region.stores.size(); ++i) {
      if (NeedsCompaction(region.stores[i]) || MajorIsDue(region.stores[i])) RequestCompaction(&region, i);
    }
  }
  SetCompactionCheck(id);
}

// Returns the settings' period, or a longer one if a run would have too many checks.
double EmulatorRun::CompactionCheckMs() const {
  const double most = std::min(kMostChecksOfServer, kMostChecks / static_cast<double>(servers_.size()));
  return std::max(load_.duration_ms / most,
                  static_cast<double>(settings_.wake_ms) * static_cast<double>(settings_.compaction_check_wakes));
}

// Sets the server's next check, unless the load is over by then.
void EmulatorRun::SetCompactionCheck(uint32_t server) {
  const double next_ms = now_ms_ + CompactionCheckMs();
  if (next_ms < load_.duration_ms) At(next_ms, EventKind::kCompactionCheck, server);
}

bool EmulatorRun::MajorIsDue(const EmulatedStore& store) {
  if (store.major_period_ms <= 0 || store.files.empty()) return false;
  candidates_.clear();
  for (const EmulatedFile& file : store.files) {
    candidates_.push_back({.bytes = static_cast<int64_t>(file.bytes),
                           .created_ms = static_cast<int64_t>(file.created_ms),
                           .min_timestamp_ms = static_cast<int64_t>(ArrivalTime(file.arrivals.first))});
  }
  compaction_policy_.major_period_ms = static_cast<int64_t>(store.major_period_ms);
  return MajorCompactionIsDue(compaction_policy_, candidates_, static_cast<int64_t>(now_ms_));
}

}  // namespace vaquita::lab
