#include "server/test_control/test_clock.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>

namespace vaquita {
namespace {

using ::testing::HasSubstr;

constexpr int64_t kEnd = std::numeric_limits<int64_t>::max();

TEST(TestClockTest, AFrozenClockMovesWhenItIsAdvanced) {
  TestClock clock;
  ASSERT_TRUE(clock.FreezeAt(1000).ok());
  ASSERT_TRUE(clock.Advance(500).ok());
  EXPECT_EQ(clock.NowMs(), 1500);
  EXPECT_EQ(clock.mode(), TestClock::Mode::kFrozen);
}

TEST(TestClockTest, NoTimeIsOutsideTheYearsOfDates) {
  TestClock clock;
  for (const int64_t ms : {kEnd, TestClock::kLastMs, std::numeric_limits<int64_t>::min()}) {
    EXPECT_THAT(std::string(clock.Advance(ms).message()), HasSubstr("not within 1970 to 9999")) << ms;
  }
  EXPECT_EQ(clock.mode(), TestClock::Mode::kReal);
  for (const int64_t ms : {kEnd, TestClock::kLastMs + 1, int64_t{0}, int64_t{-1}}) {
    EXPECT_THAT(std::string(clock.FreezeAt(ms).message()), HasSubstr("must be from 1 to 253402300799999")) << ms;
  }
  EXPECT_EQ(clock.mode(), TestClock::Mode::kReal);
  ASSERT_TRUE(clock.FreezeAt(TestClock::kLastMs).ok());
  EXPECT_FALSE(clock.Advance(1).ok());
  EXPECT_EQ(clock.NowMs(), TestClock::kLastMs);
}

}  // namespace
}  // namespace vaquita
