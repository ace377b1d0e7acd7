#include "server/master/assignment/state_machine/region_placement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace vaquita {
namespace {

using ::testing::ElementsAre;

TEST(RegionPlacementTest, RegionsGoBackAndNewOnesGoRound) {
  const std::vector<std::string> servers = {"a,1,20", "b,1,20", "c,1,20"};
  const std::vector<std::string> places = RetainingPlacement()({"b,1,10", "", "a,1,10", "", ""}, servers);
  ASSERT_EQ(places.size(), 5u);
  EXPECT_EQ(places[0], "b,1,20");
  EXPECT_EQ(places[2], "a,1,20");
  std::vector<std::string> of_new = {places[1], places[3], places[4]};
  std::sort(of_new.begin(), of_new.end());
  EXPECT_THAT(of_new, ElementsAre("a,1,20", "b,1,20", "c,1,20"));
}

TEST(RegionPlacementTest, RegionsOfALostServerGoSomewhere) {
  EXPECT_THAT(RetainingPlacement()({"gone,1,10"}, {"a,1,20"}), ElementsAre("a,1,20"));
}

}  // namespace
}  // namespace vaquita
