#include "tools/bench/region_load.h"

#include <algorithm>
#include <utility>

namespace vaquita::bench {

RegionLoad::RegionLoad(std::vector<std::string> start_keys, int threads) : start_keys_(std::move(start_keys)) {
  for (int i = 0; i < threads; ++i) {
    counts_.push_back(std::make_unique<std::atomic<uint64_t>[]>(start_keys_.size()));
  }
}

void RegionLoad::Count(int thread, std::string_view row) {
  const auto behind = std::upper_bound(start_keys_.begin() + 1, start_keys_.end(), row);
  std::atomic<uint64_t>& count =
      counts_[static_cast<size_t>(thread)][static_cast<size_t>(behind - start_keys_.begin()) - 1];
  count.store(count.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

std::vector<uint64_t> RegionLoad::Totals() const {
  std::vector<uint64_t> totals(start_keys_.size());
  for (const auto& thread : counts_) {
    for (size_t region = 0; region < totals.size(); ++region) {
      totals[region] += thread[region].load(std::memory_order_relaxed);
    }
  }
  return totals;
}

HottestRegion HottestBetween(const std::vector<uint64_t>& before, const std::vector<uint64_t>& after) {
  HottestRegion hottest;
  uint64_t most = 0;
  uint64_t all = 0;
  for (size_t region = 0; region < after.size(); ++region) {
    const uint64_t requests = after[region] - before[region];
    all += requests;
    if (requests <= most) continue;
    most = requests;
    hottest.region = region;
  }
  if (all > 0) hottest.share = static_cast<double>(most) / static_cast<double>(all);
  return hottest;
}

}  // namespace vaquita::bench
