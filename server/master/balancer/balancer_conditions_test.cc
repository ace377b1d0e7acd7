#include "server/master/balancer/balancer_conditions.h"

#include "gtest/gtest.h"
#include "server/master/balancer/testing/mock_cluster.h"

namespace vaquita::balancer {
namespace {

TEST(BalancerConditions, ItRunsWhenNothingStandsAgainstIt) { EXPECT_EQ(WhyBalancerDoesNotRun({}, {}), ""); }

TEST(BalancerConditions, OffMeansOffButForADryRun) {
  EXPECT_EQ(WhyBalancerDoesNotRun({.switched_on = false}, {}), "Not running balancer because it is switched off");
  EXPECT_EQ(WhyBalancerDoesNotRun({.switched_on = false}, {.dry_run = true}), "");
}

TEST(BalancerConditions, AMasterThatStartsOrStopsDoesNotBalance) {
  EXPECT_EQ(WhyBalancerDoesNotRun({.initialized = false}, {}), "Master has not been initialized, don't run balancer.");
  EXPECT_EQ(WhyBalancerDoesNotRun({.initialized = false}, {.dry_run = true}),
            "Master has not been initialized, don't run balancer.");
  EXPECT_EQ(WhyBalancerDoesNotRun({.shutting_down = true}, {}), "Cluster is shutting down, don't run balancer.");
}

TEST(BalancerConditions, RegionsInTransitionAreWaitedForUnlessTheyAreToBeIgnored) {
  BalancerConditions conditions = {.regions_in_transition = {"a", "b"}};
  EXPECT_EQ(WhyBalancerDoesNotRun(conditions, {}),
            "Not running balancer (ignoreRIT=false, metaRIT=false) because 2 region(s) in transition: [a, b]");
  EXPECT_EQ(WhyBalancerDoesNotRun(conditions, {.ignore_regions_in_transition = true}), "");
  conditions.meta_in_transition = true;
  EXPECT_NE(WhyBalancerDoesNotRun(conditions, {.ignore_regions_in_transition = true}), "");
  conditions.regions_in_transition = {"a", "b", "c", "d", "e", "f"};
  EXPECT_EQ(WhyBalancerDoesNotRun(conditions, {}),
            "Not running balancer (ignoreRIT=false, metaRIT=true) because 6 region(s) in transition: "
            "[a, b, c, d, e](truncated list)");
}

TEST(BalancerConditions, DeadServersComeFirst) {
  EXPECT_EQ(WhyBalancerDoesNotRun({.dead_servers = {"h,1,2"}}, {.ignore_regions_in_transition = true}),
            "Not running balancer because processing dead regionserver(s): [h,1,2]");
}

TEST(BalancerConditions, OneServerOrOneRegionEachLeavesNothingToBalance) {
  EXPECT_EQ(WhyNothingToBalance(MockCluster({7})), "Not running balancer because only 1 active regionserver(s)");
  EXPECT_EQ(WhyNothingToBalance(MockCluster({3, 0, 0})),
            "Nothing to balance: 3 regions on 3 servers, one or less each on average");
  EXPECT_EQ(WhyNothingToBalance(MockCluster({4, 0, 0})), "");
}

}  // namespace
}  // namespace vaquita::balancer
