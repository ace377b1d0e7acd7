#include "server/regionserver/operation_nonces.h"

#include <atomic>
#include <thread>

#include "gtest/gtest.h"

namespace vaquita {
namespace {

constexpr int64_t kHalfHourMs = 30 * 60 * 1000;

class OperationNoncesTest : public ::testing::Test {
 protected:
  // Returns whether the operation was done, not merely remembered.
  bool Execute(const Nonce& nonce, bool succeeds = true) {
    OperationNonces::Run run = nonces_.Begin(nonce);
    if (run.done_before()) return false;
    if (succeeds) run.Succeed(clock_.NowMs());
    return true;
  }
  ManualClock clock_{1'000'000};
  OperationNonces nonces_{&clock_};
};

TEST_F(OperationNoncesTest, WhatSucceededIsNotDoneTwice) {
  EXPECT_TRUE(Execute({1, 5}));
  EXPECT_FALSE(Execute({1, 5}));
  EXPECT_TRUE(Execute({2, 5}));
  EXPECT_TRUE(Execute({1, 6}));
}

TEST_F(OperationNoncesTest, WhenItWasDoneIsKnown) {
  nonces_.Begin({1, 5}).Succeed(77);
  EXPECT_EQ(nonces_.Begin({1, 5}).written_ms(), 77);
  clock_.Advance(kHalfHourMs);
  EXPECT_EQ(nonces_.Begin({1, 5}).written_ms(), 77);
}

TEST_F(OperationNoncesTest, WhatFailedMayBeTriedAgain) {
  EXPECT_TRUE(Execute({1, 5}, false));
  EXPECT_TRUE(Execute({1, 5}));
  EXPECT_FALSE(Execute({1, 5}));
}

TEST_F(OperationNoncesTest, IsForgottenAfterHalfAnHourToAnHour) {
  EXPECT_TRUE(Execute({1, 5}));
  clock_.Advance(kHalfHourMs);
  EXPECT_FALSE(Execute({1, 5}));
  EXPECT_TRUE(Execute({1, 6}));
  clock_.Advance(kHalfHourMs);
  EXPECT_TRUE(Execute({1, 5}));
  EXPECT_FALSE(Execute({1, 6}));
  clock_.Advance(2 * kHalfHourMs);
  EXPECT_TRUE(Execute({1, 6}));
  EXPECT_EQ(nonces_.size(), 1u);
}

TEST_F(OperationNoncesTest, IsForgottenHalfAnHourAfterAClockWasSetBack) {
  clock_.Advance(1'000 * kHalfHourMs);
  EXPECT_TRUE(Execute({1, 5}));
  clock_.Advance(2 * kHalfHourMs);
  EXPECT_TRUE(Execute({1, 5}));
  clock_.Advance(-500 * kHalfHourMs);
  EXPECT_FALSE(Execute({1, 5}));
  clock_.Advance(kHalfHourMs);
  EXPECT_FALSE(Execute({1, 5}));
  clock_.Advance(kHalfHourMs);
  EXPECT_TRUE(Execute({1, 5}));
}

TEST_F(OperationNoncesTest, KeepsTheNewestAndSaysThatItForgotOthers) {
  OperationNonces nonces(&clock_, /*most=*/10);
  const auto execute = [&](uint64_t value) { nonces.Begin({1, value}).Succeed(clock_.NowMs()); };
  for (uint64_t value = 1; value <= 19; ++value) execute(value);
  EXPECT_FALSE(nonces.Begin({1, 100}).may_be_forgotten());  // all are there
  execute(20);
  execute(21);
  EXPECT_TRUE(nonces.Begin({1, 1}).may_be_forgotten());
  EXPECT_TRUE(nonces.Begin({1, 11}).done_before());
  for (uint64_t value = 22; value <= 995; ++value) {
    execute(value);
    ASSERT_LE(nonces.size(), 20u);
  }
  clock_.Advance(kHalfHourMs - 1);
  EXPECT_TRUE(nonces.Begin({1, 2}).may_be_forgotten());
  clock_.Advance(1);
  EXPECT_FALSE(nonces.Begin({1, 2}).may_be_forgotten());
}

TEST_F(OperationNoncesTest, WaitsForTheOneThatRuns) {
  std::atomic<bool> ended = false;
  std::thread second;
  {
    OperationNonces::Run first = nonces_.Begin({1, 5});
    second = std::thread([&] {
      EXPECT_TRUE(nonces_.Begin({1, 5}).done_before());
      EXPECT_TRUE(ended);
    });
    first.Succeed(5);
    ended = true;
  }
  second.join();
}

}  // namespace
}  // namespace vaquita
