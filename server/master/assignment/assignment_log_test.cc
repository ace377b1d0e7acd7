#include "server/master/assignment/assignment_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

namespace vaquita {
namespace {

using assignment::Outputs;
using assignment::RegionChange;
using ::testing::ElementsAre;

class AssignmentLogTest : public ::testing::Test {
 protected:
  static std::shared_ptr<const RegionInfo> Region(int64_t id) {
    return std::make_shared<RegionInfo>(RegionInfo{.table = {"ns", "t"}, .id = id});
  }
  std::vector<std::string> Change(RegionState state, const std::string& home, const std::string& target,
                                  const std::string& reason, int64_t now_ms) {
    Outputs outputs;
    outputs.changes.push_back({.info = region_, .state = state, .home = home, .target = target});
    return log_.Lines(outputs, reason, now_ms);
  }
  std::string Begin() const { return "assignment: region=" + region_->EncodedName() + " table=ns:t "; }

  const std::shared_ptr<const RegionInfo> region_ = Region(1);
  AssignmentLog log_;
};

TEST_F(AssignmentLogTest, AMovesStepsHaveItsReasonAndItsTime) {
  EXPECT_THAT(Change(RegionState::kClosing, "a,1,1", "", "move", 100),
              ElementsAre(Begin() + "state=CLOSING from=a,1,1 to=- reason=move ms=0"));
  EXPECT_THAT(Change(RegionState::kOpening, "a,1,1", "b,1,1", "close", 130),
              ElementsAre(Begin() + "state=OPENING from=a,1,1 to=b,1,1 reason=move ms=30"));
  EXPECT_THAT(Change(RegionState::kOpen, "b,1,1", "", "open", 180),
              ElementsAre(Begin() + "state=OPEN from=a,1,1 to=b,1,1 reason=move ms=80"));
  // The next step belongs to another transition.
  EXPECT_THAT(Change(RegionState::kOpening, "b,1,1", "a,1,1", "recover", 500),
              ElementsAre(Begin() + "state=OPENING from=b,1,1 to=a,1,1 reason=recover ms=0"));
}

TEST_F(AssignmentLogTest, WhatIsClosedOrCannotBeOpenedEndsThere) {
  Change(RegionState::kClosing, "a,1,1", "", "unassign", 100);
  EXPECT_THAT(Change(RegionState::kClosed, "a,1,1", "", "close", 105),
              ElementsAre(Begin() + "state=CLOSED from=a,1,1 to=- reason=unassign ms=5"));
  EXPECT_THAT(Change(RegionState::kOpening, "", "a,1,1", "assign", 110),
              ElementsAre(Begin() + "state=OPENING from=- to=a,1,1 reason=assign ms=0"));
  EXPECT_THAT(Change(RegionState::kFailedOpen, "", "", "open", 190),
              ElementsAre(Begin() + "state=FAILED_OPEN from=- to=- reason=assign ms=80"));
  EXPECT_THAT(Change(RegionState::kOpening, "", "a,1,1", "assign", 200),
              ElementsAre(Begin() + "state=OPENING from=- to=a,1,1 reason=assign ms=0"));
}

TEST_F(AssignmentLogTest, SplitsAndServersHaveLines) {
  Outputs outputs;
  const auto low = Region(2), high = Region(3);
  outputs.transitions.push_back({.split = true, .parents = {region_}, .new_regions = {low, high}, .server = "a,1,1"});
  outputs.now_dead = {"b,1,1"};
  outputs.adoptions = {{"c,1,1", "c,1,2"}};
  EXPECT_THAT(
      log_.Lines(outputs, "expired", 100),
      ElementsAre(
          "assignment: server=b,1,1 state=dead to=- reason=expired",
          Begin() + "state=SPLIT from=a,1,1 to=- reason=split ms=0",
          "assignment: region=" + low->EncodedName() + " table=ns:t state=OPEN from=- to=a,1,1 reason=split ms=0",
          "assignment: region=" + high->EncodedName() + " table=ns:t state=OPEN from=- to=a,1,1 reason=split ms=0",
          "assignment: server=c,1,1 state=adopted to=c,1,2 reason=expired"));
}

}  // namespace
}  // namespace vaquita
