#include "server/master/cluster_balancer.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <thread>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "server/master/balancer/testing/mock_cluster.h"

namespace vaquita {
namespace {

using balancer::MockServer;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Servers in memory: a move is one at once, and takes 10 ms.
class FakeCluster : public ClusterBalancer::Cluster {
 public:
  FakeCluster(const std::vector<int>& counts, ManualClock* clock) : clock_(clock), servers_(counts.size()) {
    for (size_t server = 0; server < counts.size(); ++server) {
      for (int i = 0; i < counts[server]; ++i) regions_.push_back(balancer::MockRegion(regions_.size(), "t", server));
    }
    reads_.resize(regions_.size());
  }

  balancer::BalancerConditions Conditions() const override { return conditions; }
  std::vector<balancer::PlacedRegion> Regions() const override { return regions_; }
  std::vector<ServerMetrics> Reports() const override {
    std::vector<ServerMetrics> servers(servers_);
    for (size_t i = 0; i < servers_; ++i) servers[i].server_name = MockServer(i);
    for (size_t i = 0; i < regions_.size(); ++i) {
      RegionMetrics region{.info = regions_[i].info, .read_requests = reads_[i]};
      servers[std::stoi(regions_[i].server.substr(6, 3))].regions.push_back(std::move(region));
    }
    return servers;
  }
  absl::Status Move(const std::string& region, const std::string& server, std::optional<int64_t> at_most_ms) override {
    if (during_move) during_move();
    times_left.push_back(at_most_ms);
    clock_->Advance(10);
    if (moves++ == fails_at) return absl::UnavailableError("gone");
    for (balancer::PlacedRegion& placed : regions_) {
      if (placed.info.EncodedName() == region) placed.server = server;
    }
    return absl::OkStatus();
  }

  // A minute goes by, in which region i is read `reads[i]` times a second.
  void Minute(const std::vector<int64_t>& reads) {
    clock_->Advance(60'000);
    for (size_t i = 0; i < reads.size(); ++i) reads_[i] += 60 * reads[i];
  }
  std::vector<int64_t> ReadsOfServers(const std::vector<int64_t>& reads) const {
    std::vector<int64_t> sums(servers_);
    for (size_t i = 0; i < reads.size(); ++i) sums[std::stoi(regions_[i].server.substr(6, 3))] += reads[i];
    return sums;
  }
  std::vector<int> Counts() const {
    std::vector<int> counts(servers_);
    for (const auto& region : regions_) ++counts[std::stoi(region.server.substr(6, 3))];
    return counts;
  }

  balancer::BalancerConditions conditions;
  int moves = 0;
  int fails_at = -1;
  std::vector<std::optional<int64_t>> times_left;  // one for each move
  std::function<void()> during_move;

 private:
  ManualClock* const clock_;
  const size_t servers_;
  std::vector<balancer::PlacedRegion> regions_;
  std::vector<int64_t> reads_;
};

class ClusterBalancerTest : public ::testing::Test {
 protected:
  ManualClock clock_{1'000'000};
  Options options_;
};

TEST_F(ClusterBalancerTest, MakesTheMovesOfThePlan) {
  options_.balancer_class = "SimpleLoadBalancer";
  FakeCluster cluster({17, 4, 29}, &clock_);
  ClusterBalancer balancer(&cluster, &options_, &clock_);
  const auto answer = balancer.Run({});
  ASSERT_TRUE(answer.ok());
  EXPECT_TRUE(answer->ran);
  EXPECT_EQ(answer->moves_calculated, 12);
  EXPECT_EQ(answer->moves_executed, 12);
  EXPECT_EQ(cluster.Counts(), (std::vector<int>{17, 16, 17}));
}

TEST_F(ClusterBalancerTest, ADryRunSaysWhyAndMovesNothingEvenWhenTheBalancerIsOff) {
  FakeCluster cluster({17, 4, 29}, &clock_);
  cluster.conditions.switched_on = false;
  ClusterBalancer balancer(&cluster, &options_, &clock_);
  const auto answer = balancer.Run({.dry_run = true});
  EXPECT_TRUE(answer->ran);
  EXPECT_GE(answer->moves_calculated, 12);
  EXPECT_EQ(answer->moves_executed, 0);
  EXPECT_EQ(cluster.moves, 0);
  EXPECT_THAT(answer->text, HasSubstr("source has 29 regions, target 4, average 16.7"));

  const auto off = balancer.Run({});
  EXPECT_FALSE(off->ran);
  EXPECT_EQ(off->text, "Not running balancer because it is switched off");
}

TEST_F(ClusterBalancerTest, RemembersItsLastRuns) {
  options_.most_balancer_decisions = 2;
  FakeCluster cluster({17, 4, 29}, &clock_);
  ClusterBalancer balancer(&cluster, &options_, &clock_);
  for (int run = 0; run < 3; ++run) ASSERT_TRUE(balancer.Run({.dry_run = true}).ok());
  const std::vector<BalancerDecision> decisions = balancer.Decisions(10);
  ASSERT_EQ(decisions.size(), 2u) << "no more are kept";
  EXPECT_EQ(balancer.Decisions(1).size(), 1u);
  EXPECT_GE(decisions[0].moves.size(), 12u);
  EXPECT_THAT(decisions[0].moves[0], HasSubstr(" , destination: "));
  EXPECT_THAT(decisions[0].costs_before, HasSubstr("RegionCountSkewCostFunction : "));
  EXPECT_LT(decisions[0].cost_after, decisions[0].cost_before);
  EXPECT_GT(decisions[0].steps, 0);
  EXPECT_TRUE(balancer.Rejections(10).empty());

  ASSERT_TRUE(balancer.Run({}).ok());
  ASSERT_TRUE(balancer.Run({}).ok());
  const std::vector<BalancerRejection> rejections = balancer.Rejections(10);
  ASSERT_EQ(rejections.size(), 1u);
  EXPECT_THAT(rejections[0].reason, HasSubstr("(cost1*multiplier1)"));
  EXPECT_EQ(rejections[0].costs.size(), 7u);
}

TEST_F(ClusterBalancerTest, RemembersNoRunsIfItIsToldSo) {
  options_.keep_balancer_decisions = false;
  options_.keep_balancer_rejections = false;
  FakeCluster cluster({17, 4, 29}, &clock_);
  ClusterBalancer balancer(&cluster, &options_, &clock_);
  for (int run = 0; run < 2; ++run) ASSERT_TRUE(balancer.Run({}).ok());
  EXPECT_TRUE(balancer.Decisions(10).empty());
  EXPECT_TRUE(balancer.Rejections(10).empty());
}

TEST_F(ClusterBalancerTest, DoesNotRunWhileServersAreRecovered) {
  FakeCluster cluster({5, 0}, &clock_);
  cluster.conditions.dead_servers = {"h,1,2"};
  ClusterBalancer balancer(&cluster, &options_, &clock_);
  EXPECT_FALSE(balancer.Run({})->ran);
  EXPECT_EQ(cluster.moves, 0);
}

TEST_F(ClusterBalancerTest, OneServerHasNothingToMove) {
  FakeCluster cluster({5}, &clock_);
  ClusterBalancer balancer(&cluster, &options_, &clock_);
  const auto answer = balancer.Run({});
  EXPECT_TRUE(answer->ran);
  EXPECT_EQ(answer->moves_calculated, 0);
}

TEST_F(ClusterBalancerTest, AMoveThatFailsIsLeftToTheNextRun) {
  options_.balancer_class = "SimpleLoadBalancer";
  FakeCluster cluster({10, 0}, &clock_);
  cluster.fails_at = 2;
  ClusterBalancer balancer(&cluster, &options_, &clock_);
  EXPECT_EQ(balancer.Run({})->moves_executed, 4);
  EXPECT_EQ(cluster.Counts(), (std::vector<int>{6, 4}));
}

TEST_F(ClusterBalancerTest, StopsWhenItsTimeIsOver) {
  options_.balancer_class = "SimpleLoadBalancer";
  options_.max_balancing_ms = 25;
  FakeCluster cluster({20, 0}, &clock_);
  ClusterBalancer balancer(&cluster, &options_, &clock_);
  const auto answer = balancer.Run({});
  EXPECT_EQ(answer->moves_calculated, 10);
  EXPECT_EQ(answer->moves_executed, 3);  // the third began within 25 ms
  EXPECT_THAT(cluster.times_left, ElementsAre(25, 15, 5)) << "no move waits longer";
}

TEST_F(ClusterBalancerTest, ARunDoesNotWaitForAnother) {
  options_.balancer_class = "SimpleLoadBalancer";
  FakeCluster cluster({10, 0}, &clock_);
  ClusterBalancer balancer(&cluster, &options_, &clock_);
  BalanceAnswer other;
  cluster.during_move = [&] { std::thread([&] { other = *balancer.Run({}); }).join(); };
  EXPECT_EQ(balancer.Run({})->moves_executed, 5);
  EXPECT_FALSE(other.ran);
  EXPECT_EQ(other.text, "Not running balancer because another run is under way");
}

TEST_F(ClusterBalancerTest, AStoppedOneMovesNothing) {
  FakeCluster cluster({20, 0}, &clock_);
  ClusterBalancer balancer(&cluster, &options_, &clock_);
  balancer.Stop();
  EXPECT_EQ(balancer.Run({})->moves_executed, 0);
}

TEST_F(ClusterBalancerTest, ABalancersClassThatThereIsNoneOfIsAnError) {
  options_.balancer_class = "com.example.Mine";
  FakeCluster cluster({20, 0}, &clock_);
  EXPECT_FALSE(ClusterBalancer(&cluster, &options_, &clock_).Run({}).ok());
}

TEST_F(ClusterBalancerTest, RunsByItselfOnceAPeriod) {
  options_.balancer_period_ms = 5 * ClusterBalancer::kObservePeriodMs;
  FakeCluster cluster({20, 0}, &clock_);
  ClusterBalancer balancer(&cluster, &options_, &clock_);
  EXPECT_EQ(balancer.TickPeriod().count(), ClusterBalancer::kObservePeriodMs);
  for (int tick = 0; tick < 4; ++tick) balancer.Tick();
  EXPECT_EQ(cluster.moves, 0);
  balancer.Tick();
  EXPECT_EQ(cluster.moves, 10);
}

// Three servers with ten regions each; four regions of the first are read most.
TEST_F(ClusterBalancerTest, SpreadsWhatIsReadMost) {
  FakeCluster cluster({10, 10, 10}, &clock_);
  ClusterBalancer balancer(&cluster, &options_, &clock_);
  std::vector<int64_t> reads(30, 10);
  for (int i = 0; i < 4; ++i) reads[i] = 2'000;
  balancer.Observe();
  EXPECT_EQ(balancer.Run({})->moves_calculated, 0);  // counters say nothing before they grow
  for (int minute = 0; minute < 3; ++minute) {
    cluster.Minute(reads);
    balancer.Observe();
  }
  const auto answer = balancer.Run({});
  EXPECT_THAT(answer->text, HasSubstr("server000,16020,1 takes 8060 read requests/s, the average server 2753"));
  EXPECT_EQ(answer->moves_executed, answer->moves_calculated);
  EXPECT_THAT(cluster.Counts(), Each(10));
  std::vector<int64_t> after = cluster.ReadsOfServers(reads);
  EXPECT_LT(*std::max_element(after.begin(), after.end()), 4'200);  // of 8,280 in all, two hot regions at most
}

TEST_F(ClusterBalancerTest, LoadsOfATimeFromWhichTheClockWasSetBackAreForgotten) {
  FakeCluster cluster({10, 10, 10}, &clock_);
  ClusterBalancer balancer(&cluster, &options_, &clock_);
  clock_.Advance(1'000'000'000);
  balancer.Observe();
  clock_.Advance(-1'000'000'000);
  std::vector<int64_t> reads(30, 10);
  for (int i = 0; i < 4; ++i) reads[i] = 2'000;
  for (int minute = 0; minute < 3; ++minute) {
    cluster.Minute(reads);
    balancer.Observe();
  }
  EXPECT_THAT(balancer.Run({.dry_run = true})->text, HasSubstr("server000,16020,1 takes 8060 read requests/s"));
}

}  // namespace
}  // namespace vaquita
