#include "base/saturated.h"

#include <gtest/gtest.h>

namespace vaquita {
namespace {

constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
constexpr int64_t kMost = std::numeric_limits<int64_t>::max();

TEST(SaturatedTest, ProductsStopAtTheEnds) {
  EXPECT_EQ(SaturatedProduct(-6, 7), -42);
  EXPECT_EQ(SaturatedProduct(int64_t{1} << 62, 2), kMost);
  EXPECT_EQ(SaturatedProduct(kLeast, -1), kMost);
  EXPECT_EQ(SaturatedProduct(kLeast, 2), kLeast);
  EXPECT_EQ(SaturatedProduct(kMost, 0), 0);
}

TEST(SaturatedTest, SumsStopAtTheEnds) {
  EXPECT_EQ(SaturatedSum(-6, 7), 1);
  EXPECT_EQ(SaturatedSum(kMost, 1), kMost);
  EXPECT_EQ(SaturatedSum(-1, kLeast), kLeast);
  EXPECT_EQ(SaturatedSum(kMost, kLeast), -1);
}

TEST(SaturatedTest, NumbersAreCastAsInJava) {
  EXPECT_EQ(SaturatedInteger(-1.9), -1);
  EXPECT_EQ(SaturatedInteger(static_cast<double>(kMost)), kMost);
  EXPECT_EQ(SaturatedInteger(static_cast<double>(kLeast)), kLeast);
  EXPECT_EQ(SaturatedInteger(1e308), kMost);
  EXPECT_EQ(SaturatedInteger(-INFINITY), kLeast);
  EXPECT_EQ(SaturatedInteger(NAN), 0);
}

}  // namespace
}  // namespace vaquita
