#include "server/master/balancer/initial_assignment.h"

#include <algorithm>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "server/master/balancer/dice.h"

namespace vaquita::balancer {
namespace {

using ::testing::Each;

std::vector<int32_t> Counts(const std::vector<ServerIndex>& assigned, size_t servers) {
  std::vector<int32_t> counts(servers);
  for (const ServerIndex server : assigned) ++counts.at(server);
  return counts;
}

// The numbers of regions and servers of HBase's TestBaseLoadBalancer.testBulkAssignment.
TEST(InitialAssignment, RoundRobinGivesEachAsManyGiveOrTakeOne) {
  const std::pair<size_t, size_t> cases[] = {{0, 1}, {1, 1}, {2, 1},  {10, 1}, {1, 2},   {2, 2},   {3, 2},   {1, 3},
                                             {2, 3}, {3, 3}, {25, 3}, {2, 10}, {2, 100}, {12, 10}, {12, 100}};
  for (const auto& [regions, servers] : cases) {
    const std::vector<int32_t> counts = Counts(AssignRoundRobin(regions, servers, /*seed=*/regions), servers);
    for (const int32_t count : counts) {
      EXPECT_GE(count, static_cast<int32_t>(regions / servers));
      EXPECT_LE(count, static_cast<int32_t>((regions + servers - 1) / servers));
    }
  }
}

TEST(InitialAssignment, RoundRobinSpreadsNeighboursAndDoesNotAlwaysBeginWithTheSameServer) {
  EXPECT_NE(AssignRoundRobin(4, 3, 1)[0], AssignRoundRobin(4, 3, 1)[1]);
  std::vector<int32_t> first(3);
  for (uint64_t seed = 0; seed < 100; ++seed) ++first[AssignRoundRobin(1, 3, seed)[0]];
  EXPECT_GT(*std::min_element(first.begin(), first.end()), 10);
}

TEST(InitialAssignment, WithoutServersRegionsGoNowhere) {
  EXPECT_THAT(AssignRoundRobin(2, 0, 1), Each(kNone));
  EXPECT_THAT(AssignRetained({{"a", 1, 1}, {"b", 1, 1}}, {}, 1), Each(kNone));
}

// TestBaseLoadBalancer.testRetainAssignment: ten servers that come back with other start codes.
class RetainedAssignmentTest : public ::testing::Test {
 protected:
  void SetUp() override {
    for (int i = 0; i < 10; ++i) servers_.push_back({"host" + std::to_string(i), 16020, 2000});
    for (int i = 0; i < 100; ++i) was_.push_back({"host" + std::to_string(i % 10), 16020, 1000});
  }
  void ExpectAllRetained() const {
    const std::vector<ServerIndex> assigned = AssignRetained(was_, servers_, 1);
    for (int i = 0; i < 100; ++i) EXPECT_EQ(assigned[i], i % 10);
  }

  std::vector<ServerName> servers_;
  std::vector<ServerName> was_;
};

TEST_F(RetainedAssignmentTest, RegionsGoWhereTheyWere) { ExpectAllRetained(); }

TEST_F(RetainedAssignmentTest, NewServersGetNothing) {
  servers_.push_back({"new1", 16020, 2000});
  servers_.push_back({"new2", 16020, 2000});
  ExpectAllRetained();
}

TEST_F(RetainedAssignmentTest, RegionsOfServersThatAreGoneGoToOthers) {
  servers_.erase(servers_.begin(), servers_.begin() + 2);
  const std::vector<ServerIndex> assigned = AssignRetained(was_, servers_, 1);
  for (int i = 0; i < 100; ++i) {
    EXPECT_TRUE(assigned[i] >= 0 && assigned[i] < 8);
    if (i % 10 >= 2) {
      EXPECT_EQ(assigned[i], i % 10 - 2);
    }
  }
}

TEST_F(RetainedAssignmentTest, OfSeveralOnAHostThePortDecides) {
  servers_ = {{"h", 16020, 5}, {"h", 16021, 5}, {"h", 16022, 5}};
  const std::vector<ServerIndex> assigned =
      AssignRetained({{"H", 16021, 1}, {"h", 16022, 5}, {"h", 16099, 1}}, servers_, 1);
  EXPECT_EQ(assigned[0], 1);
  EXPECT_EQ(assigned[1], 2);
  // A host that is there under another port keeps its regions, if it has one server.
  EXPECT_EQ(AssignRetained({{"h", 16099, 1}}, {{"g", 1, 1}, {"h", 16020, 5}}, 1)[0], 1);
}

}  // namespace
}  // namespace vaquita::balancer
