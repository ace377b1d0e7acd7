#include "engine/rocksdb/midkey.h"

#include <random>
#include <string>

#include "gtest/gtest.h"

namespace vaquita {
namespace {

TEST(HalfwayBetweenTest, LiesBetween) {
  EXPECT_EQ(HalfwayBetween("a", "c"), "b");
  EXPECT_EQ(HalfwayBetween("a", "b"), "a\x80");
  EXPECT_EQ(HalfwayBetween("", "\x80"), "\x40");
  EXPECT_EQ(HalfwayBetween("row1", "row3"), "row2");
  EXPECT_EQ(HalfwayBetween("\xff", "\xff\xff"), "\xff\x7f\x80");
}

TEST(HalfwayBetweenTest, HalvingEndsAtTheLargerOfNeighbours) {
  std::mt19937 random(7);
  for (int round = 0; round < 1000; ++round) {
    std::string low, high;
    for (std::string* text : {&low, &high}) {
      text->resize(1 + random() % 6);
      for (char& byte : *text) byte = static_cast<char>(random());
    }
    if (low == high) continue;
    if (low > high) low.swap(high);
    for (int step = 0; step < 200; ++step) {
      std::string middle = HalfwayBetween(low, high);
      ASSERT_GE(middle, low);
      ASSERT_LT(middle, high);
      if (middle == low) break;
      (random() % 2 == 0 ? low : high) = std::move(middle);
    }
  }
}

}  // namespace
}  // namespace vaquita
