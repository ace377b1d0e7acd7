#include "base/clock.h"

#include <gtest/gtest.h>

namespace vaquita {
namespace {

TEST(ClockTest, AManualClockMovesOnlyWhenTold) {
  ManualClock clock(1'000);
  EXPECT_EQ(clock.NowMs(), 1'000);
  clock.Advance(5);
  EXPECT_EQ(clock.NowMs(), 1'005);
  clock.Set(7);
  EXPECT_EQ(clock.NowMs(), 7);
}

TEST(ClockTest, TheSystemsClockCountsMillisecondsSinceTheEpoch) {
  constexpr int64_t kYear2020 = 1'577'836'800'000;
  EXPECT_GT(Clock::System()->NowMs(), kYear2020);
  EXPECT_LT(Clock::System()->NowMs(), 10 * kYear2020);
}

}  // namespace
}  // namespace vaquita
