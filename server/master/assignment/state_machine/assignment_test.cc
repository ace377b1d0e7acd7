// The rules of the assignment one by one; simulation_test.cc has them all at once.
#include "server/master/assignment/state_machine/assignment.h"

#include "base/status.h"
#include "gmock/gmock.h"
#include "model/table_descriptor.h"
#include "server/master/assignment/state_machine/testing/assignment_fixture.h"

namespace vaquita::assignment {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST_F(AssignmentTest, ARegionIsServedOnlyAfterMetaSaysWhere) {
  LoadRegions(1, RegionState::kOffline, "");
  Join("a,1,1");
  EXPECT_EQ(meta_[NameOf(0)], "OPENING a,1,1");
  EXPECT_THAT(Waiting(), ElementsAre("open a,1,1"));
  EXPECT_TRUE(commands_.begin()->second.regions[0].never_open);
  Answer();
  EXPECT_EQ(meta_[NameOf(0)], "OPEN a,1,1");
  EXPECT_THAT(Waiting(), ElementsAre("serve a,1,1"));
  EXPECT_FALSE(machine_->Find(NameOf(0))->serving);
  Answer();
  EXPECT_TRUE(machine_->Find(NameOf(0))->serving);
  EXPECT_THAT(machine_->InTransition(), IsEmpty());
}

TEST_F(AssignmentTest, AMoveClosesAndReleasesBeforeItOpens) {
  LoadRegions(1, RegionState::kOffline, "");
  Join("a,1,1");
  AnswerAll();
  Join("b,1,1");
  Take(machine_->Move(now_ms_, 7, {{NameOf(0), "b,1,1"}}));
  std::vector<std::string> steps;
  while (!commands_.empty()) {
    steps.push_back(meta_[NameOf(0)] + ": " + Waiting()[0]);
    Answer();
  }
  EXPECT_THAT(steps, ElementsAre("CLOSING a,1,1: close a,1,1", "OPENING b,1,1: release a,1,1",
                                 "OPENING b,1,1: open b,1,1", "OPEN b,1,1: serve b,1,1"));
  EXPECT_TRUE(finished_.at(7).ok());
}

TEST_F(AssignmentTest, ANewMasterRepeatsTheStepThatMetaIsAt) {
  const std::vector<std::pair<RegionState, std::string>> first_commands = {{RegionState::kOpen, "open a,1,1"},
                                                                           {RegionState::kClosing, "close a,1,1"},
                                                                           {RegionState::kOpening, "close a,1,1"}};
  for (const auto& [state, command] : first_commands) {
    Load({.regions = {{.info = Info(0), .state = state, .home = "a,1,1", .target = "b,1,1"}}});
    EXPECT_THAT(Waiting(), IsEmpty());
    Join("b,1,1", false);
    EXPECT_THAT(Waiting(), IsEmpty()) << "its home may still come";
    Join("a,1,1", false);
    EXPECT_THAT(Waiting(), ElementsAre(command)) << RegionStateName(state);
    AnswerAll();
    EXPECT_TRUE(machine_->Find(NameOf(0))->serving) << RegionStateName(state);
    commands_.clear();
  }
}

TEST_F(AssignmentTest, WhatWasUnassignedStaysClosedAndADisabledTableToo) {
  LoadedMeta meta;
  meta.regions.push_back({.info = Info(0), .state = RegionState::kClosed, .home = "a,1,1"});
  meta.regions.push_back({.info = Info(1), .state = RegionState::kClosed, .home = "a,1,1", .table_changing = true});
  meta.regions.push_back({.info = Info(2), .state = RegionState::kOpen, .home = "a,1,1", .table_enabled = false});
  Load(meta);
  Join("a,1,1", false);
  AnswerAll();
  EXPECT_EQ(machine_->Find(NameOf(0))->state, RegionState::kClosed);
  EXPECT_EQ(machine_->Find(NameOf(1))->state, RegionState::kOpen);
  EXPECT_EQ(machine_->Find(NameOf(2))->state, RegionState::kClosed);
}

TEST_F(AssignmentTest, CommandsAreRepeatedUntilTheyAreAnswered) {
  LoadRegions(1, RegionState::kOffline, "");
  Join("a,1,1");
  const int64_t id = commands_.begin()->first;
  commands_.clear();
  Pass(settings_.resend_ms - 1);
  EXPECT_THAT(Waiting(), IsEmpty());
  Report({.server = "a,1,1", .ready = true});
  Pass(1);
  ASSERT_THAT(Waiting(), ElementsAre("open a,1,1"));
  EXPECT_EQ(commands_.begin()->first, id) << "the same command";
  Take(machine_->Result(now_ms_, {.id = id, .answered = false}));
  commands_.clear();
  EXPECT_EQ(meta_[NameOf(0)], "OPENING a,1,1") << "it may have opened it";
  Pass(settings_.retry_ms);
  EXPECT_THAT(Waiting(), ElementsAre("open a,1,1"));
}

TEST_F(AssignmentTest, AnOpeningIsUnansweredUntilItsServerAnswersOrDies) {
  LoadRegions(2, RegionState::kOffline, "");
  EXPECT_FALSE(machine_->IsStarting("a,1,1")) << "nobody knows it";
  RegistrationDecision decision;
  Take(machine_->Register(now_ms_, {.server = "a,1,1"}, &decision));
  EXPECT_TRUE(machine_->IsStarting("a,1,1"));
  EXPECT_THAT(machine_->UnansweredOpenings({NameOf(0)}), IsEmpty());
  Report({.server = "a,1,1", .ready = true});
  EXPECT_FALSE(machine_->IsStarting("a,1,1"));
  const int64_t open = commands_.begin()->first;
  EXPECT_THAT(machine_->UnansweredOpenings({NameOf(0), NameOf(1), NameOf(7)}), ElementsAre(open));
  Take(machine_->Result(now_ms_, {.id = open, .answered = false}));
  EXPECT_TRUE(machine_->IsUnanswered(open)) << "it may still open them";
  Pass(1101);
  EXPECT_FALSE(machine_->IsUnanswered(open)) << "its server is dead";
  commands_.clear();
  Join("b,1,1");
  EXPECT_THAT(machine_->UnansweredOpenings({NameOf(1)}), SizeIs(1));
  Answer();
  EXPECT_THAT(Waiting(), ElementsAre("serve b,1,1"));
  EXPECT_THAT(machine_->UnansweredOpenings({NameOf(1)}), IsEmpty());
}

TEST_F(AssignmentTest, AnswersThatComeTwiceDoNothing) {
  LoadRegions(1, RegionState::kOffline, "");
  Join("a,1,1");
  const Command open = Answer();
  Take(machine_->Result(now_ms_, {.id = open.id, .status = absl::InternalError("late")}));
  EXPECT_EQ(meta_[NameOf(0)], "OPEN a,1,1");
  EXPECT_THAT(Waiting(), ElementsAre("serve a,1,1"));
}

TEST_F(AssignmentTest, AfterTooManyAttemptsARegionIsFailedOpen) {
  LoadRegions(1, RegionState::kOffline, "");
  Join("a,1,1");
  Join("b,1,1");
  Take(machine_->Assign(now_ms_, 1, {{NameOf(0), ""}}));
  EXPECT_EQ(Answer(absl::InternalError("no")).server, "a,1,1");
  Pass(settings_.retry_ms);
  EXPECT_EQ(Answer(absl::InternalError("no")).server, "b,1,1") << "another server";
  Pass(2 * settings_.retry_ms);
  Answer(absl::InternalError("still no"));
  EXPECT_EQ(machine_->Find(NameOf(0))->state, RegionState::kFailedOpen);
  EXPECT_EQ(finished_.at(1).message(), "still no");
  Take(machine_->Assign(now_ms_, 2, {{NameOf(0), "b,1,1"}}));
  AnswerAll();
  EXPECT_TRUE(finished_.at(2).ok());
}

// Its home may be dead, without a folder to recover, or live without anything of it.
TEST_F(AssignmentTest, ARegionWhoseDataAreNowhereIsFailedOpen) {
  settings_.max_open_attempts = INT32_MAX;
  for (const bool home_lives : {true, false}) {
    commands_.clear();
    LoadedMeta meta;
    meta.regions.push_back({.info = Info(0), .state = RegionState::kOpen, .home = "a,1,1"});
    meta.folders = {home_lives ? "a,1,1" : "b,1,1"};
    Load(meta);
    if (home_lives) Join("a,1,1", false);
    Join("b,1,1");
    int answers = 0;
    while (machine_->Find(NameOf(0))->state != RegionState::kFailedOpen) {
      ASSERT_LT(++answers, 100);
      if (commands_.empty()) {
        Pass(1000);
        for (const char* server : {"a,1,1", "b,1,1"}) {
          if (home_lives || server[0] == 'b') Report({.server = server, .ready = true});
        }
        continue;
      }
      const Command& command = commands_.begin()->second;
      if (!command.regions[0].refusal.empty()) {
        Answer(absl::DataLossError(command.regions[0].refusal));
      } else {
        Answer(command.kind == CommandKind::kClose ? absl::OkStatus() : absl::NotFoundError("nothing"));
      }
    }
    EXPECT_THAT(meta_[NameOf(0)], ::testing::AnyOf("FAILED_OPEN a,1,1", "FAILED_OPEN b,1,1"));
    EXPECT_TRUE(machine_->IsReady(machine_->Find(NameOf(0))->home)) << "who answers clients lives";
    EXPECT_THAT(machine_->InTransition(), IsEmpty()) << "nobody works at it";
    EXPECT_THAT(meta_[NameOf(0)], ::testing::StartsWith("FAILED_OPEN"));
    Pass(1000);
    EXPECT_THAT(Waiting(), IsEmpty());
    // Somebody brought the data back.
    Take(machine_->Assign(now_ms_, 1, {{NameOf(0), "b,1,1"}}));
    AnswerAll();
    EXPECT_TRUE(finished_.at(1).ok()) << finished_.at(1);
    EXPECT_TRUE(machine_->Find(NameOf(0))->serving);
  }
}

// Clients find who tells them by the home, so it has to live.
TEST_F(AssignmentTest, ADamagedRegionOfADeadServerIsToldByAnother) {
  LoadRegions(2, RegionState::kOpen, "a,1,1");
  Join("b,1,1");
  Pass(settings_.lease_ms);
  Report({.server = "b,1,1", .ready = true});
  Pass(settings_.lease_margin_ms + 1);
  ASSERT_THAT(Waiting(), ElementsAre("recover b,1,1"));
  const Command recover = commands_.begin()->second;
  commands_.clear();
  CommandResult result{.id = recover.id};
  for (const RegionOrder& order : recover.regions) {
    result.regions.push_back(order.region == NameOf(0) ? absl::DataLossError("a bad log") : absl::OkStatus());
  }
  Take(machine_->Result(now_ms_, result));
  EXPECT_EQ(meta_[NameOf(0)], "OPENING b,1,1");
  std::map<RegionName, std::string> refusals;
  for (const auto& [id, command] : commands_) {
    for (const RegionOrder& order : command.regions) refusals[order.region] = order.refusal;
  }
  EXPECT_EQ(refusals, (std::map<RegionName, std::string>{{NameOf(0), "a bad log"}, {NameOf(1), ""}}));
  const auto answer = [&] {
    while (!commands_.empty()) {
      const Command command = commands_.begin()->second;
      commands_.erase(commands_.begin());
      CommandResult opened{.id = command.id};
      for (const RegionOrder& order : command.regions) {
        opened.regions.push_back(order.refusal.empty() ? absl::OkStatus() : absl::DataLossError(order.refusal));
      }
      Take(machine_->Result(now_ms_, opened));
    }
  };
  answer();
  EXPECT_EQ(meta_[NameOf(0)], "FAILED_OPEN b,1,1");
  EXPECT_EQ(meta_[NameOf(1)], "OPEN b,1,1");
  EXPECT_THAT(machine_->InTransition(), IsEmpty());

  // That one dies, too.
  Join("c,1,1");
  Pass(settings_.lease_ms);
  Report({.server = "c,1,1", .ready = true});
  Pass(settings_.lease_margin_ms + 1);
  answer();
  EXPECT_EQ(meta_[NameOf(0)], "FAILED_OPEN c,1,1");
  EXPECT_THAT(machine_->InTransition(), IsEmpty());
}

TEST_F(AssignmentTest, AServerIsDeadWhenItsLeaseAndTheMarginAreOver) {
  LoadRegions(2, RegionState::kOpen, "a,1,1");
  Join("a,1,1", false);
  Join("b,1,1");
  AnswerAll();
  Pass(1000);
  Report({.server = "b,1,1", .ready = true});
  Pass(100);
  EXPECT_THAT(Waiting(), IsEmpty());
  EXPECT_THAT(noted_, IsEmpty());
  Pass(1);
  EXPECT_THAT(Waiting(), ElementsAre("recover b,1,1"));
  EXPECT_THAT(noted_, ElementsAre("a,1,1")) << "the next master must know";
  EXPECT_EQ(Report({.server = "a,1,1", .ready = true}), Membership::kDead);
  EXPECT_EQ(Join("a,1,1", false), Membership::kDead);
  AnswerAll();
  EXPECT_EQ(meta_[NameOf(1)], "OPEN b,1,1");
  EXPECT_EQ(Join("a,1,2"), Membership::kMember);
  EXPECT_FALSE(decision_.adopt);
  EXPECT_THAT(noted_, IsEmpty()) << "its process is over";
}

TEST_F(AssignmentTest, AServerInTheMastersProcessHasNoLease) {
  LoadRegions(1, RegionState::kOpen, "a,1,1");
  RegistrationDecision decision;
  Take(machine_->Register(now_ms_, {.server = "a,1,1", .leased = false}, &decision));
  EXPECT_TRUE(decision.adopt);
  Report({.server = "a,1,1", .ready = true});
  AnswerAll();
  Pass(1'000'000);
  EXPECT_THAT(late_, IsEmpty());
  EXPECT_EQ(machine_->Servers()[0].state, ServerView::State::kLive);
  EXPECT_FALSE(machine_->Servers()[0].leased);
  EXPECT_GT(machine_->NextWakeMs(now_ms_), now_ms_);
}

// As HBase does with a destination that is not online.
TEST_F(AssignmentTest, WithoutAnotherServerAMoveToOneThatIsNotThereOpensTheRegionAnew) {
  LoadRegions(1, RegionState::kOpen, "a,1,1");
  Join("a,1,1");
  AnswerAll();
  Take(machine_->Move(now_ms_, 7, {{NameOf(0), ""}}));
  EXPECT_TRUE(finished_.at(7).ok());
  EXPECT_THAT(Waiting(), IsEmpty());
  Take(machine_->Move(now_ms_, 8, {{NameOf(0), "b,1,1"}}));
  EXPECT_THAT(Waiting(), ElementsAre("close a,1,1"));
  AnswerAll();
  EXPECT_TRUE(finished_.at(8).ok());
  EXPECT_EQ(meta_[NameOf(0)], "OPEN a,1,1");
  Join("b,1,2");
  Take(machine_->Move(now_ms_, 9, {{NameOf(0), "b,1,1"}}));
  EXPECT_TRUE(IsError(finished_.at(9), ErrorKind::kHBaseIO)) << finished_.at(9);
}

TEST_F(AssignmentTest, ARecoveryIsRepeatedByAnotherServer) {
  LoadRegions(1, RegionState::kOpen, "a,1,1");
  Join("b,1,1");
  Join("c,1,1");
  Pass(1101);  // nobody reported
  EXPECT_THAT(Waiting(), IsEmpty());
  Join("d,1,1");
  ASSERT_THAT(Waiting(), ElementsAre("recover d,1,1"));
  Answer(absl::InternalError("disk"));
  Pass(settings_.retry_ms);
  EXPECT_THAT(Waiting(), ElementsAre("recover d,1,1"));
  commands_.clear();
  Join("e,1,1");
  Pass(1000);
  Report({.server = "e,1,1", .ready = true});
  commands_.clear();
  Pass(101);
  EXPECT_THAT(Waiting(), ElementsAre("recover e,1,1"));
}

TEST_F(AssignmentTest, AMasterThatDidNotRunHearsItsServersAgainBeforeTheyAreDead) {
  LoadRegions(2, RegionState::kOpen, "a,1,1");
  Join("a,1,1");
  Join("b,1,1");
  const int64_t end_ms = settings_.lease_ms + settings_.lease_margin_ms + 1;
  Pass(end_ms - 100);
  Report({.server = "b,1,1", .ready = true});
  Pass(100 + settings_.late_ms);
  EXPECT_THAT(late_, ElementsAre("a,1,1"));
  Report({.server = "b,1,1", .ready = true});
  Pass(end_ms - 100 - settings_.late_ms);
  EXPECT_THAT(noted_, IsEmpty());
  // It is dead after all, and noticed in time.
  Report({.server = "b,1,1", .ready = true});
  Pass(100 + settings_.late_ms);
  EXPECT_THAT(noted_, ElementsAre("a,1,1"));
  EXPECT_THAT(late_, SizeIs(1));
}

TEST_F(AssignmentTest, ALaterLifeGetsTheFolderInOneWrite) {
  LoadRegions(3, RegionState::kOpen, "a,1,1");
  Join("a,1,2");
  EXPECT_TRUE(decision_.adopt);
  EXPECT_THAT(decision_.regions, SizeIs(3));
  EXPECT_THAT(adoptions_, ElementsAre("a,1,1>a,1,2"));
  EXPECT_EQ(meta_[NameOf(2)], "OPEN a,1,2");
  EXPECT_EQ(Join("a,1,1", false), Membership::kDead);
}

TEST_F(AssignmentTest, ADeadServerIsForgottenWhenALaterLifeIsThereAndNothingIsLeftToDo) {
  LoadRegions(1, RegionState::kOpen, "a,1,1");
  Join("a,1,1", false);
  Join("b,1,1");
  AnswerAll();
  Pass(1000);
  Report({.server = "b,1,1", .ready = true});
  Pass(101);
  ASSERT_THAT(Waiting(), ElementsAre("recover b,1,1"));
  Join("a,1,2");
  EXPECT_THAT(machine_->Servers(), SizeIs(3));
  EXPECT_THAT(noted_, ElementsAre("a,1,1")) << "its recovery goes on";
  AnswerAll();
  Pass(1);
  EXPECT_THAT(noted_, IsEmpty());
  EXPECT_THAT(machine_->Servers(), SizeIs(2));
  EXPECT_EQ(Report({.server = "a,1,1", .ready = true}), Membership::kUnknown);
  EXPECT_EQ(Join("a,1,1", false), Membership::kDead);
  EXPECT_EQ(decision_.later_life, "") << "it goes on, and must not";
  Join("a,1,3");
  Pass(1);
  EXPECT_EQ(forgotten_, 1u) << "once";
}

// Its clock was set back.
TEST_F(AssignmentTest, ANewLifeWhoseStartCodeIsNotLaterTakesALaterOne) {
  LoadRegions(1, RegionState::kOpen, "a,1,200");
  Join("a,1,200", false);
  Join("b,1,1");
  AnswerAll();
  EXPECT_EQ(Join("a,1,100"), Membership::kDead);
  EXPECT_EQ(decision_.later_life, "") << "that one lives";
  Pass(1000);
  Report({.server = "b,1,1", .ready = true});
  Pass(101);
  for (const char* name : {"a,1,100", "a,1,200"}) {
    EXPECT_EQ(Join(name, false), Membership::kDead);
    EXPECT_EQ(decision_.later_life, "");
    EXPECT_EQ(Join(name), Membership::kDead);
    EXPECT_EQ(decision_.later_life, "a,1,200");
  }
  AnswerAll();
  EXPECT_EQ(meta_[NameOf(0)], "OPEN b,1,1");
  Join("a,1,100");
  EXPECT_EQ(decision_.later_life, "a,1,200");
  EXPECT_EQ(Join("a,1,201"), Membership::kMember);
}

TEST_F(AssignmentTest, AnAdoptionThatAMasterDidNotEndIsEnded) {
  LoadedMeta meta;
  meta.regions.push_back({.info = Info(0), .state = RegionState::kOpen, .home = "a,1,30"});
  meta.folders = {"a,1,4", "a,1,20", "b,1,25"};
  Load(meta);
  EXPECT_THAT(adoptions_, ElementsAre("a,1,20>a,1,30")) << "start codes are numbers";
}

// A master wrote where it had begun to make a region, and died: a later life had adopted that folder meanwhile.
TEST_F(AssignmentTest, ARegionInTheMakingWentWithItsHomesFolder) {
  LoadedMeta meta;
  meta.regions.push_back({.info = Info(0), .state = RegionState::kOpen, .home = "a,1,30"});
  meta.folders = {"a,1,20", "a,1,50", "b,1,25"};
  Load(meta);
  EXPECT_THAT(adoptions_, IsEmpty()) << "whatever an earlier life has left";
  EXPECT_EQ(meta_[NameOf(0)], "OPEN a,1,50");
}

// A server left, and its folder went with the last of its regions; the master died before they were open elsewhere.
TEST_F(AssignmentTest, AHomeWithoutAFolderHasHandedOverAll) {
  LoadedMeta meta;
  meta.regions.push_back({.info = Info(0), .state = RegionState::kOpening, .home = "a,1,30", .target = "b,1,25"});
  meta.regions.push_back({.info = Info(1), .state = RegionState::kClosed, .home = "a,1,30", .table_enabled = false});
  meta.folders = {"b,1,25"};
  Load(meta);
  Join("b,1,25", false);
  EXPECT_THAT(Waiting(), ElementsAre("open b,1,25")) << "without a recovery";
  AnswerAll();
  EXPECT_EQ(meta_[NameOf(0)], "OPEN b,1,25");
  EXPECT_EQ(Join("a,1,40"), Membership::kMember);
  EXPECT_FALSE(decision_.adopt) << "there is no folder";
  EXPECT_THAT(adoptions_, IsEmpty());
}

TEST_F(AssignmentTest, PlacementWaitsForTheServersOfMeta) {
  LoadedMeta meta;
  meta.regions.push_back({.info = Info(0), .state = RegionState::kOffline});
  meta.regions.push_back({.info = Info(1), .state = RegionState::kClosed, .home = "a,1,1"});
  Load(meta);
  Join("b,1,1");
  EXPECT_THAT(Waiting(), IsEmpty());
  EXPECT_FALSE(machine_->started());
  Join("a,1,1", false);
  EXPECT_TRUE(machine_->started());
  EXPECT_THAT(Waiting(), SizeIs(1));
}

TEST_F(AssignmentTest, LeftoversAreDroppedBeforeAServerIsTold) {
  LoadRegions(1, RegionState::kOffline, "");
  RegistrationDecision decision;
  Take(machine_->Register(now_ms_, {.server = "a,1,1", .new_life = false}, &decision));
  Report({.server = "a,1,1", .ready = true, .open_regions = {NameOf(0)}});
  EXPECT_THAT(Waiting(), ElementsAre("drop a,1,1")) << "it has it for a master that died";
  Answer();
  EXPECT_THAT(Waiting(), ElementsAre("open a,1,1"));
}

TEST_F(AssignmentTest, ATransitionEndsAsMetaSays) {
  PendingTransition pending{"x", {Info(0)}, {Info(1), Info(2)}};
  RegistrationDecision decision;
  LoadRegions(1, RegionState::kOpen, "a,1,1");
  Take(machine_->Register(now_ms_, {.server = "a,1,1", .new_life = false}, &decision));
  Report({.server = "a,1,1", .ready = true, .transitions = {pending}});
  EXPECT_THAT(Waiting(), ElementsAre("end-transition a,1,1"));
  EXPECT_FALSE(Answer().commit) << "meta has the parent";
  EXPECT_THAT(Waiting(), ElementsAre("open a,1,1")) << "its table may have been altered";
  AnswerAll();
  EXPECT_TRUE(machine_->Find(NameOf(0))->serving);

  LoadedMeta meta;
  for (int i = 1; i <= 2; ++i) {
    meta.regions.push_back({.info = Info(i), .state = RegionState::kOpen, .home = "a,1,1"});
  }
  Load(meta);
  Take(machine_->Register(now_ms_, {.server = "a,1,1", .new_life = false}, &decision));
  Report({.server = "a,1,1", .ready = true, .transitions = {pending}});
  EXPECT_TRUE(Answer().commit);
  AnswerAll();
  EXPECT_TRUE(machine_->Find(NameOf(2))->serving);
}

TEST_F(AssignmentTest, ARefusedSplitEndsWhenItsRegionIsServedAgain) {
  LoadRegions(1, RegionState::kOpen, "a,1,1");
  Join("a,1,1");
  AnswerAll();
  Take(machine_->Split(now_ms_, 7, NameOf(0), "row"));
  EXPECT_THAT(Waiting(), ElementsAre("begin-split a,1,1"));
  Answer(Error(ErrorKind::kDoNotRetryIO, "no"));
  EXPECT_FALSE(finished_.contains(7));
  AnswerAll();
  EXPECT_TRUE(IsError(finished_.at(7), ErrorKind::kDoNotRetryIO)) << finished_.at(7);
  Take(machine_->Split(now_ms_, 8, NameOf(0), "row"));
  EXPECT_THAT(Waiting(), ElementsAre("begin-split a,1,1"));
}

TEST_F(AssignmentTest, ATransitionWhoseAnswerLacksNewRegionsIsRefused) {
  LoadRegions(2, RegionState::kOpen, "a,1,1");
  Join("a,1,1");
  AnswerAll();
  Take(machine_->Split(now_ms_, 7, NameOf(0), "row"));
  EXPECT_THAT(Waiting(), ElementsAre("begin-split a,1,1"));
  AnswerAll();
  EXPECT_TRUE(absl::IsInternal(finished_.at(7))) << finished_.at(7);
  EXPECT_TRUE(machine_->Find(NameOf(0))->serving);
  Take(machine_->Merge(now_ms_, 8, {NameOf(0), NameOf(1)}, /*forcible=*/true));
  EXPECT_THAT(Waiting(), ElementsAre("begin-merge a,1,1"));
  AnswerAll();
  EXPECT_TRUE(absl::IsInternal(finished_.at(8))) << finished_.at(8);
  EXPECT_TRUE(machine_->Find(NameOf(1))->serving);
}

TEST_F(AssignmentTest, ADrainedServerLosesAllItHas) {
  LoadedMeta meta;
  meta.regions.push_back({.info = Info(0), .state = RegionState::kOpen, .home = "a,1,1"});
  meta.regions.push_back({.info = Info(1), .state = RegionState::kClosed, .home = "a,1,1"});
  Load(meta);
  Join("a,1,1", false);
  Join("b,1,1");
  AnswerAll();
  bool left = true;
  Take(machine_->Leave(now_ms_, "a,1,1", &left));
  EXPECT_FALSE(left);
  Take(machine_->SetDraining(now_ms_, "a,1,1", Draining::kAllLeave));
  AnswerAll();
  EXPECT_EQ(meta_[NameOf(0)], "OPEN b,1,1");
  Take(machine_->Leave(now_ms_, "a,1,1", &left));
  EXPECT_TRUE(left) << "the closed one is in its handoff";
  Take(machine_->Assign(now_ms_, 1, {{NameOf(1), ""}}));
  EXPECT_THAT(Waiting(), ElementsAre("open b,1,1"));
}

TEST_F(AssignmentTest, AServerThatIsClosedToNewRegionsKeepsItsOwn) {
  LoadRegions(1, RegionState::kOpen, "a,1,1");
  meta_.clear();
  Join("a,1,1", false);
  Join("b,1,1");
  AnswerAll();
  Take(machine_->SetDraining(now_ms_, "a,1,1", Draining::kNoNewRegions));
  AnswerAll();
  EXPECT_EQ(machine_->Find(NameOf(0))->server, "a,1,1");
  EXPECT_TRUE(machine_->Servers()[0].draining);
  // A region that it had and lost goes elsewhere, although it would be retained there.
  Take(machine_->Unassign(now_ms_, 1, {NameOf(0)}));
  AnswerAll();
  Take(machine_->Assign(now_ms_, 2, {{NameOf(0), ""}}));
  AnswerAll();
  EXPECT_EQ(machine_->Find(NameOf(0))->server, "b,1,1");
}

TEST_F(AssignmentTest, WhatIsClosedForAMomentIsOpenedByTheNextMaster) {
  LoadRegions(1, RegionState::kOpen, "a,1,1");
  Join("a,1,1", false);
  Join("b,1,1");
  AnswerAll();
  Take(machine_->Unassign(now_ms_, 1, {NameOf(0)}, /*for_a_moment=*/true));
  AnswerAll();
  EXPECT_TRUE(finished_.at(1).ok());
  EXPECT_EQ(meta_[NameOf(0)], "OFFLINE a,1,1");
  Take(machine_->SetDraining(now_ms_, "a,1,1", Draining::kAllLeave));
  EXPECT_THAT(Waiting(), IsEmpty()) << "its data stay where they are";

  LoadRegions(1, RegionState::kOffline, "a,1,1");
  Join("a,1,1", false);
  AnswerAll();
  EXPECT_EQ(meta_[NameOf(0)], "OPEN a,1,1");
  Take(machine_->Unassign(now_ms_, 2, {NameOf(0)}));
  AnswerAll();
  EXPECT_EQ(meta_[NameOf(0)], "CLOSED a,1,1");
}

TEST_F(AssignmentTest, ATablesRegionsAreKnownWhereverTheyAre) {
  LoadRegions(2, RegionState::kClosed, "a,1,1");
  EXPECT_THAT(machine_->RegionsOf(Info(0).table), SizeIs(2));
  EXPECT_THAT(machine_->RegionsOf({"default", "other"}), IsEmpty());
}

TEST_F(AssignmentTest, ALaterRequestTakesOver) {
  LoadRegions(1, RegionState::kOffline, "");
  Join("a,1,1");
  Take(machine_->Assign(now_ms_, 1, {{NameOf(0), ""}}));
  Take(machine_->Unassign(now_ms_, 2, {NameOf(0)}));
  EXPECT_TRUE(absl::IsAborted(finished_.at(1)));
  AnswerAll();
  EXPECT_TRUE(finished_.at(2).ok());
  EXPECT_EQ(meta_[NameOf(0)], "CLOSED a,1,1");
  Take(machine_->Move(now_ms_, 3, {{NameOf(0), ""}}));
  EXPECT_TRUE(IsError(finished_.at(3), ErrorKind::kDoNotRetryRegion)) << finished_.at(3);
}

// Their requests may be made again: what they are for will be served.
TEST_F(AssignmentTest, ARequestOfARegionWhoseServerIsNotThereYetOrDiesIsNotAnswered) {
  LoadRegions(1, RegionState::kOpen, "a,1,1");
  Take(machine_->Split(now_ms_, 1, NameOf(0), "row"));
  Take(machine_->Move(now_ms_, 2, {{NameOf(0), ""}}));
  EXPECT_TRUE(IsUnanswered(finished_.at(1))) << finished_.at(1);
  EXPECT_TRUE(IsUnanswered(finished_.at(2))) << finished_.at(2);
  Join("a,1,1", /*new_life=*/false);
  AnswerAll();
  Take(machine_->Split(now_ms_, 3, NameOf(0), "row"));
  EXPECT_THAT(Waiting(), ElementsAre("begin-split a,1,1"));
  Pass(settings_.lease_ms + settings_.lease_margin_ms + 1);
  EXPECT_TRUE(IsUnanswered(finished_.at(3))) << finished_.at(3);
}

TEST_F(AssignmentTest, ARegionInTheMakingIsRecoveredWithItsHome) {
  LoadRegions(1, RegionState::kOpen, "a,1,1");
  Join("a,1,1", false);
  AnswerAll();
  const LoadedRegion made = {.info = Info(5), .state = RegionState::kOpen, .home = "a,1,1"};
  LoadedRegion expected = made;
  expected.table = std::make_shared<TableDescriptor>();
  Take(machine_->Expect(now_ms_, {expected}));
  EXPECT_THAT(Waiting(), IsEmpty());
  Pass(1101);
  Join("b,1,1");
  ASSERT_THAT(Waiting(), ElementsAre("recover b,1,1"));
  const std::vector<RegionOrder> recovered = Answer().regions;
  ASSERT_THAT(recovered, SizeIs(2));
  EXPECT_EQ(recovered[0].table, nullptr) << "it has the table that the catalog has then";
  EXPECT_EQ(recovered[1].table, expected.table) << "the catalog may have another one, or none";
  AnswerAll();
  EXPECT_FALSE(meta_.contains(NameOf(5))) << "whoever makes it decides";
  // Now meta has it, where it was when it was made.
  Take(machine_->Add(now_ms_, {made}));
  EXPECT_EQ(Answer().regions.front().table, nullptr);
  AnswerAll();
  EXPECT_EQ(meta_[NameOf(5)], "OPEN b,1,1");
  // One that is adopted meanwhile.
  const LoadedRegion other = {.info = Info(6), .state = RegionState::kClosed, .home = "b,1,1", .table = expected.table};
  Take(machine_->Expect(now_ms_, {other}));
  Join("b,1,2");
  EXPECT_EQ(decision_.regions.back().table, expected.table);
  AnswerAll();
  EXPECT_FALSE(meta_.contains(NameOf(6)));
  Take(machine_->Add(now_ms_, {other}));
  EXPECT_EQ(meta_[NameOf(6)], "CLOSED b,1,2") << "it is not where it was";
}

TEST_F(AssignmentTest, RemovedRegionsAreForgotten) {
  LoadRegions(2, RegionState::kOffline, "");
  Join("a,1,1");
  Take(machine_->Assign(now_ms_, 1, {{NameOf(0), ""}}));
  Take(machine_->Remove(now_ms_, {NameOf(0)}));
  EXPECT_TRUE(IsError(finished_.at(1), ErrorKind::kUnknownRegion));
  AnswerAll();
  EXPECT_FALSE(machine_->Find(NameOf(0)).has_value());
  EXPECT_TRUE(machine_->Find(NameOf(1))->serving);
}

// It is told once the recovery is over: until then they may still come.
TEST_F(AssignmentTest, HandoffsOfRegionsRemovedDuringARecoveryAreUnwanted) {
  LoadRegions(4, RegionState::kOpen, "a,1,1");
  Join("b,1,1");
  Pass(1000);
  Report({.server = "b,1,1", .ready = true});
  Take(machine_->Remove(now_ms_, {NameOf(3)}));  // before it
  Pass(101);
  ASSERT_THAT(Waiting(), ElementsAre("recover b,1,1"));
  Take(machine_->Remove(now_ms_, {NameOf(0)}));
  Answer(absl::InternalError("disk"));  // some of it may be done
  Take(machine_->Remove(now_ms_, {NameOf(1)}));
  EXPECT_THAT(unwanted_handoffs_, IsEmpty());
  Pass(settings_.retry_ms);
  EXPECT_THAT(Answer().regions, SizeIs(1));
  EXPECT_THAT(unwanted_handoffs_, ElementsAre(NameOf(0), NameOf(1)));
  AnswerAll();
  Take(machine_->Remove(now_ms_, {NameOf(2)}));
  EXPECT_THAT(unwanted_handoffs_, SizeIs(2)) << "once";
}

TEST_F(AssignmentTest, ARecoveryOfWhichNothingIsLeftIsOver) {
  LoadRegions(1, RegionState::kOpen, "a,1,1");
  Pass(1101);
  Join("b,1,1");
  ASSERT_THAT(Waiting(), ElementsAre("recover b,1,1"));
  Answer(absl::InternalError("disk"));
  Take(machine_->Remove(now_ms_, {NameOf(0)}));
  Pass(settings_.retry_ms);
  EXPECT_THAT(Waiting(), IsEmpty());
  EXPECT_THAT(unwanted_handoffs_, ElementsAre(NameOf(0)));
}

}  // namespace
}  // namespace vaquita::assignment
