#include "lab/emulator/emulator_run.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace vaquita::lab {
namespace {

constexpr int kMoments = 120;
constexpr size_t kSlices = 1 << 15;     // slices of the calendar: a few hundred events each for a large cluster
constexpr double kLeastStepMs = 0.001;  // an alarm is never set for now

// hbase-default.xml's values; HBase's code would derive them from the flush size if that file did not set them.
constexpr int64_t kCompactionMinBytes = 134'217'728;
constexpr int64_t kCompactionThrottleBytes = 2'684'354'560;

}  // namespace

EmulatorRun::EmulatorRun(const EmulatedCluster& cluster, const EmulatedLoad& load, const KeySample& sample,
                         const SplitKeys& splits, std::function<void(double)> progress)
    : cluster_(cluster),
      settings_(cluster.settings),
      load_(load),
      sample_(sample),
      progress_(std::move(progress)),
      flush_bytes_(
          static_cast<double>(load.table_flush_bytes > 0 ? load.table_flush_bytes : settings_.memstore_flush_bytes)),
      max_file_bytes_(
          static_cast<double>(load.table_max_file_bytes > 0 ? load.table_max_file_bytes : settings_.max_file_bytes)),
      blocking_bytes_(flush_bytes_ * static_cast<double>(settings_.memstore_block_multiplier)),
      global_limit_(static_cast<double>(cluster.heap_bytes) * settings_.global_memstore_share),
      global_low_mark_(global_limit_ * settings_.global_lower_limit),
      records_per_point_(load.records / sample.size()),
      point_ms_(load.duration_ms / sample.size()),
      events_(load.duration_ms, kSlices),
      servers_(cluster.servers) {
  for (const EmulatedFamily& family : load.families) {
    sizes_.push_back(SizeOfRecord(cluster.system, cluster.heap_bytes, family, sample.mean_key_bytes()));
    sizes_.back().file *= load.compressed_share;
    memstore_per_record_ += sizes_.back().memstore;
  }
  // A piece of inflow is a sixteenth of a flush at most, or one point.
  const double points = flush_bytes_ / 16 / memstore_per_record_ / records_per_point_;
  points_per_piece_ = static_cast<uint32_t>(std::clamp(points, 1.0, 1e9));

  compaction_policy_.min_files = settings_.least_files_to_compact();
  compaction_policy_.max_files = settings_.compaction_max_files;
  compaction_policy_.ratio = settings_.compaction_ratio;
  const bool hbase = cluster.system == EmulatedSystem::kHBase;
  compaction_policy_.min_bytes = settings_.compaction_min_bytes >= 0 ? settings_.compaction_min_bytes
                                 : hbase                             ? kCompactionMinBytes
                                                                     : static_cast<int64_t>(flush_bytes_);
  compaction_policy_.max_bytes = settings_.compaction_max_bytes;
  compaction_policy_.blocking_files = settings_.blocking_store_files;
  compaction_policy_.ttl_ms = load.ttl_ms;
  throttle_bytes_ = settings_.compaction_throttle_bytes >= 0 ? static_cast<double>(settings_.compaction_throttle_bytes)
                    : hbase                                  ? kCompactionThrottleBytes
                            : 2 * static_cast<double>(settings_.compaction_max_files) * flush_bytes_;
  Begin(splits);
}

void EmulatorRun::Begin(const SplitKeys& splits) {
  for (EmulatedServer& server : servers_) {
    server.compaction_bytes_per_s = static_cast<double>(settings_.compaction_least_bytes_per_s);
  }
  initial_regions_ = splits.regions();
  const std::vector<RankRange> ranges = sample_.Regions(splits);
  for (int i = 0; i < splits.regions(); ++i) {
    EmulatedRegion* region = AddRegion(ranges[i], std::string(splits.StartKey(i)), i % cluster_.servers);
    NextPiece(region);
    PutOnline(region);
  }
  for (int moment = 1; moment <= kMoments; ++moment) {
    At(load_.duration_ms * moment / kMoments, EventKind::kSnapshot, 0);
  }
  for (uint32_t server = 0; server < servers_.size(); ++server) {
    SetCompactionCheck(server);
  }
  SetBalance();
}

void EmulatorRun::At(double time_ms, EventKind kind, uint32_t target, uint32_t number) {
  events_.Push({time_ms, sequence_++, kind, target, number});
}

uint32_t EmulatorRun::PointsUntil(double time_ms) const {
  const double points = std::floor(time_ms / point_ms_ + 1e-9);
  return static_cast<uint32_t>(std::clamp(points, 0.0, static_cast<double>(sample_.size())));
}

Emulation EmulatorRun::Run() {
  int64_t events = 0;
  while (!events_.empty()) {
    const Event event = events_.Pop();
    now_ms_ = event.time_ms;
    Handle(event);
    ++events;
  }
  Emulation emulation;
  emulation.events = events;
  FinishReports(&emulation);
  return emulation;
}

void EmulatorRun::Handle(const Event& event) {
  switch (event.kind) {
    case EventKind::kRegionAlarm:
      if (regions_[event.target].alarm == event.number) OnAlarm(&regions_[event.target]);
      return;
    case EventKind::kFlushDone:
      return OnFlushDone(&regions_[event.target]);
    case EventKind::kFlushDeadline:
      return ResumeFlush(&regions_[event.target]);
    case EventKind::kCompactionDone:
      return OnCompactionDone(event.target);
    case EventKind::kSplitDone:
      return OnSplitDone(event.target, event.number);
    case EventKind::kMoveDone:
      return OnMoveDone(&regions_[event.target], event.number);
    case EventKind::kCompactionCheck:
      return OnCompactionCheck(event.target);
    case EventKind::kBalance:
      return Balance();
    case EventKind::kSnapshot:
      return TakeSnapshot();
  }
}

// ---- Inflow

EmulatedRegion* EmulatorRun::AddRegion(RankRange ranks, std::string start_key, uint32_t server) {
  EmulatedRegion& region = regions_.emplace_back();
  region.id = static_cast<uint32_t>(regions_.size() - 1);
  region.start_key = std::move(start_key);
  region.ranks = ranks;
  region.next_point = region.piece_points_end = sample_.index().CountBefore(ranks, PointsUntil(now_ms_));
  region.synced_ms = region.piece_start = region.piece_end = now_ms_;
  region.usual_gap_ms = point_ms_;
  region.stores.resize(load_.families.size());
  for (EmulatedStore& store : region.stores) {
    store.flushed_until_ms = now_ms_;
    const auto period = static_cast<double>(settings_.major_period_ms);
    store.major_period_ms = period * (1 + settings_.major_jitter * (1 - 2 * Random()));
  }
  AddToServer(&region, server);
  return &region;
}

bool EmulatorRun::Fills(const EmulatedRegion& region) const {
  return region.online && !region.over_blocking_size && !servers_[region.server].over_global_limit;
}

void EmulatorRun::Sync(EmulatedRegion* region) {
  const double from = std::max(region->synced_ms, region->piece_start);
  const double until = std::min(now_ms_, region->piece_end);
  region->synced_ms = now_ms_;
  if (until > from && region->rate > 0) TakeRecords(region, region->rate * (until - from), from);
}

void EmulatorRun::TakeRecords(EmulatedRegion* region, double records, double from_ms) {
  region->counts.records += records;
  servers_[region->server].report.counts.records += records;
  total_.records += records;
  region->last_write_ms = now_ms_;
  if (!Fills(*region)) {
    region->backlog += records;
    return;
  }
  for (EmulatedStore& store : region->stores) {
    if (store.memstore == 0) store.oldest_ms = from_ms;
    store.memstore += records;
  }
}

void EmulatorRun::SyncServer(EmulatedServer* server) {
  if (!server->over_global_limit) server->memstore_bytes += server->growth * (now_ms_ - server->synced_ms);
  server->synced_ms = now_ms_;
  server->report.memstore_bytes = std::max(server->report.memstore_bytes, server->memstore_bytes);
}

void EmulatorRun::UpdateGrowth(EmulatedRegion* region) {
  EmulatedServer& server = servers_[region->server];
  SyncServer(&server);
  const bool flows = now_ms_ >= region->piece_start && now_ms_ < region->piece_end;
  const bool fills = region->online && !region->over_blocking_size;
  const double growth = flows && fills ? region->rate * memstore_per_record_ : 0;
  server.growth += growth - region->growth;
  region->growth = growth;
}

// The records of the region's next points arrive evenly until the last of them. After a long pause they begin not long
// before the first point: eight of the following gaps.
void EmulatorRun::NextPiece(EmulatedRegion* region) {
  const double came = region->rate * (region->piece_end - region->piece_start);
  region->ahead += came - (region->piece_points_end - region->next_point) * records_per_point_;
  region->next_point = region->piece_points_end;
  region->rate = 0;
  const uint32_t points = region->ranks.size();
  if (region->next_point >= points) {
    region->piece_start = region->piece_end = kNever;
    return;
  }
  const KeyTimeIndex& index = sample_.index();
  const uint32_t first = region->next_point;
  const uint32_t count = std::min(points_per_piece_, points - first);
  const double first_ms = ArrivalTime(index.NthArrival(region->ranks, first));
  const double last_ms = count == 1 ? first_ms : ArrivalTime(index.NthArrival(region->ranks, first + count - 1));
  const uint32_t further = std::min(first + std::max(count - 1, uint32_t{8}), points - 1);
  if (further > first) {
    region->usual_gap_ms = (ArrivalTime(index.NthArrival(region->ranks, further)) - first_ms) / (further - first);
  }
  region->piece_points_end = first + count;
  region->piece_start = std::max(now_ms_, first_ms - 8 * region->usual_gap_ms);
  region->piece_end = std::max(last_ms, region->piece_start + kLeastStepMs);
  const double records = std::max(0.0, count * records_per_point_ - region->ahead);
  region->rate = records / (region->piece_end - region->piece_start);
}

// Sets the alarm for the next time at which the region changes by itself.
void EmulatorRun::SetAlarm(EmulatedRegion* region) {
  ++region->alarm;
  if (region->retired) return;
  double at = region->piece_start > now_ms_ ? region->piece_start : region->piece_end;
  if (Fills(*region)) {
    if (region->growth > 0) {
      if (!region->flush_queued) at = std::min(at, now_ms_ + (flush_bytes_ - UnflushedBytes(*region)) / region->growth);
      at = std::min(at, now_ms_ + (blocking_bytes_ - MemstoreBytes(*region)) / region->growth);
    }
    if (!region->flush_queued) at = std::min(at, PeriodicFlushTime(*region));
  }
  // The end of a flush that runs sets the next alarm anyway.
  if (at == kNever || (region->flushing && at >= region->flush_done_ms)) return;
  At(std::max(at, now_ms_ + kLeastStepMs), EventKind::kRegionAlarm, region->id, region->alarm);
}

void EmulatorRun::OnAlarm(EmulatedRegion* region) {
  Sync(region);
  if (now_ms_ >= region->piece_end) NextPiece(region);
  UpdateGrowth(region);
  CheckMemstores(region);
  SetAlarm(region);
}

// ---- The time line and the reports

void EmulatorRun::TakeSnapshot() {
  EmulatedMoment moment{.time_ms = now_ms_, .regions = initial_regions_ + total_.splits};
  double hottest = 0;
  for (EmulatedRegion& region : regions_) {
    if (!region.retired) Sync(&region);
  }
  double written = 0;
  for (EmulatedServer& server : servers_) {
    moment.server_shares.push_back(server.report.counts.records - server.records_at_snapshot);
    server.records_at_snapshot = server.report.counts.records;
    written += moment.server_shares.back();
  }
  const double share = written > 0 ? 1 / written : 0;
  for (EmulatedRegion& region : regions_) {
    if (region.retired) continue;
    const double records = region.counts.records - region.records_at_snapshot;
    region.records_at_snapshot = region.counts.records;
    region.hottest_share = std::max(region.hottest_share, records * share);
    region.hottest_ratio = std::max(region.hottest_ratio, records * share * static_cast<double>(moment.regions));
    hottest = std::max(hottest, records);
  }
  for (size_t i = 0; i < servers_.size(); ++i) {
    moment.server_shares[i] *= share;
    servers_[i].report.hottest_share = std::max(servers_[i].report.hottest_share, moment.server_shares[i]);
  }
  moment.hottest_region_share = hottest * share;
  moment.files = total_.files;
  moment.data_bytes = total_.data_bytes;
  moment.flushes = total_.flushes;
  moment.compactions = total_.minor_compactions + total_.major_compactions;
  moment.splits = total_.splits;
  timeline_.push_back(std::move(moment));
  if (progress_ != nullptr) progress_(now_ms_ / load_.duration_ms);
}

// Returns whether the region had no writes in the last tenth of the load's time, though it usually has them more often.
bool EmulatorRun::TakesNoMore(const EmulatedRegion& region) const {
  if (region.ranks.size() < 2) return false;
  const double first_ms = ArrivalTime(sample_.index().NthArrival(region.ranks, 0));
  const double last_ms = ArrivalTime(sample_.index().NthArrival(region.ranks, region.ranks.size() - 1));
  const double usual_gap_ms = (last_ms - first_ms) / (region.ranks.size() - 1);
  const double idle_ms = load_.duration_ms - last_ms;
  return idle_ms > load_.duration_ms / 10 && idle_ms > 12 * usual_gap_ms;
}

void EmulatorRun::FinishReports(Emulation* emulation) {
  for (EmulatedServer& server : servers_) {
    server.report.regions = static_cast<int>(server.regions.size());
    server.report.cache_hit_ratio = CacheHitRatio(server);
    emulation->servers.push_back(server.report);
  }
  for (EmulatedRegion& region : regions_) {
    if (region.retired) continue;
    emulation->regions.push_back({.start_key = std::move(region.start_key),
                                  .server = static_cast<int>(region.server),
                                  .ranks = region.ranks,
                                  .counts = region.counts,
                                  .hottest_share = region.hottest_share,
                                  .hottest_ratio = region.hottest_ratio,
                                  .last_write_ms = region.last_write_ms,
                                  .left_behind = TakesNoMore(region)});
  }
  std::sort(emulation->regions.begin(), emulation->regions.end(),
            [](const EmulatedRegionReport& a, const EmulatedRegionReport& b) { return a.start_key < b.start_key; });
  emulation->total = total_;
  emulation->timeline = std::move(timeline_);
  emulation->settled_ms = std::max(settled_ms_, load_.duration_ms);
  emulation->split_bytes = settings_.split_policy == "DisabledRegionSplitPolicy" ? 0 : max_file_bytes_;
}

}  // namespace vaquita::lab
