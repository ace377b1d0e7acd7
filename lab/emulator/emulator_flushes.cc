// Memstores: MemStoreFlusher, HRegion's checks, FlushAllLargeStoresPolicy, PeriodicMemStoreFlusher (2.6).
#include <algorithm>
#include <numeric>

#include "lab/emulator/emulator_run.h"

namespace vaquita::lab {
namespace {

constexpr double kFlushStartMs = 20;  // the fixed time of a flush: a new file, its rename
// An alarm that is set for the time at which a size is reached meets it within this.
constexpr double kReached = 1 - 1e-9;

}  // namespace

double EmulatorRun::MemstoreBytes(const EmulatedRegion& region) const {
  double bytes = 0;
  for (size_t i = 0; i < sizes_.size(); ++i) {
    bytes += (region.stores[i].memstore + region.stores[i].flushing) * sizes_[i].memstore;
  }
  return bytes;
}

double EmulatorRun::UnflushedBytes(const EmulatedRegion& region) const {
  double bytes = 0;
  for (size_t i = 0; i < sizes_.size(); ++i) bytes += region.stores[i].memstore * sizes_[i].memstore;
  return bytes;
}

// Returns the time at which the region is flushed because its oldest cell is too old; never after the load has ended,
// so that the run ends.
double EmulatorRun::PeriodicFlushTime(const EmulatedRegion& region) const {
  if (settings_.periodic_flush_ms <= 0) return kNever;
  double oldest_ms = kNever;
  for (const EmulatedStore& store : region.stores) oldest_ms = std::min(oldest_ms, store.oldest_ms);
  const double at = oldest_ms + static_cast<double>(settings_.periodic_flush_ms) + region.periodic_delay_ms;
  return at < load_.duration_ms ? at : kNever;
}

void EmulatorRun::CheckMemstores(EmulatedRegion* region) {
  if (!region->online) return;
  if (UnflushedBytes(*region) >= flush_bytes_ * kReached || now_ms_ >= PeriodicFlushTime(*region)) {
    RequestFlush(region);
  }
  if (!region->over_blocking_size && MemstoreBytes(*region) >= blocking_bytes_ * kReached) BlockRegion(region, true);
  CheckServerMemstores(&servers_[region->server]);
}

// ---- The limit on all memstores of a server

void EmulatorRun::CheckServerMemstores(EmulatedServer* server) {
  SyncServer(server);
  const bool over = server->memstore_bytes >= global_limit_ * kReached;
  if (over != server->over_global_limit) BlockServer(server, over);
  if (server->memstore_bytes >= global_low_mark_) FlushForServer(server);
}

// MemStoreFlusher.flushOneForGlobalPressure: the region with the most in its memstores whose stores may take another
// file, unless another has more than twice as much.
void EmulatorRun::FlushForServer(EmulatedServer* server) {
  if (server->flushes_running >= settings_.flush_threads) return;  // the flush that ends next looks again
  EmulatedRegion* any = nullptr;
  EmulatedRegion* fit = nullptr;
  double any_bytes = 0, fit_bytes = 0;
  for (const uint32_t id : server->regions) {
    EmulatedRegion& region = regions_[id];
    if (region.flushing || !region.online) continue;
    Sync(&region);
    const double bytes = UnflushedBytes(region);
    if (bytes > any_bytes) {
      any = &region;
      any_bytes = bytes;
    }
    if (bytes > fit_bytes && !HasTooManyFiles(region)) {
      fit = &region;
      fit_bytes = bytes;
    }
  }
  EmulatedRegion* const region = any_bytes > 2 * fit_bytes ? any : fit;
  if (region == nullptr) return;
  ++server->report.global_flushes;
  std::erase(server->flush_queue, region->id);
  region->flush_queued = true;
  BeginFlush(region);
  SetAlarm(region);
}

void EmulatorRun::BlockServer(EmulatedServer* server, bool blocked) {
  for (const uint32_t id : server->regions) Sync(&regions_[id]);
  server->over_global_limit = blocked;
  if (blocked) {
    server->blocked_since_ms = now_ms_;
  } else {
    const double waited = now_ms_ - server->blocked_since_ms;
    server->report.counts.blocked_ms += waited;
    total_.blocked_ms += waited;
  }
  for (const uint32_t id : server->regions) {
    if (!blocked) ReleaseBacklog(&regions_[id]);
    SetAlarm(&regions_[id]);
  }
}

// ---- One region

void EmulatorRun::RequestFlush(EmulatedRegion* region) {
  if (region->flush_queued) return;
  region->flush_queued = true;
  EmulatedServer& server = servers_[region->server];
  server.flush_queue.push_back(region->id);
  RunFlushes(&server);
}

void EmulatorRun::RunFlushes(EmulatedServer* server) {
  while (server->flushes_running < settings_.flush_threads && !server->flush_queue.empty()) {
    EmulatedRegion& region = regions_[server->flush_queue.front()];
    server->flush_queue.pop_front();
    if (!PutOff(&region)) BeginFlush(&region);
  }
}

// A region with too many files waits for a compaction, or for so long.
bool EmulatorRun::PutOff(EmulatedRegion* region) {
  if (!HasTooManyFiles(*region)) return false;
  if (region->flush_put_off) return now_ms_ < region->flush_deadline_ms;
  region->flush_put_off = true;
  region->flush_deadline_ms = now_ms_ + static_cast<double>(settings_.blocking_wait_ms);
  At(region->flush_deadline_ms, EventKind::kFlushDeadline, region->id);
  if (!RequestSplit(region)) {
    for (uint32_t store = 0; store < region->stores.size(); ++store) RequestCompaction(region, store);
  }
  return true;
}

void EmulatorRun::ResumeFlush(EmulatedRegion* region) {
  if (!region->flush_put_off || !region->online) return;
  if (HasTooManyFiles(*region) && now_ms_ < region->flush_deadline_ms) return;
  EmulatedServer& server = servers_[region->server];
  if (std::find(server.flush_queue.begin(), server.flush_queue.end(), region->id) != server.flush_queue.end()) return;
  server.flush_queue.push_front(region->id);
  RunFlushes(&server);
}

std::vector<uint32_t> EmulatorRun::StoresToFlush(const EmulatedRegion& region) const {
  std::vector<uint32_t> all(region.stores.size());
  std::iota(all.begin(), all.end(), 0);
  const bool large_ones = cluster_.system == EmulatedSystem::kHBase && all.size() > 1 &&
                          settings_.flush_policy == "FlushAllLargeStoresPolicy";
  if (!large_ones) return all;
  const double least =
      std::max(flush_bytes_ / static_cast<double>(all.size()), static_cast<double>(settings_.family_flush_least_bytes));
  std::vector<uint32_t> large;
  for (const uint32_t i : all) {
    const EmulatedStore& store = region.stores[i];
    const bool old =
        settings_.periodic_flush_ms > 0 && store.oldest_ms + static_cast<double>(settings_.periodic_flush_ms) < now_ms_;
    if (store.memstore * sizes_[i].memstore > least || old) large.push_back(i);
  }
  return large.empty() ? all : large;
}

void EmulatorRun::BeginFlush(EmulatedRegion* region) {
  Sync(region);
  double bytes = 0;
  for (const uint32_t i : StoresToFlush(*region)) {
    EmulatedStore& store = region->stores[i];
    store.flushing = store.memstore;
    store.flush_began_ms = now_ms_;
    store.memstore = 0;
    store.oldest_ms = kNever;
    bytes += store.flushing * sizes_[i].file;
  }
  region->flushing = true;
  region->flush_put_off = false;
  ++servers_[region->server].flushes_running;
  region->flush_done_ms = now_ms_ + kFlushStartMs + bytes / cluster_.disk_bytes_per_s * 1000;
  At(region->flush_done_ms, EventKind::kFlushDone, region->id);
}

double EmulatorRun::AddFlushedFile(EmulatedRegion* region, uint32_t i, double records, double until_ms) {
  EmulatedStore& store = region->stores[i];
  const ArrivalRange arrivals{PointsUntil(store.flushed_until_ms), PointsUntil(until_ms)};
  store.flushed_until_ms = until_ms;
  const double bytes = records * sizes_[i].file;
  if (bytes == 0) return 0;
  CountFiles(region, store, -1);
  store.files.push_back(
      {.bytes = bytes, .arrivals = arrivals, .created_ms = std::max(now_ms_, 1.0), .newest_cell_ms = until_ms});
  CountFiles(region, store, 1);
  return bytes;
}

void EmulatorRun::CountFlush(EmulatedRegion* region, double bytes) {
  for (EmulatedCounts* counts : {&region->counts, &servers_[region->server].report.counts, &total_}) {
    ++counts->flushes;
    counts->flushed_bytes += bytes;
  }
}

void EmulatorRun::OnFlushDone(EmulatedRegion* region) {
  EmulatedServer& server = servers_[region->server];
  settled_ms_ = now_ms_;
  Sync(region);
  SyncServer(&server);
  double bytes = 0;
  for (uint32_t i = 0; i < region->stores.size(); ++i) {
    EmulatedStore& store = region->stores[i];
    if (store.flushing == 0) continue;
    server.memstore_bytes -= store.flushing * sizes_[i].memstore;
    bytes += AddFlushedFile(region, i, store.flushing, store.flush_began_ms);
    store.flushing = 0;
  }
  CountFlush(region, bytes);
  region->periodic_delay_ms = Random() * static_cast<double>(settings_.wake_ms) +
                              Random() * static_cast<double>(settings_.periodic_flush_spread_s) * 1000;
  region->flushing = region->flush_queued = false;
  --server.flushes_running;
  if (region->over_blocking_size) BlockRegion(region, false);

  if (IsLargeEnoughToSplit(*region) && MidRank(*region) != 0) {
    RequestSplit(region);
  } else {
    RequestDueCompactions(region);
  }
  CheckMemstores(region);
  SetAlarm(region);
  RunFlushes(&server);
}

// Flushes a closing region's memstores to files.
void EmulatorRun::FlushForClose(EmulatedRegion* region) {
  EmulatedServer& server = servers_[region->server];
  SyncServer(&server);
  double bytes = 0;
  for (uint32_t i = 0; i < region->stores.size(); ++i) {
    EmulatedStore& store = region->stores[i];
    server.memstore_bytes -= store.memstore * sizes_[i].memstore;
    bytes += AddFlushedFile(region, i, store.memstore, now_ms_);
    store.memstore = 0;
    store.oldest_ms = kNever;
  }
  if (bytes > 0) CountFlush(region, bytes);
}

void EmulatorRun::BlockRegion(EmulatedRegion* region, bool blocked) {
  Sync(region);
  region->over_blocking_size = blocked;
  if (blocked) {
    region->blocked_since_ms = now_ms_;
  } else {
    const double waited = now_ms_ - region->blocked_since_ms;
    for (EmulatedCounts* counts : {&region->counts, &servers_[region->server].report.counts, &total_}) {
      counts->blocked_ms += waited;
    }
    ReleaseBacklog(region);
  }
  UpdateGrowth(region);
}

// Writes that waited go on, as far as the region takes them.
void EmulatorRun::ReleaseBacklog(EmulatedRegion* region) {
  if (!Fills(*region) || region->backlog == 0) return;
  const double room = std::max(0.0, blocking_bytes_ - MemstoreBytes(*region)) / memstore_per_record_;
  const double records = std::min(room, region->backlog);
  region->backlog -= records;
  for (EmulatedStore& store : region->stores) {
    if (store.memstore == 0 && records > 0) store.oldest_ms = now_ms_;
    store.memstore += records;
  }
  EmulatedServer& server = servers_[region->server];
  SyncServer(&server);
  server.memstore_bytes += records * memstore_per_record_;
}

}  // namespace vaquita::lab
