#include "tools/lab/live_comparison.h"

#include "gtest/gtest.h"

namespace vaquita {
namespace {

TEST(LiveComparisonTest, OfSeveralRoundsEachFigureIsTheMedian) {
  const std::vector<LiveFigures> rounds = {
      {.name = "A", .rows = 10, .rows_per_second = 100, .get_ms = 9, .scan_in_turn_ms = 3, .scan_at_once_ms = 1},
      {.name = "A", .rows = 10, .rows_per_second = 300, .get_ms = 1, .scan_in_turn_ms = 2, .scan_at_once_ms = 3},
      {.name = "A", .rows = 10, .rows_per_second = 200, .get_ms = 2, .scan_in_turn_ms = 1, .scan_at_once_ms = 2}};
  const LiveFigures median = MedianOf(rounds);
  EXPECT_EQ(median.name, "A");
  EXPECT_EQ(median.rows, 10U);
  EXPECT_EQ(median.rows_per_second, 200);
  EXPECT_EQ(median.get_ms, 2);
  EXPECT_EQ(median.scan_in_turn_ms, 2);
  EXPECT_EQ(median.scan_at_once_ms, 2);
  EXPECT_EQ(MedianOf({rounds[0]}).get_ms, 9);
}

}  // namespace
}  // namespace vaquita
