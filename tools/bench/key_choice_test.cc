#include "tools/bench/key_choice.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "lab/records/random_number.h"

namespace vaquita::bench {
namespace {

constexpr uint64_t kDraws = 200'000;

std::map<uint64_t, uint64_t> CountsOf(const KeyChoice& choice, uint64_t rows) {
  std::map<uint64_t, uint64_t> counts;
  for (uint64_t i = 0; i < kDraws; ++i) ++counts[choice.Choose(lab::RandomNumber(7, i), i, rows)];
  return counts;
}

double Share(std::map<uint64_t, uint64_t>& counts, uint64_t row) {
  return static_cast<double>(counts[row]) / static_cast<double>(kDraws);
}

// The probability of the number 0 of Zipf's distribution over `n` numbers.
double FirstShare(double zeta) { return 1 / zeta; }

TEST(KeyChoiceTest, TheHashIsYcsbs) {
  // The first keys of every table that YCSB loads.
  EXPECT_EQ(YcsbHash(0), 6284781860667377211U);
  EXPECT_EQ(YcsbHash(1), 8517097267634966620U);
}

TEST(KeyChoiceTest, UniformKeysAreEven) {
  constexpr uint64_t kRows = 100;
  std::map<uint64_t, uint64_t> counts = CountsOf(KeyChoice(KeyDistribution::kUniform, kRows), kRows);
  const double expected = static_cast<double>(kDraws) / kRows;
  double chi_square = 0;
  for (uint64_t row = 0; row < kRows; ++row) {
    chi_square += std::pow(static_cast<double>(counts[row]) - expected, 2) / expected;
  }
  EXPECT_EQ(counts.size(), kRows);
  EXPECT_LT(chi_square, 148.2);  // one of 1,000 even distributions has more, with 99 degrees of freedom
  EXPECT_GT(chi_square, 59.0);   // and one of 1,000 has less: numbers that are too even are not random
}

TEST(KeyChoiceTest, ZipfianKeysAreScatteredAndAsFrequentAsYcsbs) {
  constexpr uint64_t kRows = 100'000;
  std::map<uint64_t, uint64_t> counts = CountsOf(KeyChoice(KeyDistribution::kZipfian, kRows), kRows);
  constexpr double kZeta = 26.46902820178302;  // YCSB's ScrambledZipfianGenerator.ZETAN
  // Any other row adds at most a few draws to these. Three standard deviations are 0.0013 and 0.0009.
  EXPECT_NEAR(Share(counts, YcsbHash(0) % kRows), FirstShare(kZeta), 0.0016);
  EXPECT_NEAR(Share(counts, YcsbHash(1) % kRows), FirstShare(kZeta) * std::pow(2, -0.99), 0.0012);
  uint64_t lower_half = 0;
  for (const auto& [row, count] : counts) lower_half += row < kRows / 2 ? count : 0;
  EXPECT_GT(lower_half, kDraws / 3);
  EXPECT_LT(lower_half, kDraws * 2 / 3);
}

TEST(KeyChoiceTest, LatestKeysAreTheLast) {
  constexpr uint64_t kRows = 1000;
  std::map<uint64_t, uint64_t> counts = CountsOf(KeyChoice(KeyDistribution::kLatest, kRows), kRows);
  double zeta = 0;
  double hundred = 0;
  for (uint64_t k = 1; k <= kRows; ++k) {
    zeta += std::pow(k, -0.99);
    if (k == 100) hundred = zeta;
  }
  EXPECT_NEAR(Share(counts, kRows - 1), FirstShare(zeta), 0.0025);
  EXPECT_NEAR(Share(counts, kRows - 2), FirstShare(zeta) * std::pow(2, -0.99), 0.002);
  uint64_t last_hundred = 0;
  for (const auto& [row, count] : counts) last_hundred += row >= kRows - 100 ? count : 0;
  EXPECT_NEAR(static_cast<double>(last_hundred) / kDraws, hundred / zeta, 0.02);
  EXPECT_LT(counts.rbegin()->first, kRows);
}

TEST(KeyChoiceTest, LatestFollowsTheRowsThatAreInserted) {
  const KeyChoice choice(KeyDistribution::kLatest, 1000);
  EXPECT_EQ(choice.Choose(0, 0, 1500), 1499);  // the most frequent one
}

TEST(KeyChoiceTest, SequentialKeysComeInOrderAndAgain) {
  const KeyChoice choice(KeyDistribution::kSequential, 10);
  for (uint64_t i = 0; i < 25; ++i) EXPECT_EQ(choice.Choose(lab::RandomNumber(1, i), i, 10), i % 10);
}

}  // namespace
}  // namespace vaquita::bench
