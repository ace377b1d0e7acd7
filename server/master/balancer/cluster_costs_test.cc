#include "server/master/balancer/cluster_costs.h"

#include <algorithm>

#include "gtest/gtest.h"
#include "server/master/balancer/testing/mock_cluster.h"

namespace vaquita::balancer {
namespace {

ClusterCosts CostsOf(const ClusterPicture& picture, const LoadAwareSettings& settings = {}) {
  return {picture, 0, static_cast<RegionIndex>(picture.regions.size()), settings};
}

double RegionCountCost(const std::vector<int>& counts) { return CostsOf(MockCluster(counts)).costs()[kRegionCount]; }

double SkewOf(double total, const std::vector<double>& amounts) {
  const Skew skew(total, static_cast<double>(amounts.size()));
  return skew.Scaled(skew.SumOfSquares(amounts));
}

// The figures of HBase's TestDoubleArrayCost.
TEST(Skew, IsNothingIfEvenAndOneIfAllIsOnOne) {
  EXPECT_NEAR(SkewOf(1000, std::vector<double>(100, 10)), 0, 0.01);
  std::vector<double> on_one(101, 0);
  on_one.back() = 100;
  EXPECT_NEAR(SkewOf(100, on_one), 1, 0.01);
  std::vector<double> on_half(200, 0);
  std::fill(on_half.begin() + 100, on_half.end(), 100);
  EXPECT_NEAR(SkewOf(10'000, on_half), 0.0708, 0.0001);
}

// TestStochasticLoadBalancer.testSkewCost.
TEST(ClusterCosts, RegionsThatCannotLieMoreEvenlyCostNothing) {
  EXPECT_EQ(RegionCountCost({0, 0, 0, 0, 1}), 0);
  EXPECT_EQ(RegionCountCost({0, 0, 0, 1, 1}), 0);
  EXPECT_EQ(RegionCountCost({0, 1, 1, 1, 1}), 0);
  EXPECT_EQ(RegionCountCost({1, 1, 1, 1, 1}), 0);
  EXPECT_NEAR(RegionCountCost({10000, 0, 0, 0, 0}), 1, 0.01);
  for (const std::vector<int>& counts : HBaseClusters()) {
    EXPECT_GE(RegionCountCost(counts), 0);
    EXPECT_LE(RegionCountCost(counts), 1);
  }
}

// TestStochasticLoadBalancer.testMoveCost: a share of the regions, or of 600 if there are more; 1,000,000 above that.
TEST(ClusterCosts, MovesCostTheirShareOfTheMostThatMayBeMade) {
  const auto cost_of = [](int regions, int moves, double percent) {
    const ClusterPicture picture = MockCluster({regions, 0});
    ClusterCosts costs = CostsOf(picture, {.max_move_percent = percent});
    for (int i = 0; i < moves; ++i) costs.Apply({.region = i, .to = 1});
    return costs.costs()[kMoves];
  };
  EXPECT_DOUBLE_EQ(cost_of(200, 10, 1.0), 0.05);
  EXPECT_DOUBLE_EQ(cost_of(200, 200, 1.0), 1.0);
  EXPECT_DOUBLE_EQ(cost_of(10'000, 250, 1.0), 0.025);
  EXPECT_DOUBLE_EQ(cost_of(10'000, 600, 0.01), 1.0);
  EXPECT_DOUBLE_EQ(cost_of(10'000, 601, 0.01), 1'000'000);
}

TEST(ClusterCosts, AMoveBackIsNoMove) {
  const ClusterPicture picture = MockCluster({3, 3, 3});
  ClusterCosts costs = CostsOf(picture);
  costs.Apply({.region = 0, .to = 1});
  costs.Apply({.region = 0, .to = 2});
  EXPECT_GT(costs.costs()[kMoves], 0);
  costs.Apply({.region = 0, .to = 0});
  EXPECT_EQ(costs.costs()[kMoves], 0);
  costs.Apply({.region = 0, .to = 1, .back = 3});
  EXPECT_NEAR(costs.costs()[kMoves], 2 / 9.0, 1e-12);
}

TEST(ClusterCosts, TheSumOfWeightsIncludesLocality) {
  // One region too many on a server: 500 * cost / (500 + 35 + 7 + 4 * 5 + 25 + 15).
  const ClusterPicture picture = MockCluster({3, 1});
  const ClusterCosts costs = CostsOf(picture);
  const double expected = (500 * costs.costs()[kRegionCount] + 35 * costs.costs()[kTableSkew]) / 602;
  EXPECT_NEAR(costs.Imbalance(costs.costs()), expected, 1e-12);
}

// Costs that are kept change by change are those of a cluster that was always so.
TEST(ClusterCosts, AreThoseOfACalculationFromTheStart) {
  Dice dice(3);
  for (int round = 0; round < 100; ++round) {
    ClusterPicture picture = RandomCluster(&dice, /*all_movable=*/false);
    ClusterPicture now = picture;
    ClusterCosts costs = CostsOf(picture);
    int64_t moved = 0;
    for (int step = 0; step < 200 && costs.server_count() > 1; ++step) {
      const auto from = static_cast<ServerIndex>(dice.Below(costs.server_count()));
      const auto to = static_cast<ServerIndex>(dice.Below(costs.server_count()));
      if (from == to || costs.movable(from).empty()) continue;
      Change change = {.region = costs.movable(from)[dice.Below(costs.movable(from).size())], .to = to};
      if (!costs.movable(to).empty() && dice.Coin()) {
        change.back = costs.movable(to)[dice.Below(costs.movable(to).size())];
      }
      const Costs foretold = costs.CostsAfter(change);
      costs.Apply(change);
      EXPECT_EQ(foretold, costs.costs());
      now.regions[change.region].server = to;
      if (change.back != kNone) now.regions[change.back].server = from;
    }
    for (size_t i = 0; i < picture.regions.size(); ++i) {
      moved += picture.regions[i].server != now.regions[i].server ? 1 : 0;
    }
    const ClusterCosts fresh = CostsOf(now);
    for (int kind = 0; kind < kMoves; ++kind) EXPECT_NEAR(costs.costs()[kind], fresh.costs()[kind], 1e-9) << kind;
    const double regions = std::max<double>(1, static_cast<double>(picture.regions.size()));
    EXPECT_NEAR(costs.costs()[kMoves], static_cast<double>(moved) / regions, 1e-12);
  }
}

}  // namespace
}  // namespace vaquita::balancer
