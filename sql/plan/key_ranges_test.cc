#include "sql/plan/key_ranges.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "sql/encoding/text.h"

namespace vaquita::sql {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> Texts(const std::vector<RowRange>& ranges) {
  std::vector<std::string> texts;
  for (const RowRange& range : ranges) texts.push_back(Hex(range.start) + ".." + Hex(range.stop));
  return texts;
}

bool Covered(const std::vector<RowRange>& ranges, const std::string& key) {
  int count = 0;
  for (const RowRange& range : ranges) count += range.Contains(key) ? 1 : 0;
  EXPECT_LE(count, 1) << Hex(key);
  return count == 1;
}

KeyCondition Equal(std::vector<Value> values) {
  KeyCondition condition;
  condition.equal = std::move(values);
  return condition;
}

KeyCondition Between(Value low, Value high, bool inclusive = true) {
  KeyCondition condition;
  condition.low = std::move(low);
  condition.high = std::move(high);
  condition.low_inclusive = condition.high_inclusive = inclusive;
  return condition;
}

const std::vector<KeyColumn> kId = {{TypeId::kVarchar}};
const std::vector<KeyColumn> kTwo = {{TypeId::kVarchar}, {TypeId::kInteger}};

TEST(KeyRangesTest, OneColumn) {
  EXPECT_THAT(Texts(KeyRanges(kId, {{}}, 0)), ElementsAre(".."));
  EXPECT_THAT(Texts(KeyRanges(kId, {Equal({"a"})}, 0)), ElementsAre("61..6100"));
  EXPECT_THAT(Texts(KeyRanges(kId, {Equal({"b", "a", "a"})}, 0)), ElementsAre("61..6100", "62..6200"));
  EXPECT_THAT(Texts(KeyRanges(kId, {Between("a", "b")}, 0)), ElementsAre("61..6200"));
  EXPECT_THAT(Texts(KeyRanges(kId, {Between("a", "b", false)}, 0)), ElementsAre("61..62"));
  EXPECT_THAT(Texts(KeyRanges(kId, {Between("b", "a")}, 0)), IsEmpty());
  KeyCondition never;
  never.never = true;
  EXPECT_THAT(Texts(KeyRanges(kId, {never}, 0)), IsEmpty());
}

TEST(KeyRangesTest, RangesDoNotOverlap) {
  const std::vector<KeyColumn> texts = {{TypeId::kVarchar}, {TypeId::kVarchar}};
  EXPECT_THAT(Texts(KeyRanges(texts, {Equal({"x", std::string("x\0", 2)}), {}}, 0)), ElementsAre("78..7801"));
}

TEST(KeyRangesTest, APrefixAndBounds) {
  EXPECT_THAT(Texts(KeyRanges(kTwo, {Equal({"a"}), {}}, 0)), ElementsAre("61..6101"));
  EXPECT_THAT(Texts(KeyRanges(kTwo, {Equal({"a", "c"}), Between(int64_t{1}, int64_t{2})}, 0)),
              ElementsAre("610080000001..610080000003", "630080000001..630080000003"));
  // Without a condition on the first column the second is of no use.
  EXPECT_THAT(Texts(KeyRanges(kTwo, {{}, Equal({int64_t{1}})}, 0)), ElementsAre(".."));
}

TEST(KeyRangesTest, EveryRowOfTheConditionsIsCovered) {
  const std::vector<Value> texts = {"a", "aa", "ab", "b", "b\xff", "c"};
  for (const bool descending : {false, true}) {
    for (const size_t columns : {1, 2}) {
      std::vector<KeyColumn> key = {{TypeId::kVarchar, descending}, {TypeId::kInteger, descending}};
      key.resize(columns);
      for (const Value& low : texts) {
        for (const Value& high : texts) {
          std::vector<KeyCondition> conditions = {Between(low, high), {}};
          conditions.resize(columns);
          const std::vector<RowRange> ranges = KeyRanges(key, conditions, 0);
          for (const Value& text : texts) {
            std::vector<Value> values = {text, int64_t{7}};
            values.resize(columns);
            const bool within = text.text() >= low.text() && text.text() <= high.text();
            if (!within) continue;
            EXPECT_TRUE(Covered(ranges, EncodeRowKey(key, values, 0))) << text.text() << descending;
          }
        }
      }
    }
  }
}

TEST(KeyRangesTest, NullsAtTheEndAreCovered) {
  const std::vector<KeyColumn> key = {{TypeId::kVarchar}, {TypeId::kVarchar}};
  const std::vector<RowRange> ranges = KeyRanges(key, {Equal({"a"}), {}}, 0);
  EXPECT_TRUE(Covered(ranges, EncodeRowKey(key, {"a", Value()}, 0)));
  EXPECT_TRUE(Covered(ranges, EncodeRowKey(key, {"a", "b"}, 0)));
  EXPECT_FALSE(Covered(ranges, EncodeRowKey(key, {"aa", "b"}, 0)));
  const std::vector<RowRange> nulls = KeyRanges(key, {Equal({Value()}), Equal({"b"})}, 0);
  EXPECT_TRUE(Covered(nulls, EncodeRowKey(key, {Value(), "b"}, 0)));
}

TEST(KeyRangesTest, SaltedTables) {
  const std::vector<RowRange> point = KeyRanges(kTwo, {Equal({"a"}), Equal({int64_t{1}})}, 4);
  ASSERT_EQ(point.size(), 1U);
  EXPECT_TRUE(Covered(point, EncodeRowKey(kTwo, {"a", int64_t{1}}, 4)));
  EXPECT_THAT(Texts(KeyRanges(kTwo, {{}, {}}, 2)), ElementsAre("00..01", "01..02"));
  EXPECT_EQ(KeyRanges(kTwo, {Equal({"a"}), {}}, 4).size(), 4U);
}

// The ranges end before the columns that would make too many of them: a row's salt is not known then.
TEST(KeyRangesTest, ManyValuesOfSaltedTables) {
  std::vector<Value> many;
  for (int64_t i = 0; i <= static_cast<int64_t>(kMostKeyRanges); ++i) many.emplace_back(i);
  const std::vector<RowRange> ranges = KeyRanges(kTwo, {Equal({"a"}), Equal(many)}, 4);
  EXPECT_EQ(ranges.size(), 4U);
  for (int64_t i = 0; i < 20; ++i) EXPECT_TRUE(Covered(ranges, EncodeRowKey(kTwo, {"a", i}, 4))) << i;
}

}  // namespace
}  // namespace vaquita::sql
