#include "server/frontend/hbase/rpc/pace.h"

#include <gtest/gtest.h>

namespace vaquita::hbase {
namespace {

TEST(PaceTest, WhoIsFastEnoughIsUpToDate) {
  Pace pace;
  pace.Begin(1'000);
  for (int64_t now_ms = 1'010; now_ms < 20'000; now_ms += 10) {
    pace.Add(10 * Pace::kBytesPerMs, now_ms);
    EXPECT_EQ(pace.kept_until_ms(), now_ms);
  }
}

TEST(PaceTest, AByteNowAndThenIsNotEnough) {
  Pace pace;
  pace.Begin(1'000);
  for (int64_t now_ms = 1'000; now_ms < 20'000; now_ms += 10) pace.Add(1, now_ms);
  EXPECT_EQ(pace.kept_until_ms(), 1'000 + 1'900 / Pace::kBytesPerMs);
}

TEST(PaceTest, FastBytesEarnNoTimeToBeSlow) {
  Pace pace;
  pace.Begin(1'000);
  pace.Add(100 << 20, 1'001);
  EXPECT_EQ(pace.kept_until_ms(), 1'001);
  pace.Add(1, 9'000);
  EXPECT_EQ(pace.kept_until_ms(), 1'001);
}

TEST(PaceTest, WhoFellBehindCatchesUp) {
  Pace pace;
  pace.Begin(0);
  pace.Add(Pace::kBytesPerMs, 1'000);
  EXPECT_EQ(pace.kept_until_ms(), 1);
  pace.Add(2'000 * Pace::kBytesPerMs, 1'500);
  EXPECT_EQ(pace.kept_until_ms(), 1'500);
}

}  // namespace
}  // namespace vaquita::hbase
