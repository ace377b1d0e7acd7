#include "server/master/balancer/count_check.h"

#include <cmath>
#include <numeric>

#include "absl/strings/str_cat.h"

namespace vaquita::balancer {

std::string WhyCountsAskForBalance(const std::vector<int32_t>& counts, double slop) {
  if (counts.empty()) return "";
  const auto [least, most] = std::minmax_element(counts.begin(), counts.end());
  if (*least == 0 && *most > 1) return absl::StrCat("a server has no region, another ", *most);
  if (slop < 0) return "";
  const double average = std::accumulate(counts.begin(), counts.end(), 0.0) / static_cast<double>(counts.size());
  const auto floor = static_cast<int64_t>(std::floor(average * (1 - slop)));
  const auto ceiling = static_cast<int64_t>(std::ceil(average * (1 + slop)));
  if (*most <= ceiling && *least >= floor) return "";
  return absl::StrCat("servers have ", *least, " to ", *most, " regions, outside ", floor, " to ", ceiling);
}

}  // namespace vaquita::balancer
