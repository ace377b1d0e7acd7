#include "lab/splits/split_keys.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "base/status.h"
#include "model/region_info.h"

namespace vaquita::lab {
namespace {

using ::testing::HasSubstr;

// Returns the region that the table itself would find: the last that begins at or before the row.
int RegionByDefinition(const SplitKeys& splits, const std::string& row) {
  return static_cast<int>(std::upper_bound(splits.keys().begin(), splits.keys().end(), row) - splits.keys().begin());
}

std::string RandomKey(std::mt19937_64& random, const std::string& alphabet, size_t most) {
  std::string key(random() % (most + 1), '\0');
  for (char& c : key) c = alphabet[random() % alphabet.size()];
  return key;
}

TEST(SplitKeysTest, NoKeysAreOneRegion) {
  const SplitKeys splits;
  EXPECT_EQ(splits.regions(), 1);
  EXPECT_EQ(splits.RegionOf(""), 0);
  EXPECT_EQ(splits.RegionOf("anything"), 0);
  EXPECT_EQ(splits.StartKey(0), "");
  EXPECT_EQ(splits.EndKey(0), "");
}

TEST(SplitKeysTest, ARegionsStartIsItsOwn) {
  const auto splits = SplitKeys::Make({"b", "d"});
  ASSERT_TRUE(splits.ok()) << splits.status();
  EXPECT_EQ(splits->RegionOf("azzz"), 0);
  EXPECT_EQ(splits->RegionOf("b"), 1);
  EXPECT_EQ(splits->RegionOf(std::string("b\0", 2)), 1);
  EXPECT_EQ(splits->RegionOf("c\xFF"), 1);
  EXPECT_EQ(splits->RegionOf("d"), 2);
  EXPECT_EQ(splits->LastRegionBefore("d"), 1);
  EXPECT_EQ(splits->LastRegionBefore("d0"), 2);
  EXPECT_EQ(splits->LastRegionBefore(""), 2);
}

// Keys that agree in their first bytes, that are prefixes of each other, that hold zeros, that differ past eight bytes.
TEST(SplitKeysTest, AgreesWithTheDefinitionOnRandomKeys) {
  const std::string alphabets[] = {std::string("\0\1", 2), std::string("\0a\xFF", 3), "0123456789abcdef"};
  for (uint64_t seed = 0; seed < 60; ++seed) {
    std::mt19937_64 random(seed);
    const std::string& alphabet = alphabets[seed % 3];
    const std::string common = seed % 2 == 0 ? "" : RandomKey(random, alphabet, 12);
    std::set<std::string> keys;
    for (int i = 0; i < 40; ++i) keys.insert(common + RandomKey(random, alphabet, 14));
    keys.erase("");
    const auto splits = SplitKeys::Make({keys.begin(), keys.end()});
    ASSERT_TRUE(splits.ok()) << splits.status();
    for (int i = 0; i < 2000; ++i) {
      std::string row = RandomKey(random, alphabet, 16);
      if (i % 2 == 0) row = common + row;
      if (i % 8 == 0) row = splits->keys()[random() % splits->keys().size()];
      ASSERT_EQ(splits->RegionOf(row), RegionByDefinition(*splits, row))
          << "seed " << seed << " " << ToStringBinary(row);
    }
  }
}

TEST(SplitKeysTest, RefusesWhatIsNoSplit) {
  EXPECT_THAT(SplitKeys::Make({"a", "c", "b"}).status().message(),
              HasSubstr("number 3: split key 'b' is smaller than the one before, 'c'"));
  EXPECT_THAT(SplitKeys::Make({"a", "a"}).status().message(), HasSubstr("number 2: split key 'a' is repeated"));
  EXPECT_THAT(SplitKeys::Make({""}).status().message(), HasSubstr("number 1: split key '' is empty"));
  EXPECT_TRUE(IsError(SplitKeys::Make({""}).status(), ErrorKind::kIllegalArgument));
}

}  // namespace
}  // namespace vaquita::lab
