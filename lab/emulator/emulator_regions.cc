// Splits and moves: SteppingSplitPolicy and its parents, CompactSplit.requestSplit, StoreUtils.getFileSplitPoint,
// SplitTableRegionProcedure, the balancers' slop (2.6).
#include <algorithm>
#include <cmath>
#include <utility>

#include "lab/emulator/emulator_run.h"

namespace vaquita::lab {
namespace {

constexpr double kMostBalances = 1e6;

}  // namespace

double EmulatorRun::SplitBytes(const EmulatedRegion& region) const {
  const std::string& policy = settings_.split_policy;
  if (policy == "DisabledRegionSplitPolicy") return kNever;
  if (policy == "ConstantSizeRegionSplitPolicy") return region.max_file_bytes;
  const double first =
      settings_.first_split_bytes > 0 ? static_cast<double>(settings_.first_split_bytes) : 2 * flush_bytes_;
  const auto regions = static_cast<double>(servers_[region.server].regions.size());
  if (policy == "SteppingSplitPolicy") return regions == 1 ? first : region.max_file_bytes;
  return regions > 100 ? region.max_file_bytes : std::min(region.max_file_bytes, first * regions * regions * regions);
}

bool EmulatorRun::IsLargeEnoughToSplit(const EmulatedRegion& region) const {
  double largest = 0;
  double all = 0;
  for (const EmulatedStore& store : region.stores) {
    if (store.references_until_ms > now_ms_) return false;
    double bytes = 0;
    for (const EmulatedFile& file : store.files) {
      if (file.reference) return false;  // its parent's files are still in use
      bytes += file.bytes;
    }
    largest = std::max(largest, bytes);
    all += bytes;
  }
  return (settings_.split_by_region_size ? all : largest) > SplitBytes(region);
}

// The split point of the largest store that has one.
uint32_t EmulatorRun::MidRank(const EmulatedRegion& region) const {
  uint32_t rank = 0;
  double largest = 0;
  for (const EmulatedStore& store : region.stores) {
    double bytes = 0;
    for (const EmulatedFile& file : store.files) bytes += file.bytes;
    if (bytes <= largest) continue;
    const uint32_t of_store = MidRank(region, store);
    if (of_store == 0) continue;
    rank = of_store;
    largest = bytes;
  }
  return rank;
}

// The first row of the middle block of the store's largest file, unless the file begins or ends with that row.
uint32_t EmulatorRun::MidRank(const EmulatedRegion& region, const EmulatedStore& store) const {
  const EmulatedFile& largest =
      *std::max_element(store.files.begin(), store.files.end(),
                        [](const EmulatedFile& a, const EmulatedFile& b) { return a.bytes < b.bytes; });
  const uint32_t points = sample_.index().Count(region.ranks, largest.arrivals);
  const double blocks = std::ceil(largest.bytes / load_.compressed_share / kBlockBytes);
  const auto middle = static_cast<uint32_t>(points * (std::floor(blocks / 2) / blocks));
  if (points < 2 || middle == 0) return 0;
  const auto key_at = [&](uint32_t n) {
    return sample_.KeyAt(sample_.index().NthRank(region.ranks, largest.arrivals, n));
  };
  const std::string_view row = key_at(middle);
  if (row == key_at(0) || row == key_at(points - 1)) return 0;
  return sample_.LowerBound(row);
}

bool EmulatorRun::RequestSplit(EmulatedRegion* region) {
  if (!region->online || region->flushing || Priority(*region) < kPriorityUser) return false;
  if (static_cast<int64_t>(servers_[region->server].regions.size()) >= settings_.region_limit) return false;
  if (!IsLargeEnoughToSplit(*region)) return false;
  const uint32_t mid_rank = MidRank(*region);
  if (mid_rank == 0) return false;
  TakeOffline(region);
  At(now_ms_ + cluster_.split_ms, EventKind::kSplitDone, region->id, mid_rank);
  return true;
}

void EmulatorRun::TakeOffline(EmulatedRegion* region) {
  if (region->over_blocking_size) BlockRegion(region, false);
  Sync(region);
  FlushForClose(region);
  CancelCompactions(region);
  std::erase(servers_[region->server].flush_queue, region->id);
  region->flush_queued = region->flush_put_off = false;
  region->online = false;
  UpdateGrowth(region);
  SetAlarm(region);
}

void EmulatorRun::PutOnline(EmulatedRegion* region) {
  region->online = true;
  // Every open draws its own jitter.
  region->max_file_bytes = max_file_bytes_ * (1 + (Random() - 0.5) * settings_.max_file_jitter);
  region->periodic_delay_ms = Random() * static_cast<double>(settings_.wake_ms) +
                              Random() * static_cast<double>(settings_.periodic_flush_spread_s) * 1000;
  ReleaseBacklog(region);
  UpdateGrowth(region);
  for (uint32_t i = 0; i < region->stores.size(); ++i) {
    const EmulatedStore& store = region->stores[i];
    const bool references =
        std::any_of(store.files.begin(), store.files.end(), [](const EmulatedFile& file) { return file.reference; });
    if (references || NeedsCompaction(store)) RequestCompaction(region, i);
  }
  CheckMemstores(region);
  SetAlarm(region);
}

// ---- Splits

void EmulatorRun::OnSplitDone(uint32_t parent_id, uint32_t mid_rank) {
  settled_ms_ = now_ms_;
  EmulatedRegion& parent = regions_[parent_id];
  Sync(&parent);
  FlushForClose(&parent);
  for (EmulatedCounts* counts : {&servers_[parent.server].report.counts, &total_}) ++counts->splits;

  const RankRange low{parent.ranks.first, mid_rank};
  const RankRange high{mid_rank, parent.ranks.end};
  const double low_share = ShareOfComing(parent, low);
  EmulatedRegion* first = AddDaughter(parent, low, parent.start_key, low_share);
  EmulatedRegion* second = AddDaughter(parent, high, std::string(sample_.KeyAt(mid_rank)), 1 - low_share);
  parent.retired = true;
  ++parent.alarm;
  RemoveFromServer(&parent);
  for (EmulatedStore& store : parent.stores) store.files = {};
  // A hot place stays hot when it splits: the hotter half inherits the parent's count of this interval.
  (low_share > 0.5 ? first : second)->records_at_snapshot = parent.records_at_snapshot - parent.counts.records;
  for (EmulatedRegion* daughter : {first, second}) {
    daughter->counts.splits = parent.counts.splits + 1;
    NextPiece(daughter);
    PutOnline(daughter);
  }
}

// Returns the share of the region's next records that go to `ranks`, a part of it.
double EmulatorRun::ShareOfComing(const EmulatedRegion& region, RankRange ranks) const {
  constexpr uint32_t kPoints = 32;
  const uint32_t now = PointsUntil(now_ms_);
  const uint32_t passed = sample_.index().CountBefore(region.ranks, now);
  const uint32_t coming = std::min(kPoints, region.ranks.size() - passed);
  if (coming == 0) return 0.5;
  const uint32_t until = sample_.index().NthArrival(region.ranks, passed + coming - 1) + 1;
  return static_cast<double>(sample_.index().Count(ranks, {now, until})) / coming;
}

// Returns the number of records that arrived at the region ahead of their points.
double EmulatorRun::RecordsAhead(const EmulatedRegion& region) const {
  const double came =
      region.rate > 0 ? region.rate * std::max(0.0, std::min(now_ms_, region.piece_end) - region.piece_start) : 0;
  const uint32_t passed = sample_.index().CountBefore(region.ranks, PointsUntil(now_ms_));
  return region.ahead + came - (static_cast<double>(passed) - region.next_point) * records_per_point_;
}

EmulatedRegion* EmulatorRun::AddDaughter(const EmulatedRegion& parent, RankRange ranks, std::string start_key,
                                         double share) {
  EmulatedRegion* daughter = AddRegion(ranks, std::move(start_key), parent.server);
  daughter->online = false;
  daughter->ahead = RecordsAhead(parent) * share;
  daughter->backlog = parent.backlog * share;
  InheritFiles(parent, daughter);
  return daughter;
}

// The daughter gets a reference to its half of each of the parent's files, if that half has rows.
void EmulatorRun::InheritFiles(const EmulatedRegion& parent, EmulatedRegion* daughter) {
  const KeyTimeIndex& index = sample_.index();
  const ArrivalRange ever{0, PointsUntil(now_ms_)};
  const double of_region =
      static_cast<double>(index.Count(daughter->ranks, ever)) / std::max(uint32_t{1}, index.Count(parent.ranks, ever));
  for (size_t i = 0; i < parent.stores.size(); ++i) {
    EmulatedStore& store = daughter->stores[i];
    CountFiles(daughter, store, -1);
    for (EmulatedFile file : parent.stores[i].files) {
      const uint32_t points = index.Count(parent.ranks, file.arrivals);
      const double share =
          points == 0 ? of_region : static_cast<double>(index.Count(daughter->ranks, file.arrivals)) / points;
      if (share == 0) continue;
      file.bytes *= share;
      file.reference = share < 1;
      store.files.push_back(file);
    }
    CountFiles(daughter, store, 1);
  }
}

// ---- The balancer

void EmulatorRun::AddToServer(EmulatedRegion* region, uint32_t server) {
  region->server = server;
  std::vector<uint32_t>& regions = servers_[server].regions;
  region->place_on_server = static_cast<uint32_t>(regions.size());
  regions.push_back(region->id);
  for (const EmulatedStore& store : region->stores) CountFiles(region, store, 1);
}

void EmulatorRun::RemoveFromServer(EmulatedRegion* region) {
  for (const EmulatedStore& store : region->stores) CountFiles(region, store, -1);
  std::vector<uint32_t>& regions = servers_[region->server].regions;
  regions_[regions.back()].place_on_server = region->place_on_server;
  regions[region->place_on_server] = regions.back();
  regions.pop_back();
}

// Sets the next balance, unless the load is over by then: after the setting's period, or a longer one if a run would
// have too many.
void EmulatorRun::SetBalance() {
  const double next_ms =
      now_ms_ + std::max(static_cast<double>(settings_.balancer_period_ms), load_.duration_ms / kMostBalances);
  if (next_ms < load_.duration_ms) At(next_ms, EventKind::kBalance, 0);
}

// Balances the numbers of regions if the slop requires it, or if a server has none while another has several; the
// newest regions move first.
void EmulatorRun::Balance() {
  SetBalance();
  std::vector<size_t> planned;
  for (const EmulatedServer& server : servers_) planned.push_back(server.regions.size());
  const auto average = static_cast<double>(initial_regions_ + total_.splits) / static_cast<double>(servers_.size());
  const auto fewest = std::min_element(planned.begin(), planned.end());
  const auto most = std::max_element(planned.begin(), planned.end());
  const bool idle = *fewest == 0 && *most > 1;
  const bool sloppy = settings_.regions_slop >= 0 &&
                      (static_cast<double>(*most) > std::ceil(average * (1 + settings_.regions_slop)) ||
                       static_cast<double>(*fewest) < std::floor(average * (1 - settings_.regions_slop)));
  if (!idle && !sloppy) return;
  for (;;) {
    const auto to = std::min_element(planned.begin(), planned.end());
    const auto from = std::max_element(planned.begin(), planned.end());
    if (*from <= *to + 1) return;
    EmulatedRegion* region = RegionToMove(servers_[from - planned.begin()]);
    if (region == nullptr) return;
    TakeOffline(region);
    At(now_ms_ + cluster_.move_ms, EventKind::kMoveDone, region->id, static_cast<uint32_t>(to - planned.begin()));
    --*from;
    ++*to;
  }
}

EmulatedRegion* EmulatorRun::RegionToMove(const EmulatedServer& server) {
  for (auto id = server.regions.rbegin(); id != server.regions.rend(); ++id) {
    EmulatedRegion& region = regions_[*id];
    if (region.online && !region.flushing) return &region;
  }
  return nullptr;
}

void EmulatorRun::OnMoveDone(EmulatedRegion* region, uint32_t to) {
  settled_ms_ = now_ms_;
  Sync(region);
  RemoveFromServer(region);
  AddToServer(region, to);
  for (EmulatedCounts* counts : {&region->counts, &servers_[to].report.counts, &total_}) ++counts->moves;
  PutOnline(region);
}

}  // namespace vaquita::lab
