#include "tools/bench/confidence.h"

#include <gtest/gtest.h>

#include <cmath>

#include "lab/records/random_number.h"

namespace vaquita::bench {
namespace {

TEST(ConfidenceTest, QuantilesAreThoseOfTheTables) {
  EXPECT_NEAR(StudentQuantile(1), 12.706, 1e-3);
  EXPECT_NEAR(StudentQuantile(4), 2.776, 1e-3);
  EXPECT_NEAR(StudentQuantile(9.999), 2.228, 1e-3);
  EXPECT_NEAR(StudentQuantile(25), 2.060, 1e-3);
  EXPECT_NEAR(StudentQuantile(1000), 1.962, 1e-3);
  EXPECT_NEAR(StudentQuantile(2e9), 1.960, 1e-3);
}

// The example of Welch's test with unequal sizes: worked by hand.
TEST(ConfidenceTest, TheIntervalIsWelchs) {
  const std::vector<double> base = {10, 12, 14};          // mean 12, variance 4
  const std::vector<double> ours = {20, 21, 22, 23, 24};  // mean 22, variance 2.5
  const std::optional<Difference> difference = DifferenceOf(base, ours);
  ASSERT_TRUE(difference.has_value());
  const double error = std::sqrt(4.0 / 3 + 2.5 / 5);
  const double freedom = std::pow(4.0 / 3 + 0.5, 2) / (std::pow(4.0 / 3, 2) / 2 + 0.25 / 4);
  EXPECT_NEAR(difference->part, 10.0 / 12, 1e-9);
  EXPECT_NEAR(difference->low, (10 - StudentQuantile(freedom) * error) / 12, 1e-9);
  EXPECT_NEAR(difference->high, (10 + StudentQuantile(freedom) * error) / 12, 1e-9);
  EXPECT_TRUE(difference->certain());
}

TEST(ConfidenceTest, OneRunSaysNothingAboutCertainty) {
  EXPECT_FALSE(DifferenceOf({10}, {20, 21}).has_value());
  EXPECT_FALSE(DifferenceOf({10, 11}, {20}).has_value());
  EXPECT_FALSE(DifferenceOf({0, 0}, {1, 2}).has_value());
  EXPECT_FALSE(DifferenceOf({10, 11}, {10, 11})->certain());
  EXPECT_EQ(DifferenceOf({10, 90}, {1, 30})->low, -1);  // a figure cannot be more than 100% less
}

// 95 of 100 intervals hold the true difference.
TEST(ConfidenceTest, IntervalsHoldTheTruthAsOftenAsTheySay) {
  uint64_t draw = 0;
  const auto normal = [&](double mean, double deviation) {
    double sum = 0;
    for (int i = 0; i < 12; ++i) sum += lab::RandomFraction(lab::RandomNumber(99, draw++));
    return mean + (sum - 6) * deviation;
  };
  constexpr int kComparisons = 4000;
  int held = 0;
  for (int i = 0; i < kComparisons; ++i) {
    std::vector<double> base, ours;
    for (int run = 0; run < 5; ++run) base.push_back(normal(100, 2));
    for (int run = 0; run < 8; ++run) ours.push_back(normal(110, 6));
    // The interval is relative to the mean that was measured.
    const Difference difference = *DifferenceOf(base, ours);
    const double truth = 10 / MeanOf(base);
    held += difference.low <= truth && truth <= difference.high ? 1 : 0;
  }
  EXPECT_NEAR(static_cast<double>(held) / kComparisons, 0.95, 0.015);
}

}  // namespace
}  // namespace vaquita::bench
