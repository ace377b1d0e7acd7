// Both plans of 1,000 servers and 200,000 regions, with limits that hold on a slow machine without optimization.
// `vaquita_bench balancer` prints the figures.
#include <algorithm>

#include "gtest/gtest.h"
#include "server/master/balancer/load_aware_plan.h"
#include "server/master/balancer/simple_plan.h"
#include "server/master/balancer/testing/large_cluster.h"

namespace vaquita::balancer {
namespace {

TEST(BalancerAtScale, TheSimplePlanLevelsAThousandServers) {
  const ClusterPicture picture = LargeCluster(1'000, 200'000);
  const std::vector<int32_t> after = RegionCountsAfter(picture, MakeSimplePlan(picture, {.slop = 0}));
  EXPECT_EQ(*std::min_element(after.begin(), after.end()), 200);
  EXPECT_EQ(*std::max_element(after.begin(), after.end()), 200);
}

TEST(BalancerAtScale, TheLoadAwarePlanImprovesAThousandServers) {
  const ClusterPicture picture = LargeCluster(1'000, 200'000);
  const BalancePlan plan = MakeLoadAwarePlan(picture, {});
  EXPECT_LT(plan.imbalance_after, plan.imbalance_before / 3);
}

}  // namespace
}  // namespace vaquita::balancer
