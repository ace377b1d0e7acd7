#include "server/control/epoch_fence.h"

#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <thread>

namespace vaquita {
namespace {

class EpochFenceTest : public ::testing::Test {
 protected:
  EpochFence::Answer Run(const CommandNumber& number) {
    return gate_.Run(number, [this] { return "run " + std::to_string(++runs_); });
  }
  EpochFence gate_;
  std::atomic<int> runs_ = 0;
};

TEST_F(EpochFenceTest, ARepeatedCommandGetsTheFirstAnswer) {
  EXPECT_EQ(*Run({.epoch = 1, .id = 7}), "run 1");
  EXPECT_EQ(*Run({.epoch = 1, .id = 7}), "run 1");
  EXPECT_EQ(*Run({.epoch = 1, .id = 5}), "run 2") << "commands may overtake each other";
  const auto fails = [] { return absl::NotFoundError("no"); };
  EXPECT_TRUE(absl::IsNotFound(gate_.Run({.epoch = 1, .id = 8}, fails).status()));
  EXPECT_TRUE(absl::IsNotFound(Run({.epoch = 1, .id = 8}).status()));
}

TEST_F(EpochFenceTest, ACommandThatEndedForTheMasterIsRefusedWhenItComesLate) {
  EXPECT_EQ(*Run({.epoch = 1, .id = 9, .ended_below = 9}), "run 1");
  EXPECT_TRUE(absl::IsFailedPrecondition(Run({.epoch = 1, .id = 8, .ended_below = 3}).status()));
  EXPECT_EQ(*Run({.epoch = 1, .id = 9, .ended_below = 3}), "run 1");
  EXPECT_EQ(runs_, 1);
}

TEST_F(EpochFenceTest, ANewMasterEndsTheOldOne) {
  EXPECT_EQ(*Run({.epoch = 2, .id = 9, .ended_below = 9}), "run 1");
  EXPECT_EQ(*Run({.epoch = 3, .id = 1}), "run 2") << "its ids are its own";
  EXPECT_TRUE(absl::IsFailedPrecondition(Run({.epoch = 2, .id = 10}).status()));
  gate_.BeginEpoch(4);
  EXPECT_TRUE(absl::IsFailedPrecondition(Run({.epoch = 3, .id = 2}).status()));
  EXPECT_EQ(*Run({.epoch = 4, .id = 1}), "run 3");
}

TEST_F(EpochFenceTest, WhoRepeatsARunningCommandWaitsForItsEnd) {
  std::latch started(1), go_on(1);
  std::thread first([&] {
    const auto answer = gate_.Run({.epoch = 1, .id = 1}, [&]() -> EpochFence::Answer {
      started.count_down();
      go_on.wait();
      return std::string("once");
    });
    EXPECT_EQ(*answer, "once");
  });
  started.wait();
  std::thread second([&] { EXPECT_EQ(*Run({.epoch = 1, .id = 1}), "once"); });
  EXPECT_EQ(*Run({.epoch = 1, .id = 2}), "run 1") << "others run meanwhile";
  go_on.count_down();
  first.join();
  second.join();
  EXPECT_EQ(runs_, 1);
}

TEST_F(EpochFenceTest, ANewMasterWaitsForTheEndOfTheOldOnesCommands) {
  std::latch started(1), go_on(1);
  std::atomic<bool> ended = false;
  std::thread old([&] {
    gate_
        .Run({.epoch = 1, .id = 1},
             [&]() -> EpochFence::Answer {
               started.count_down();
               go_on.wait();
               ended = true;
               return std::string();
             })
        .IgnoreError();
  });
  started.wait();
  EXPECT_FALSE(gate_.HasOlderRunning());
  gate_.BeginEpoch(2);
  EXPECT_TRUE(gate_.HasOlderRunning());
  std::thread next([&] {
    EXPECT_TRUE(gate_
                    .Run({.epoch = 2, .id = 1},
                         [&]() -> EpochFence::Answer {
                           EXPECT_TRUE(ended);
                           return std::string();
                         })
                    .ok());
  });
  go_on.count_down();
  next.join();
  old.join();
}

TEST(CommandNumbersTest, SayWhichCommandsHaveEnded) {
  CommandNumbers numbers;
  auto first = std::make_unique<CommandNumbers::Running>(&numbers);
  EXPECT_EQ(first->ended_below(), first->id());
  const CommandNumbers::Running second(&numbers);
  EXPECT_GT(second.id(), first->id());
  EXPECT_EQ(second.ended_below(), first->id());
  first.reset();
  const CommandNumbers::Running third(&numbers);
  EXPECT_EQ(third.ended_below(), second.id());
  CommandNumbers anew;
  EXPECT_GT(CommandNumbers::Running(&anew).ended_below(), third.id());
}

}  // namespace
}  // namespace vaquita
