#include "server/master/balancer/planner_settings.h"

#include "base/status.h"
#include "gtest/gtest.h"
#include "server/master/balancer/testing/mock_cluster.h"

namespace vaquita::balancer {
namespace {

TEST(PlannerSettings, OptionsHaveThePlannersOwnDefaults) {
  const auto settings = BalancerSettingsOf(Options());
  ASSERT_TRUE(settings.ok());
  EXPECT_TRUE(settings->load_aware);
  const LoadAwareSettings defaults;
  EXPECT_EQ(settings->load.slop, defaults.slop);
  EXPECT_EQ(settings->load.region_count_cost, defaults.region_count_cost);
  EXPECT_EQ(settings->load.table_skew_cost, defaults.table_skew_cost);
  EXPECT_EQ(settings->load.move_cost, defaults.move_cost);
  EXPECT_EQ(settings->load.min_cost_need_balance, defaults.min_cost_need_balance);
  EXPECT_EQ(settings->load.max_steps, defaults.max_steps);
  EXPECT_EQ(settings->load.hotspot_ratio, defaults.hotspot_ratio);
  EXPECT_EQ(settings->simple.slop, SimplePlanSettings().slop);
  EXPECT_EQ(NormalizerSettingsOf(Options()).merge_min_region_age_days, NormalizerSettings().merge_min_region_age_days);
  EXPECT_EQ(NormalizerSettingsOf(Options()).plans_size_limit_mb, NormalizerSettings().plans_size_limit_mb);
}

TEST(PlannerSettings, TheClassChoosesThePlan) {
  Options options;
  for (const char* name : {"SimpleLoadBalancer", "org.apache.hadoop.hbase.master.balancer.SimpleLoadBalancer"}) {
    options.balancer_class = name;
    const auto settings = BalancerSettingsOf(options);
    ASSERT_TRUE(settings.ok());
    EXPECT_FALSE(settings->load_aware);
    EXPECT_EQ(MakePlan(MockCluster({17, 4, 29}), *settings).moves.size(), 12u);
  }
  options.balancer_class = "com.example.MyBalancer";
  EXPECT_TRUE(IsError(BalancerSettingsOf(options).status(), ErrorKind::kIllegalArgument));
}

TEST(PlannerSettings, OneRegionEachOnAverageIsLeftAlone) {
  const BalancePlan plan = MakePlan(MockCluster({3, 0, 0}), *BalancerSettingsOf(Options()));
  EXPECT_TRUE(plan.moves.empty());
  EXPECT_EQ(plan.verdict, "Nothing to balance: 3 regions on 3 servers, one or less each on average");
}

}  // namespace
}  // namespace vaquita::balancer
