#include "server/master/assignment/state_machine/region_placement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace vaquita {
namespace {

using ::testing::ElementsAre;

TEST(RegionPlacementTest, RegionsGoBackAndNewOnesGoRound) {
  const std::vector<std::string> servers = {"a,1,20", "b,1,20", "c,1,20"};
  std::vector<assignment::RegionToPlace> regions = {
      {.info = nullptr, .last = "b,1,10"}, {}, {.info = nullptr, .last = "a,1,10"}, {}, {}};
  const std::vector<std::string> places = RetainingPlacement()(regions, servers);
  ASSERT_EQ(places.size(), 5u);
  EXPECT_EQ(places[0], "b,1,20");
  EXPECT_EQ(places[2], "a,1,20");
  std::vector<std::string> of_new = {places[1], places[3], places[4]};
  std::sort(of_new.begin(), of_new.end());
  EXPECT_THAT(of_new, ElementsAre("a,1,20", "b,1,20", "c,1,20"));
}

TEST(RegionPlacementTest, RegionsOfALostServerGoSomewhere) {
  const std::vector<assignment::RegionToPlace> regions = {{.info = nullptr, .last = "gone,1,10"}};
  EXPECT_THAT(RetainingPlacement()(regions, {"a,1,20"}), ElementsAre("a,1,20"));
}

}  // namespace
}  // namespace vaquita
