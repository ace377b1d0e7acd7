#include "server/master/balancer/load_aware_plan.h"

#include <algorithm>
#include <limits>
#include <set>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "server/master/balancer/cluster_costs.h"
#include "server/master/balancer/simple_plan.h"
#include "server/master/balancer/testing/mock_cluster.h"

namespace vaquita::balancer {
namespace {

using ::testing::HasSubstr;

double ImbalanceOf(const ClusterPicture& picture, const LoadAwareSettings& settings) {
  const ClusterCosts costs(picture, 0, static_cast<RegionIndex>(picture.regions.size()), settings);
  return costs.Imbalance(costs.costs());
}

std::vector<double> ReadsOf(const ClusterPicture& picture) {
  std::vector<double> reads(picture.servers.size());
  for (const PicturedRegion& region : picture.regions) reads[region.server] += region.load.read_requests;
  return reads;
}

// Ten regions on each of three servers. On the first, `hot` take 1,000 reads a second each; all others take 10.
ClusterPicture Hotspot(int hot) {
  std::vector<PlacedRegion> regions;
  for (size_t i = 0; i < 30; ++i) {
    regions.push_back(MockRegion(i, "t", i / 10));
    regions.back().load.read_requests = static_cast<int>(i) < hot ? 1'000 : 10;
  }
  return TakePicture(MockServers(3), regions);
}

// TestStochasticLoadBalancerBalanceCluster, with its settings.
TEST(LoadAwarePlan, LevelsHBasesClusters) {
  const LoadAwareSettings settings = {.slop = 0, .locality_cost = 0, .max_move_percent = 0.75, .max_steps = 100'000};
  for (const std::vector<int>& counts : HBaseClusters()) {
    SCOPED_TRACE(::testing::PrintToString(counts));
    const ClusterPicture picture = MockCluster(counts, /*tables=*/3);
    const BalancePlan plan = MakeLoadAwarePlan(picture, settings);
    const std::vector<int32_t> after = RegionCountsAfter(picture, plan);
    const auto [least, most] = std::minmax_element(after.begin(), after.end());
    EXPECT_LE(*most - *least, 1) << ::testing::PrintToString(after);
    EXPECT_TRUE(MakeLoadAwarePlan(After(picture, plan), settings).moves.empty());
  }
}

TEST(LoadAwarePlan, TheLargestBoundOfStepsIsOne) {
  const BalancePlan plan =
      MakeLoadAwarePlan(MockCluster({17, 4, 29}, 1), {.max_steps = std::numeric_limits<int64_t>::max()});
  EXPECT_EQ(plan.moves.size(), 12u);
}

TEST(LoadAwarePlan, OfRegionsThatDifferInNothingItMovesNoMoreThanTheSimplePlan) {
  for (const size_t tables : {1, 3}) {
    const ClusterPicture picture = MockCluster({17, 4, 29}, tables);
    const BalancePlan plan = MakeLoadAwarePlan(picture, {});
    EXPECT_EQ(plan.moves.size(), 12u);
    EXPECT_EQ(RegionCountsAfter(picture, plan), (std::vector<int32_t>{17, 16, 17}));
  }
}

TEST(LoadAwarePlan, RepairsAHotspotThatCountsCannotSee) {
  const ClusterPicture picture = Hotspot(3);
  EXPECT_TRUE(MakeSimplePlan(picture, {.slop = 0}).moves.empty());

  const BalancePlan plan = MakeLoadAwarePlan(picture, {});
  EXPECT_THAT(plan.verdict, HasSubstr("server000,16020,1 takes 3070 read requests/s, the average server 1090"));
  EXPECT_THAT(RegionCountsAfter(picture, plan), ::testing::Each(10));
  EXPECT_THAT(ReadsOf(After(picture, plan)), ::testing::Each(1090));
  ASSERT_EQ(plan.moves.size(), 4u) << PlanText(picture, plan);  // two hot regions go, two others come
  EXPECT_EQ(plan.moves[0].reason, "has 1000 of source's 3070 read requests/s, target has 100, average 1090");
  EXPECT_EQ(plan.moves[1].reason, plan.moves[0].reason);
  EXPECT_EQ(plan.moves[2].reason, "in exchange: source has 10 regions, target 10, average 10.0");
  EXPECT_LT(plan.imbalance_after, plan.imbalance_before);
}

TEST(LoadAwarePlan, LeavesARegionThatIsAllOfTheLoadWhereItIs) {
  const ClusterPicture picture = Hotspot(1);
  EXPECT_TRUE(MakeLoadAwarePlan(picture, {.hotspot_requests = 100}).moves.empty());
}

TEST(LoadAwarePlan, WithoutTheHotspotsRuleHBasesThresholdSleepsThroughIt) {
  const BalancePlan plan = MakeLoadAwarePlan(Hotspot(3), {.hotspot_ratio = 1e9});
  EXPECT_TRUE(plan.moves.empty());
  EXPECT_EQ(plan.verdict,
            "Cluster wide - skipping load balancing because weighted average imbalance=0.0075 < threshold(0.0250)");
  EXPECT_FALSE(MakeLoadAwarePlan(Hotspot(3), {.min_cost_need_balance = 0.005, .hotspot_ratio = 1e9}).moves.empty());
}

// TestStochasticLoadBalancer.testNeedBalance: whatever the threshold, an idle server does not wait.
TEST(LoadAwarePlan, OnlyIdleServersAreAboveAThresholdOfOne) {
  for (const bool by_table : {false, true}) {
    for (const std::vector<int>& counts : HBaseClusters()) {
      const LoadAwareSettings settings = {
          .by_table = by_table, .slop = -1, .min_cost_need_balance = 1, .max_steps = 10'000};
      const bool idle = std::count(counts.begin(), counts.end(), 0) > 0 &&
                        std::any_of(counts.begin(), counts.end(), [](int count) { return count > 1; });
      EXPECT_EQ(MakeLoadAwarePlan(MockCluster(counts), settings).moves.empty(), !idle)
          << ::testing::PrintToString(counts);
    }
  }
}

TEST(LoadAwarePlan, SpreadsATable) {
  // Two tables, each wholly on one server: counts are even, tables are not.
  std::vector<PlacedRegion> regions;
  for (size_t i = 0; i < 20; ++i) regions.push_back(MockRegion(i, i < 10 ? "t" : "u", i / 10));
  const ClusterPicture picture = TakePicture(MockServers(2), regions);
  const BalancePlan plan = MakeLoadAwarePlan(picture, {});
  const ClusterPicture after = After(picture, plan);
  EXPECT_EQ(plan.moves.size(), 10u) << PlanText(picture, plan);
  EXPECT_THAT(RegionCounts(after), ::testing::Each(10));
  EXPECT_EQ(std::count_if(after.regions.begin(), after.regions.end(),
                          [](const PicturedRegion& region) { return region.table == 0 && region.server == 0; }),
            5);
}

TEST(LoadAwarePlan, ByTableEachTableIsLevelledByItself) {
  std::vector<PlacedRegion> regions;
  for (size_t i = 0; i < 24; ++i) regions.push_back(MockRegion(i, i < 12 ? "t" : "u", i / 12));
  const ClusterPicture picture = TakePicture(MockServers(3), regions);
  const ClusterPicture after = After(picture, MakeLoadAwarePlan(picture, {.by_table = true}));
  for (TableIndex table = 0; table < 2; ++table) {
    std::vector<int> counts(3);
    for (const PicturedRegion& region : after.regions) counts[region.server] += region.table == table ? 1 : 0;
    EXPECT_THAT(counts, ::testing::Each(4));
  }
}

TEST(LoadAwarePlan, ByTableEachOfManySmallTablesIsLevelled) {
  constexpr int kTables = 200;
  const ClusterPicture picture = MockCluster({6 * kTables, 0, 0}, kTables);
  const ClusterPicture after = After(picture, MakeLoadAwarePlan(picture, {.by_table = true, .max_steps = 1'000}));
  std::vector<std::vector<int>> counts(kTables, std::vector<int>(3));
  for (const PicturedRegion& region : after.regions) ++counts[region.table][region.server];
  EXPECT_THAT(counts, ::testing::Each(::testing::Each(2)));
}

TEST(LoadAwarePlan, HoldsForRandomClusters) {
  Dice dice(7);
  for (int round = 0; round < 60; ++round) {
    SCOPED_TRACE(round);
    const ClusterPicture picture = RandomCluster(&dice, /*all_movable=*/false);
    LoadAwareSettings settings = {.by_table = round % 3 == 0, .max_steps = 20'000, .seed = dice.Next()};
    const BalancePlan plan = MakeLoadAwarePlan(picture, settings);
    EXPECT_EQ(PlanText(picture, plan), PlanText(picture, MakeLoadAwarePlan(picture, settings)));
    EXPECT_LE(plan.imbalance_after, plan.imbalance_before);
    if (!settings.by_table && picture.servers.size() > 1 && !picture.regions.empty()) {
      // Without the moves' cost, the placement alone is no worse either.
      EXPECT_NEAR(plan.imbalance_before, ImbalanceOf(picture, settings), 1e-9);
      EXPECT_LE(ImbalanceOf(After(picture, plan), settings), plan.imbalance_after + 1e-9);
    }
    std::set<RegionIndex> moved;
    for (const RegionMove& move : plan.moves) {
      EXPECT_TRUE(moved.insert(move.region).second);
      EXPECT_TRUE(picture.regions[move.region].movable);
      EXPECT_EQ(move.from, picture.regions[move.region].server);
      EXPECT_NE(move.from, move.to);
      EXPECT_LT(move.to, static_cast<ServerIndex>(picture.servers.size()));
      EXPECT_FALSE(move.reason.empty());
    }
  }
}

}  // namespace
}  // namespace vaquita::balancer
