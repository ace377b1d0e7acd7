#include "lab/report/region_rates.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"

namespace vaquita::lab {
namespace {

// Returns the growth of a counter, which began at zero again if it is smaller than before.
double Growth(int64_t before, int64_t now) { return static_cast<double>(now >= before ? now - before : now); }

struct PlacedRegion {
  const RegionMetrics* region;
  const ServerMetrics* server;
  friend bool operator<(const PlacedRegion& a, const PlacedRegion& b) {
    return std::tie(a.region->info.table, a.region->info.start_key) <
           std::tie(b.region->info.table, b.region->info.start_key);
  }
};

}  // namespace

uint32_t RegionRates::TakeCounters(const RegionMetrics& region, double seconds, RegionRate* rate) {
  const auto [at, is_new] = known_.try_emplace(region.info.EncodedName());
  Known& known = at->second;
  if (is_new) known.number = next_number_++;
  if (!is_new && known.looked == looks_ - 1 && seconds > 0) {
    rate->reads_per_s = Growth(known.reads, region.read_requests) / seconds;
    rate->writes_per_s = Growth(known.writes, region.write_requests) / seconds;
  }
  known.looked = looks_;
  known.reads = region.read_requests;
  known.writes = region.write_requests;
  return known.number;
}

void RegionRates::AddSample(double time_ms, const std::vector<ServerMetrics>& servers) {
  const double seconds = (time_ms - time_ms_) / 1000;
  time_ms_ = time_ms;
  ++looks_;
  std::vector<PlacedRegion> regions;
  for (const ServerMetrics& server : servers) {
    for (const RegionMetrics& region : server.regions) regions.push_back({&region, &server});
  }
  std::sort(regions.begin(), regions.end());
  rates_.clear();
  numbers_.clear();
  for (const PlacedRegion& placed : regions) {
    RegionRate rate{.info = placed.region->info, .server = placed.server->server_name};
    const uint32_t number = TakeCounters(*placed.region, seconds, &rate);
    if (looks_ == 1) continue;
    rates_.push_back(std::move(rate));
    numbers_.push_back(number);
  }
  if (looks_ > 1) KeepReading();
}

// Adds the rates to the history, and forgets readings and regions that are too old.
void RegionRates::KeepReading() {
  PastReading& reading = history_.emplace_back();
  reading.regions = rates_.size();
  for (size_t i = 0; i < rates_.size(); ++i) {
    const RegionRate& rate = rates_[i];
    if (rate.Of(RequestKind::kAll) <= 0) continue;
    reading.rates.push_back({numbers_[i], static_cast<float>(rate.reads_per_s), static_cast<float>(rate.writes_per_s)});
  }
  reading.rates.shrink_to_fit();
  if (static_cast<int>(history_.size()) > readings_) history_.pop_front();
  std::erase_if(known_, [this](const auto& known) { return known.second.looked + readings_ <= looks_; });
}

double RegionRates::Total(RequestKind kind) const {
  double total = 0;
  for (const RegionRate& rate : rates_) total += rate.Of(kind);
  return total;
}

HeatMap RegionRates::Picture(RequestKind kind, int columns) const {
  HeatMap map;
  map.columns = columns;
  map.most = std::max(1.0, static_cast<double>(rates_.size()));
  map.row_axis = "regions, by table and start key";
  map.column_axis = "time";
  map.last_column = "now";
  const bool one_table = rates_.empty() || rates_.front().info.table == rates_.back().info.table;
  map.values.resize(rates_.size() * columns);
  for (const RegionRate& rate : rates_) {
    const std::string start = ToStringBinary(rate.info.start_key);
    map.row_labels.push_back(one_table ? start : absl::StrCat(rate.info.table.ToString(), ",", start));
  }
  absl::flat_hash_map<uint32_t, size_t> rows;  // by the region's number
  for (size_t row = 0; row < numbers_.size(); ++row) rows[numbers_[row]] = row;
  std::vector<double> totals(rates_.size());
  const size_t shown = std::min(history_.size(), static_cast<size_t>(columns));
  for (size_t look = history_.size() - shown; look < history_.size(); ++look) {
    const PastReading& reading = history_[look];
    double all = 0;
    for (const PastRate& rate : reading.rates) all += rate.Of(kind);
    if (all <= 0) continue;
    const double even = all / static_cast<double>(reading.regions);
    const size_t column = columns - history_.size() + look;
    for (const PastRate& rate : reading.rates) {
      const auto row = rows.find(rate.region);
      if (row == rows.end()) continue;
      map.values[row->second * columns + column] = rate.Of(kind) / even;
      totals[row->second] += rate.Of(kind);
    }
  }
  double all = 0;
  for (const double total : totals) all += total;
  for (const double total : totals) {
    map.row_totals.push_back(all > 0 ? total / all * static_cast<double>(totals.size()) : 0);
  }
  return map;
}

}  // namespace vaquita::lab
