#include "server/master/balancer/simple_plan.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "server/master/balancer/testing/mock_cluster.h"

namespace vaquita::balancer {
namespace {

constexpr SimplePlanSettings kStrict = {.slop = 0, .overall_slop = 0};
constexpr SimplePlanSettings kByTable = {.by_table = true, .slop = 0, .overall_slop = 0};

std::vector<int32_t> TableCounts(const ClusterPicture& picture, TableIndex table) {
  std::vector<int32_t> counts(picture.servers.size());
  for (const PicturedRegion& region : picture.regions) counts[region.server] += region.table == table ? 1 : 0;
  return counts;
}

// No plan can do with fewer moves.
int32_t FewestMoves(const std::vector<int32_t>& counts) {
  const int32_t total = std::accumulate(counts.begin(), counts.end(), 0);
  const auto servers = static_cast<int32_t>(counts.size());
  const int32_t least = total / servers;
  const int32_t most = total % servers == 0 ? least : least + 1;
  int32_t over = 0;
  int32_t under = 0;
  for (const int32_t count : counts) {
    over += std::max(0, count - most);
    under += std::max(0, least - count);
  }
  return std::max(over, under);
}

void ExpectLevel(const std::vector<int32_t>& counts) {
  const auto [least, most] = std::minmax_element(counts.begin(), counts.end());
  EXPECT_LE(*most - *least, 1) << ::testing::PrintToString(counts);
}

// Checks rules that hold for each plan.
void ExpectSound(const ClusterPicture& picture, const BalancePlan& plan) {
  std::set<RegionIndex> moved;
  for (const RegionMove& move : plan.moves) {
    EXPECT_TRUE(moved.insert(move.region).second) << "moved twice";
    EXPECT_EQ(move.from, picture.regions[move.region].server);
    EXPECT_NE(move.from, move.to);
    EXPECT_TRUE(move.to >= 0 && move.to < static_cast<ServerIndex>(picture.servers.size()));
    EXPECT_TRUE(picture.regions[move.region].movable);
    EXPECT_FALSE(move.reason.empty());
  }
}

TEST(SimplePlan, SeventeenFourAndTwentyNineRegionsTakeTwelveMoves) {
  const ClusterPicture picture = MockCluster({17, 4, 29});
  const BalancePlan plan = MakeSimplePlan(picture, {});
  std::string lines;
  for (const RegionMove& move : plan.moves) {
    lines += picture.regions[move.region].info.start_key + " from " + picture.servers[move.from] + " to " +
             picture.servers[move.to] + ": " + move.reason + "\n";
  }
  // The twelve newest of the largest server.
  std::string expected;
  for (int row = 38; row < 50; ++row) {
    expected += absl::StrFormat(
        "row%07d from server002,16020,1 to server001,16020,1: source has 29 regions (most: 17), target 4 (least: 16)\n",
        row);
  }
  EXPECT_EQ(lines, expected);
  EXPECT_EQ(RegionCountsAfter(picture, plan), (std::vector<int32_t>{17, 16, 17}));
}

TEST(SimplePlan, TextHasTheVerdictEachMoveAndTheCounts) {
  const ClusterPicture picture = MockCluster({3, 0});
  EXPECT_EQ(PlanText(picture, MakeSimplePlan(picture, {})),
            "The cluster is not balanced: a server has no region, another 3\n"
            "move table00,row0000002,1700000000002." +
                picture.regions[2].info.EncodedName() +
                ". from server000,16020,1 to server001,16020,1: source has 3 regions (most: 2), target 0 (least: 1)\n"
                "server000,16020,1: 3 regions, then 2\n"
                "server001,16020,1: 0 regions, then 1\n"
                "1 move\n");
}

TEST(SimplePlan, LevelsHBasesClustersWithTheFewestMoves) {
  for (const std::vector<int>& counts : HBaseClusters()) {
    SCOPED_TRACE(::testing::PrintToString(counts));
    const ClusterPicture picture = MockCluster(counts);
    const BalancePlan plan = MakeSimplePlan(picture, kStrict);
    ExpectSound(picture, plan);
    ExpectLevel(RegionCountsAfter(picture, plan));
    EXPECT_EQ(plan.moves.size(), FewestMoves(counts));
    EXPECT_TRUE(MakeSimplePlan(After(picture, plan), kStrict).moves.empty());
  }
}

TEST(SimplePlan, LevelsEachTableAndThenAllTables) {
  for (const std::vector<int>& counts : HBaseClusters()) {
    SCOPED_TRACE(::testing::PrintToString(counts));
    const ClusterPicture picture = MockCluster(counts, /*tables=*/30);
    const BalancePlan plan = MakeSimplePlan(picture, kByTable);
    ExpectSound(picture, plan);
    const ClusterPicture after = After(picture, plan);
    for (TableIndex table = 0; table < static_cast<TableIndex>(picture.tables.size()); ++table) {
      ExpectLevel(TableCounts(after, table));
    }
    ExpectLevel(RegionCounts(after));
  }
}

// TestSimpleLoadBalancer.testBalanceClusterOverallStrictly: two moves do it, where HBase takes three.
TEST(SimplePlan, TiesWithinATableGoByTheTotals) {
  const int table1[] = {3, 3, 4, 4, 4, 4, 5, 5, 5};
  const int table2[] = {2, 2, 2, 2, 2, 2, 2, 2, 1};
  std::vector<PlacedRegion> regions;
  for (size_t server = 0; server < 9; ++server) {
    for (int i = 0; i < table1[server]; ++i) regions.push_back(MockRegion(regions.size(), "table1", server));
    for (int i = 0; i < table2[server]; ++i) regions.push_back(MockRegion(regions.size(), "table2", server));
  }
  const ClusterPicture picture = TakePicture(MockServers(9), regions);
  const BalancePlan plan = MakeSimplePlan(picture, kByTable);
  EXPECT_EQ(plan.moves.size(), 2u);
  EXPECT_THAT(RegionCountsAfter(picture, plan), ::testing::Each(6));
}

// TestSimpleLoadBalancer.testImpactOfBalanceClusterOverall: each table is level, and yet one server is empty.
TEST(SimplePlan, ServersThatAreIdleInAllTablesGetRegions) {
  std::vector<PlacedRegion> regions;
  for (size_t server = 0; server < 5; ++server) {
    for (int table = 0; table < 5; ++table) {
      regions.push_back(MockRegion(regions.size(), absl::StrFormat("table%d", table), server));
    }
  }
  const ClusterPicture picture = TakePicture(MockServers(6), regions);
  const BalancePlan plan = MakeSimplePlan(picture, kByTable);
  EXPECT_EQ(plan.moves.size(), 4u);
  EXPECT_THAT(RegionCountsAfter(picture, plan), ::testing::UnorderedElementsAre(4, 4, 4, 4, 4, 5));
  EXPECT_EQ(plan.moves[0].reason, "source has 5 regions of all tables, target 0; of table table0 1 and 0");
}

TEST(SimplePlan, LeavesAClusterWithinTheSlopAlone) {
  EXPECT_TRUE(MakeSimplePlan(MockCluster({10, 8, 12}), {}).moves.empty());  // 10 give or take 2
  EXPECT_EQ(MakeSimplePlan(MockCluster({10, 7, 13}), {}).moves.size(), 3u);
  EXPECT_TRUE(MakeSimplePlan(MockCluster({10, 1, 19}), {.slop = -1}).moves.empty());
  EXPECT_EQ(MakeSimplePlan(MockCluster({2, 0}), {.slop = 100}).moves.size(), 1u);  // an idle server does not wait
}

TEST(SimplePlan, WhatMayNotMoveStaysAndCounts) {
  std::vector<PlacedRegion> regions;
  for (size_t i = 0; i < 10; ++i) {
    regions.push_back(MockRegion(i, "t", 0));
    regions.back().movable = i < 3;
  }
  const ClusterPicture picture = TakePicture(MockServers(2), regions);
  const BalancePlan plan = MakeSimplePlan(picture, kStrict);
  ExpectSound(picture, plan);
  EXPECT_EQ(RegionCountsAfter(picture, plan), (std::vector<int32_t>{7, 3}));
}

TEST(SimplePlan, RegionsOfServersThatAreNotThereAreNotSeen) {
  std::vector<PlacedRegion> regions;
  for (size_t i = 0; i < 9; ++i) regions.push_back(MockRegion(i, "t", i % 3));
  const ClusterPicture picture = TakePicture(MockServers(2), regions);
  EXPECT_EQ(picture.regions.size(), 6u);
  EXPECT_TRUE(MakeSimplePlan(picture, kStrict).moves.empty());
}

TEST(SimplePlan, HoldsForRandomClusters) {
  Dice dice(20);
  for (int round = 0; round < 500; ++round) {
    SCOPED_TRACE(round);
    const ClusterPicture picture = RandomCluster(&dice, /*all_movable=*/round % 2 == 0);
    const std::vector<int32_t> counts = RegionCounts(picture);
    const BalancePlan plan = MakeSimplePlan(picture, kStrict);
    ExpectSound(picture, plan);
    if (round % 2 == 0) {
      ExpectLevel(RegionCountsAfter(picture, plan));
      EXPECT_EQ(plan.moves.size(), FewestMoves(counts));
    }
    EXPECT_EQ(PlanText(picture, plan), PlanText(picture, MakeSimplePlan(picture, kStrict)));
    const BalancePlan by_table = MakeSimplePlan(picture, kByTable);
    ExpectSound(picture, by_table);
    for (TableIndex table = 0; round % 2 == 0 && table < static_cast<TableIndex>(picture.tables.size()); ++table) {
      ExpectLevel(TableCounts(After(picture, by_table), table));
    }
  }
}

}  // namespace
}  // namespace vaquita::balancer
