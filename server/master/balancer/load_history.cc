#include "server/master/balancer/load_history.h"

#include "base/absl_text.h"

namespace vaquita::balancer {
namespace {

constexpr double kMiB = 1024 * 1024;

// Returns the growth of a counter over the reports; one that fell began again at 0.
double Growth(const std::deque<RegionReport>& reports, int64_t RegionReport::*counter) {
  int64_t growth = 0;
  for (size_t i = 1; i < reports.size(); ++i) {
    const int64_t before = reports[i - 1].*counter;
    const int64_t now = reports[i].*counter;
    growth += now >= before ? now - before : now;
  }
  return static_cast<double>(growth);
}

}  // namespace

void LoadHistory::Add(std::string_view region, const RegionReport& report) {
  std::deque<RegionReport>& reports = reports_[AbslText(region)];
  if (!reports.empty() && report.time_ms <= reports.back().time_ms) return;
  if (reports.size() == kReportsKept) reports.pop_front();
  reports.push_back(report);
}

void LoadHistory::ForgetBefore(int64_t time_ms) {
  absl::erase_if(reports_, [=](const auto& region) { return region.second.back().time_ms < time_ms; });
}

RegionLoad LoadHistory::Of(std::string_view region) const {
  const auto found = reports_.find(AbslText(region));
  if (found == reports_.end()) return {};
  const std::deque<RegionReport>& reports = found->second;
  RegionLoad load;
  double store_bytes = 0;
  for (const RegionReport& report : reports) store_bytes += static_cast<double>(report.store_bytes);
  load.store_mb = store_bytes / static_cast<double>(reports.size()) / kMiB;
  const double seconds = static_cast<double>(reports.back().time_ms - reports.front().time_ms) / 1000;
  if (seconds <= 0) return load;
  load.read_requests = Growth(reports, &RegionReport::read_requests) / seconds;
  load.write_requests = Growth(reports, &RegionReport::write_requests) / seconds;
  load.memstore_mb = Growth(reports, &RegionReport::memstore_bytes) / kMiB / seconds * 60;
  return load;
}

}  // namespace vaquita::balancer
