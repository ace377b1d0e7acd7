#include "server/heat/heat_recorder.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>

#include "region/region.h"
#include "server/regionserver/region_server.h"

namespace vaquita {
namespace {

constexpr std::chrono::milliseconds kTick(200);
constexpr int kIdleTicks = 5;  // one of so many is done
constexpr int64_t kAdaptMs = 1000;
// A range that takes fewer requests a second is left as it is.
constexpr int64_t kFewRequests = 4;
// After so many seconds without a request all ranges of a region have cooled down and become one.
constexpr int kAdaptations = 140;

}  // namespace

HeatRecorder::HeatRecorder(const RegionServer* server, Clock* clock) : server_(server), clock_(clock) {}

HeatRecorder::~HeatRecorder() = default;

void HeatRecorder::Start() {
  chore_ = std::make_unique<Chore>(kTick, [this] {
    if (idle_ticks_ > 0 && ++idle_ticks_ <= kIdleTicks) return;
    idle_ticks_ = Tick() ? 0 : 1;
  });
}

void HeatRecorder::Stop() { chore_.reset(); }

bool HeatRecorder::Tick() {
  const int64_t now_ms = clock_->NowMs();
  const std::lock_guard lock(mutex_);
  FindRegions();
  bool any = false;
  for (auto& [name, regions] : regions_) {
    if (!std::any_of(regions.begin(), regions.end(), [](const auto& region) { return region.heat->counted(); }))
      continue;
    TakeTable(name, now_ms, &regions);
    any = true;
  }
  if (now_ms - adapted_ms_ < kAdaptMs && now_ms >= adapted_ms_) return any;
  adapted_ms_ = now_ms;
  for (auto table = tables_.begin(); table != tables_.end();) {
    if (const auto regions = regions_.find(table->first); regions != regions_.end()) {
      AdaptTable(&regions->second, &table->second);
    }
    table = table->second.history.Prune(now_ms) ? std::next(table) : tables_.erase(table);
  }
  return any;
}

// Thousands of regions hardly ever change, so they are listed only when they did.
void HeatRecorder::FindRegions() {
  const int64_t version = server_->RegionsVersion();
  if (version == regions_version_) return;
  regions_version_ = version;
  regions_.clear();
  for (const auto& region : server_->Regions()) {
    if (auto heat = region->heat())
      regions_[region->info().table].push_back({region->info(), std::move(heat), kAdaptations});
  }
}

void HeatRecorder::TakeTable(const TableName& name, int64_t now_ms, Regions* regions) {
  std::vector<std::vector<KeyHeat::Range>> taken;
  taken.reserve(regions->size());
  for (CountedRegion& region : *regions) {
    if (region.heat->counted()) region.adaptations = kAdaptations;
    taken.push_back(region.heat->counted() ? region.heat->Take() : std::vector<KeyHeat::Range>());
  }
  Table& table = tables_[name];
  UpdateAxis(*regions, server_->server_name(), &table);
  HeatCounts counts(table.axis->ranges.size());
  size_t first = 0;  // range of the region
  for (size_t at = 0; at < taken.size(); ++at) {
    for (size_t range = 0; range < taken[at].size(); ++range) {
      counts[first + range] = taken[at][range].counts;
      table.requests += taken[at][range].counts.requests();
    }
    while (first < counts.size() && table.axis->ranges[first].region == at) ++first;
  }
  table.history.Add(now_ms, table.axis, counts);
}

void HeatRecorder::UpdateAxis(const Regions& regions, const std::string& server, Table* table) {
  const auto same = [](const Part& part, const CountedRegion& region) {
    return part.heat == region.heat && part.version == region.heat->version();
  };
  if (std::equal(table->parts.begin(), table->parts.end(), regions.begin(), regions.end(), same)) return;
  auto axis = std::make_shared<HeatAxis>();
  table->parts.clear();
  for (size_t at = 0; at < regions.size(); ++at) {
    const RegionInfo& info = regions[at].info;
    axis->regions.push_back({info.EncodedName(), info.start_key, info.end_key, server});
    for (KeyHeat::Border& border : regions[at].heat->Borders()) {
      axis->ranges.push_back({std::move(border.key), at, border.earlier});
    }
    table->parts.push_back({regions[at].heat, regions[at].heat->version()});
  }
  table->axis = std::move(axis);
}

void HeatRecorder::AdaptTable(Regions* regions, Table* table) {
  const bool too_many = table->axis->ranges.size() > kMostRanges;
  const KeyHeat::Limits limits = {
      .most_requests = std::max(std::exchange(table->requests, 0) / kHotPart, kFewRequests),
      .most_ranges = too_many ? std::max<size_t>(kMostRanges / regions->size(), 1) : kMostRanges};
  for (CountedRegion& region : *regions) {
    if (region.adaptations == 0) continue;
    --region.adaptations;
    region.heat->Adapt(limits);
  }
}

std::vector<TableName> HeatRecorder::Tables() const {
  const std::lock_guard lock(mutex_);
  std::vector<TableName> tables;
  for (const auto& [name, table] : tables_) tables.push_back(name);
  return tables;
}

absl::StatusOr<HeatPicture> HeatRecorder::Picture(const TableName& table, const HeatQuery& query) const {
  const std::lock_guard lock(mutex_);
  const auto found = tables_.find(table);
  if (found == tables_.end()) return absl::NotFoundError("no requests were counted of table " + table.ToString());
  return found->second.history.Picture(query, clock_->NowMs());
}

size_t HeatRecorder::memory_bytes() const {
  const std::lock_guard lock(mutex_);
  size_t bytes = 0;
  for (const auto& [name, table] : tables_) bytes += table.history.memory_bytes();
  return bytes;
}

}  // namespace vaquita
