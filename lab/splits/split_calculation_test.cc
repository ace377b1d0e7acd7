#include "lab/splits/split_calculation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "model/split_algorithm.h"

namespace vaquita::lab {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<std::string> Numbered(int count) {
  std::vector<std::string> keys;
  for (int i = count - 1; i >= 0; --i) keys.push_back("k" + std::to_string(1000 + i));
  return keys;
}

TEST(SplitCalculationTest, ASampleIsDividedEvenly) {
  const auto splits = SplitsOfSample(Numbered(100), 4);
  ASSERT_TRUE(splits.ok()) << splits.status();
  EXPECT_THAT(splits->keys(), ElementsAre("k1025", "k1050", "k1075"));
}

TEST(SplitCalculationTest, RepeatedKeysOfASampleCountOnce) {
  std::vector<std::string> keys(1000, "hot");
  for (const std::string& key : Numbered(3)) keys.push_back(key);
  EXPECT_THAT(SplitsOfSample(keys, 4)->keys(), ElementsAre("k1000", "k1001", "k1002"));
  EXPECT_THAT(SplitsOfSample(keys, 5).status().message(), HasSubstr("4 different keys, too few for 5 regions"));
}

TEST(SplitCalculationTest, PartitionsAreLongs) {
  const auto splits = SplitsOfPartitions();
  EXPECT_EQ(splits->regions(), 20);
  EXPECT_EQ(splits->keys().front(), std::string("\0\0\0\0\0\0\0\1", 8));
  EXPECT_EQ(splits->keys().back(), std::string("\0\0\0\0\0\0\0\x13", 8));
}

TEST(SplitCalculationTest, BytesGoFrom01ToFF) {
  const auto splits = SplitsOfBytes(256);
  EXPECT_EQ(splits->regions(), 256);
  EXPECT_EQ(splits->keys().front(), "\x01");
  EXPECT_EQ(splits->keys().back(), "\xFF");
  EXPECT_THAT(SplitsOfBytes(4)->keys(), ElementsAre("\x40", "\x80", "\xC0"));
  EXPECT_THAT(SplitsOfBytes(257).status().message(), HasSubstr("only 256 values can be divided"));
}

TEST(SplitCalculationTest, Buckets) { EXPECT_THAT(SplitsOfBuckets(5)->keys(), ElementsAre("\1", "\2", "\3", "\4")); }

TEST(SplitCalculationTest, NumbersAsText) {
  EXPECT_THAT(SplitsOfNumbers({.digits = 3, .base = 16}, 4)->keys(), ElementsAre("400", "800", "c00"));
  EXPECT_EQ(SplitsOfNumbers({.digits = 3, .base = 16}, 800)->regions(), 800);
  EXPECT_THAT(SplitsOfNumbers({.prefix = "foo", .digits = 4, .values = 4}, 4)->keys(),
              ElementsAre("foo0001", "foo0002", "foo0003"));
  EXPECT_THAT(SplitsOfNumbers({.digits = 1, .values = 11}, 4).status().message(),
              HasSubstr("1 digits cannot express 10; use 2"));
  EXPECT_THAT(SplitsOfNumbers({.digits = 1}, 11).status().message(), HasSubstr("only 10 values"));
}

// RegionSplitter's HexStringSplit has eight hex digits, its DecimalStringSplit eight decimal ones.
TEST(SplitCalculationTest, AgreesWithRegionSplitter) {
  for (const int regions : {2, 3, 7, 16, 200}) {
    const auto hex = SplitKeysByAlgorithm("HexStringSplit", regions);
    const auto decimal = SplitKeysByAlgorithm("DecimalStringSplit", regions);
    EXPECT_EQ(hex->size(), SplitsOfNumbers({.digits = 8, .base = 16}, regions)->keys().size());
    EXPECT_TRUE(SplitKeys::Make(*hex).ok());
    EXPECT_TRUE(SplitKeys::Make(*decimal).ok());
    EXPECT_TRUE(SplitKeys::Make(*SplitKeysByAlgorithm("UniformSplit", regions)).ok());
  }
  EXPECT_EQ(*SplitKeysByAlgorithm("HexStringSplit", 16), SplitsOfNumbers({.digits = 8, .base = 16}, 16)->keys());
  EXPECT_EQ(*SplitKeysByAlgorithm("DecimalStringSplit", 10), SplitsOfNumbers({.digits = 8}, 10)->keys());
}

TEST(SplitCalculationTest, AReservoirIsAFairSample) {
  std::vector<int> taken(10);
  for (uint64_t seed = 0; seed < 200; ++seed) {
    KeyReservoir reservoir(100, seed);
    for (int i = 0; i < 10'000; ++i) reservoir.Add(std::to_string(10'000 + i));
    const std::vector<std::string> keys = std::move(reservoir).Take();
    EXPECT_EQ(std::set<std::string>(keys.begin(), keys.end()).size(), 100);
    for (const std::string& key : keys) ++taken[key[1] - '0'];
  }
  // 20,000 of them, 2,000 of each tenth, standard deviation 42.
  for (const int count : taken) EXPECT_NEAR(count, 2'000, 250);
}

TEST(SplitCalculationTest, AReservoirKeepsAShortStreamWhole) {
  KeyReservoir reservoir(100);
  for (const char* key : {"a", "b", "a"}) reservoir.Add(key);
  EXPECT_THAT(std::move(reservoir).Take(), ElementsAre("a", "b", "a"));
}

}  // namespace
}  // namespace vaquita::lab
