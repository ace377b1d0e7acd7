#include "lab/report/region_rates.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "absl/strings/str_cat.h"

namespace vaquita::lab {
namespace {

// Returns the growth of a counter, which began at zero again if it is smaller than before.
double Growth(int64_t before, int64_t now) { return static_cast<double>(now >= before ? now - before : now); }

}  // namespace

void RegionRates::AddSample(double time_ms, const std::vector<ServerMetrics>& servers) {
  const double seconds = (time_ms - time_ms_) / 1000;
  std::map<std::string, Counters> counters;
  rates_.clear();
  for (const ServerMetrics& server : servers) {
    for (const RegionMetrics& region : server.regions) {
      const std::string name = region.info.EncodedName();
      const Counters now{region.read_requests, region.write_requests};
      counters[name] = now;
      RegionRate& rate = rates_.emplace_back();
      rate.info = region.info;
      rate.server = server.server_name;
      const auto before = counters_.find(name);
      if (before == counters_.end() || seconds <= 0) continue;
      rate.reads_per_s = Growth(before->second.reads, now.reads) / seconds;
      rate.writes_per_s = Growth(before->second.writes, now.writes) / seconds;
    }
  }
  counters_ = std::move(counters);
  time_ms_ = time_ms;
  if (!std::exchange(looked_, true)) return rates_.clear();

  std::sort(rates_.begin(), rates_.end(), [](const RegionRate& a, const RegionRate& b) {
    return std::tie(a.info.table, a.info.start_key) < std::tie(b.info.table, b.info.start_key);
  });
  auto& look = history_.emplace_back();
  for (const RegionRate& rate : rates_) look[rate.info.EncodedName()] = rate;
  if (static_cast<int>(history_.size()) > readings_) history_.pop_front();
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
  std::vector<double> totals(rates_.size());
  const size_t shown = std::min(history_.size(), static_cast<size_t>(columns));
  for (size_t look = history_.size() - shown; look < history_.size(); ++look) {
    double all = 0;
    for (const auto& [name, rate] : history_[look]) all += rate.Of(kind);
    if (all <= 0) continue;
    const double even = all / static_cast<double>(history_[look].size());
    const size_t column = columns - history_.size() + look;
    for (size_t row = 0; row < rates_.size(); ++row) {
      const auto at = history_[look].find(rates_[row].info.EncodedName());
      if (at == history_[look].end()) continue;
      map.values[row * columns + column] = at->second.Of(kind) / even;
      totals[row] += at->second.Of(kind);
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
