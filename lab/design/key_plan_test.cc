#include "lab/design/key_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace vaquita::lab {
namespace {

using ::testing::ElementsAre;

constexpr const char* kFields = "id=sequence(), ts=time(2026-01-01, 1m), user=zipf(100000), host=choice('a', 'b', 'c')";
enum { kId, kTs, kUser, kHost };

class KeyPlanTest : public ::testing::Test {
 protected:
  explicit KeyPlanTest(const char* fields = kFields) : records_(*RecordGenerator::Parse(fields), 100'000) {}

  KeyPlan Plan(const std::string& expression, const Question& question) {
    const auto design = KeyDesign::Parse(expression, records_.schema());
    EXPECT_TRUE(design.ok()) << design.status();
    auto plan = KeyPlan::Make(*design, {}, records_, question);
    EXPECT_TRUE(plan.ok()) << plan.status();
    return *plan;
  }
  std::vector<PartUse> Uses(const KeyPlan& plan) {
    std::vector<PartUse> uses;
    for (const PartPlan& part : plan.parts()) uses.push_back(part.use);
    return uses;
  }
  // The ranges of the question about record `index`; of a scan the hour that ends with it.
  std::vector<RowRange> Ranges(const KeyPlan& plan, uint64_t index, bool scan = true) {
    const Record record = records_.Get(index, &buffer_);
    FieldRange range{record[kTs], record[kTs]};
    range.first.number -= 3'600'000 - 1;
    std::vector<RowRange> ranges;
    EXPECT_TRUE(plan.AppendRanges(record, index, scan ? &range : nullptr, &ranges).ok());
    return ranges;
  }
  static Question EveryField() { return {.known_fields = {kId, kTs, kUser, kHost}}; }
  static Question TimeRange() { return {.range_field = kTs}; }
  static Question TimeRangeOfUser() { return {.known_fields = {kUser}, .range_field = kTs}; }

  // Counts the records in the ranges: first the run's of the hour before record `index`, then all others.
  std::pair<int, int> Covered(const std::string& expression, const std::vector<RowRange>& ranges, uint64_t index) {
    const auto design = KeyDesign::Parse(expression, records_.schema());
    const int64_t last = records_.Get(index, &buffer_)[kTs].number;
    std::pair<int, int> covered{0, 0};
    std::string key;
    for (uint64_t i = 0; i < records_.size(); ++i) {
      const Record record = records_.Get(i, &buffer_);
      const int64_t ts = record[kTs].number;
      key.clear();
      EXPECT_TRUE(design->AppendKey(record, i, &key).ok());
      bool in = false;
      for (const RowRange& range : ranges) in = in || range.Contains(key);
      if (in) ++(ts <= last && ts > last - 3'600'000 ? covered.first : covered.second);
    }
    return covered;
  }

  GeneratedRecords records_;
  RecordBuffer buffer_;
};

TEST_F(KeyPlanTest, AGetOfAComputableKeyIsOneRow) {
  const KeyPlan plan = Plan("int32(user) + ':' + int64(id)", EveryField());
  EXPECT_THAT(Uses(plan), ElementsAre(PartUse::kComputed, PartUse::kComputed, PartUse::kComputed));
  const auto ranges = Ranges(plan, 7, false);
  ASSERT_EQ(ranges.size(), 1);
  EXPECT_EQ(ranges[0].start, ranges[0].stop);
  EXPECT_TRUE(ranges[0].stop_inclusive);
}

// A random salt is not known: every bucket is asked. A bucket of a field is computed.
TEST_F(KeyPlanTest, AGetOfASaltedKeyAsksEveryBucket) {
  const KeyPlan salted = Plan("salt(16) + int64(id)", EveryField());
  EXPECT_THAT(Uses(salted), ElementsAre(PartUse::kEveryValue, PartUse::kComputed));
  EXPECT_EQ(Ranges(salted, 7, false).size(), 16);
  EXPECT_EQ(Ranges(Plan("bucket(id, 16) + int64(id)", EveryField()), 7, false).size(), 1);
}

TEST_F(KeyPlanTest, AScanOfTimeFirstIsOneRange) {
  const std::string design = "int64(ts) + int64(id)";
  const KeyPlan plan = Plan(design, TimeRange());
  EXPECT_EQ(plan.parts()[0].use, PartUse::kRange);
  const auto ranges = Ranges(plan, 5000);
  EXPECT_EQ(ranges.size(), 1);
  EXPECT_EQ(Covered(design, ranges, 5000), std::pair(60, 0));
}

TEST_F(KeyPlanTest, AScanOfASaltedDesignHasARangeABucket) {
  for (const std::string design : {"salt(16) + int64(ts)", "bucket(long_hash(ts), 16) + int64(ts)"}) {
    const KeyPlan plan = Plan(design, TimeRange());
    EXPECT_EQ(plan.parts()[0].use, PartUse::kEveryValue) << design;
    EXPECT_EQ(plan.ranges(), plan.parts()[0].values);
    const auto ranges = Ranges(plan, 5000);
    EXPECT_EQ(ranges.size(), plan.ranges());
    EXPECT_EQ(Covered(design, ranges, 5000), std::pair(60, 0)) << design;
  }
}

TEST_F(KeyPlanTest, ReversedTimeIsARangeToo) {
  const std::string design = "reverse_time(ts)";
  EXPECT_EQ(Covered(design, Ranges(Plan(design, TimeRange()), 5000), 5000), std::pair(60, 0));
}

// Negative numbers stand behind the others, so that the ends of a range change places.
TEST_F(KeyPlanTest, ARangeAroundTheEndIsTwo) {
  const std::string design = "host + int64(ts)";
  const KeyPlan plan = Plan(design, {.known_fields = {kHost}, .range_field = kTs});
  const Record record = records_.Get(59, &buffer_);
  FieldRange range{record[kTs], record[kTs]};
  range.first.number = -1;
  std::vector<RowRange> ranges;
  ASSERT_TRUE(plan.AppendRanges(record, 59, &range, &ranges).ok());
  ASSERT_EQ(ranges.size(), 2);
  for (const RowRange& rows : ranges) EXPECT_LT(rows.start, rows.stop);
  const std::string host(record[kHost].text);
  EXPECT_TRUE(ranges[0].Contains(host + std::string(8, '\0')) && ranges[1].Contains(host + std::string(8, '\xFF')));
  EXPECT_FALSE(ranges[0].Contains(host + '\x7F') || ranges[1].Contains(host + '\x7F'));
}

TEST_F(KeyPlanTest, AHashedKeyIsAFullScan) {
  const KeyPlan plan = Plan("md5(int64(ts)) + int64(ts)", TimeRange());
  EXPECT_THAT(Uses(plan), ElementsAre(PartUse::kOpen));
  const auto ranges = Ranges(plan, 5000);
  ASSERT_EQ(ranges.size(), 1);
  EXPECT_TRUE(ranges[0].start.empty() && ranges[0].stop.empty());
}

TEST_F(KeyPlanTest, AHashOfAKnownFieldIsComputed) {
  const KeyPlan plan = Plan("hash_prefix(md5_hex(user), 3) + pad(user, 8) + int64(ts)", TimeRangeOfUser());
  EXPECT_THAT(Uses(plan), ElementsAre(PartUse::kComputed, PartUse::kComputed, PartUse::kRange));
  EXPECT_EQ(Ranges(plan, 5000).size(), 1);
}

// If a field is not known, its values are tried one by one if there are few of them.
TEST_F(KeyPlanTest, UnknownFieldsBeforeTheRange) {
  const std::string design = "host + int64(ts)";
  const KeyPlan plan = Plan(design, TimeRange());
  EXPECT_EQ(plan.ranges(), 3);
  EXPECT_EQ(Covered(design, Ranges(plan, 5000), 5000), std::pair(60, 0));
  EXPECT_THAT(Uses(Plan("int64(user) + int64(ts)", TimeRange())), ElementsAre(PartUse::kOpen));
}

// A key may have parts that are empty.
class KeyPlanOfEmptyPartsTest : public KeyPlanTest {
 protected:
  KeyPlanOfEmptyPartsTest()
      : KeyPlanTest("id=sequence(), ts=time(2026-01-01, 1m), user=zipf(100000), host=choice('', 'b', 'c')") {}
};

TEST_F(KeyPlanOfEmptyPartsTest, TheyAreValuesAsOthers) {
  const std::string design = "host + '|' + int64(ts)";
  const KeyPlan plan = Plan(design, TimeRange());
  EXPECT_EQ(plan.ranges(), 3);
  EXPECT_EQ(Covered(design, Ranges(plan, 5000), 5000), std::pair(60, 0));
  for (uint64_t index = 0; index < 10; ++index) EXPECT_EQ(Ranges(Plan(design, EveryField()), index, false).size(), 1);
}

// A coarse part bounds what it can: an hour lies within one or two of its values.
TEST_F(KeyPlanTest, ATimeBucketReadsWhatElseIsInIt) {
  const std::string design = "int64(time_bucket(ts, 1d)) + int64(user) + int64(ts)";
  const auto [wanted, other] = Covered(design, Ranges(Plan(design, TimeRange()), 5000), 5000);
  EXPECT_EQ(wanted, 60);
  EXPECT_EQ(other, 24 * 60 - 60);
}

}  // namespace
}  // namespace vaquita::lab
