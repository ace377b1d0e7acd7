#include "server/master/balancer/balance_plan.h"

#include "absl/strings/str_cat.h"

namespace vaquita::balancer {

std::vector<int32_t> RegionCountsAfter(const ClusterPicture& picture, const BalancePlan& plan) {
  std::vector<int32_t> counts = RegionCounts(picture);
  for (const RegionMove& move : plan.moves) {
    --counts[move.from];
    ++counts[move.to];
  }
  return counts;
}

std::string PlanText(const ClusterPicture& picture, const BalancePlan& plan) {
  std::string text = absl::StrCat(plan.verdict, "\n");
  for (const RegionMove& move : plan.moves) {
    absl::StrAppend(&text, "move ", ToStringBinary(picture.regions[move.region].info.Name()), " from ",
                    picture.servers[move.from], " to ", picture.servers[move.to], ": ", move.reason, "\n");
  }
  const std::vector<int32_t> before = RegionCounts(picture);
  const std::vector<int32_t> after = RegionCountsAfter(picture, plan);
  for (size_t server = 0; server < before.size(); ++server) {
    absl::StrAppend(&text, picture.servers[server], ": ", before[server], " regions");
    if (after[server] != before[server]) absl::StrAppend(&text, ", then ", after[server]);
    text += "\n";
  }
  return absl::StrCat(text, plan.moves.size(), plan.moves.size() == 1 ? " move\n" : " moves\n");
}

}  // namespace vaquita::balancer
