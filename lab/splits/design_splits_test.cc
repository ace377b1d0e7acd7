#include "lab/splits/design_splits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace vaquita::lab {
namespace {

using ::testing::ElementsAre;

constexpr uint64_t kRecords = 10'000;

GeneratedRecords Numbers() { return {*RecordGenerator::Parse("id=sequence()"), kRecords}; }

KeyDesign DesignOf(const RecordSet& records, const std::string& expression) {
  return KeyDesign::Parse(expression, records.schema()).value();
}

TEST(DesignSplitsTest, ASampleTakesAsManyKeysAsFitIntoItsBytes) {
  const GeneratedRecords records = Numbers();
  const KeyDesign design = DesignOf(records, "pad(id, 1000)");
  const auto starts = [&](const DesignSample& sample) {
    BadRecords skipped;
    const auto splits = SplitsOfDesignSample(records, design, sample, 4, &skipped);
    EXPECT_TRUE(splits.ok()) << splits.status();
    std::vector<int> numbers;
    for (const std::string& key : splits->keys()) numbers.push_back(std::stoi(key));
    return numbers;
  };
  EXPECT_THAT(starts({.keys = 64, .first = true}), ElementsAre(16, 32, 48));
  EXPECT_THAT(starts({.keys = 64, .first = true, .most_bytes = 64'000}), ElementsAre(16, 32, 48));
  EXPECT_THAT(starts({.keys = 64, .first = true, .most_bytes = 63'999}), ElementsAre(8, 16, 24)) << "half as many";
  EXPECT_THAT(starts({.keys = 64, .first = true, .most_bytes = 10'000}), ElementsAre(2, 4, 6));
  const std::vector<int> spread = starts({.most_bytes = 1'000'000});
  EXPECT_NEAR(spread[1], 5'000, 100) << "they are of the whole run nevertheless";
}

TEST(DesignSplitsTest, SkippedRecordsAreThoseOfTheSample) {
  const GeneratedRecords records = Numbers();
  const KeyDesign design = DesignOf(records, "pad(10 / (id % 2), 100)");
  BadRecords skipped;
  const auto splits =
      SplitsOfDesignSample(records, design, {.keys = 64, .first = true, .most_bytes = 2'000}, 1, &skipped);
  ASSERT_TRUE(splits.ok()) << splits.status();
  EXPECT_EQ(skipped.count, 16u) << "those of the 32 that fit";
}

TEST(DesignSplitsTest, AFirstPartIsThatOfAKey) {
  const GeneratedRecords records = Numbers();
  const auto splits = SplitsOfFirstPart(records, DesignOf(records, "pad(id % 4, 3) + pad(id, 10) + text(id)"), 0);
  ASSERT_TRUE(splits.ok()) << splits.status();
  EXPECT_THAT(splits->keys(), ElementsAre("001", "002", "003"));
  const auto whole = SplitsOfFirstPart(records, DesignOf(records, "pad(id % 4, 3)"), 0);
  ASSERT_TRUE(whole.ok()) << "the part is the whole key: " << whole.status();
  EXPECT_THAT(whole->keys(), ElementsAre("001", "002", "003"));
  const KeyDesign never = DesignOf(records, "pad(id, 20000) + pad(id, 20000)");
  std::string part;
  RecordBuffer buffer;
  EXPECT_FALSE(never.AppendFirstPart(records.Get(0, &buffer), 0, &part).ok()) << "a record without a key has no part";
  EXPECT_EQ(part, "");
  EXPECT_FALSE(SplitsOfFirstPart(records, never, 0).ok());
}

}  // namespace
}  // namespace vaquita::lab
