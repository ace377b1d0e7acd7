#include "lab/report/advice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lab/report/design_comparison.h"
#include "lab/splits/design_splits.h"

namespace vaquita::lab {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Kind = Finding::Kind;

constexpr int kRegions = 10;
constexpr uint64_t kRecords = 20'000;

// Returns the advice of `lab advise` on a design.
struct Examination {
  std::vector<Finding> findings;
  std::vector<Proposal> proposals;
  std::vector<DesignFigures> proposed;  // figures of each proposal

  std::vector<Kind> Kinds() const {
    std::vector<Kind> kinds;
    for (const Finding& finding : findings) kinds.push_back(finding.kind);
    return kinds;
  }
};

Examination Examine(const std::string& fields, const std::string& expression) {
  const auto generator = RecordGenerator::Parse(fields);
  EXPECT_TRUE(generator.ok()) << generator.status();
  const GeneratedRecords records(*generator, kRecords);
  const auto design = KeyDesign::Parse(expression, records.schema());
  EXPECT_TRUE(design.ok()) << design.status();
  std::vector<std::string> keys(kRecords);
  RecordBuffer buffer;
  for (uint64_t i = 0; i < kRecords; ++i) EXPECT_TRUE(design->AppendKey(records.Get(i, &buffer), i, &keys[i]).ok());
  const auto splits = SplitsOfDesign(records, *design, kRegions);
  const SplitKeys table = splits.ok() ? *splits : SplitKeys();  // too few keys for as many regions
  const auto writes = SimulateWrites(records, *design, table, {.slices = 50});
  EXPECT_TRUE(writes.ok()) << writes.status();
  const KeyStatistics statistics = DescribeKeys(keys);
  const LookupTables tables;
  const ExaminedKey key{*design, tables, records, statistics, SpreadOf(writes->counts), kRegions};
  Examination examination{FindProblems(key), {}, {}};
  examination.proposals = ProposeDesigns(key, examination.findings);
  for (const Proposal& proposal : examination.proposals) {
    const auto proposed = KeyDesign::Parse(proposal.design, records.schema());
    EXPECT_TRUE(proposed.ok()) << proposal.design << ": " << proposed.status();
    const auto proposed_splits = SplitsOfDesign(records, *proposed, kRegions);
    EXPECT_TRUE(proposed_splits.ok()) << proposed_splits.status();
    const auto figures = SimulateDesign("A", *proposed, tables, records, *proposed_splits, {.gets = 1000});
    EXPECT_TRUE(figures.ok()) << figures.status();
    examination.proposed.push_back(*figures);
  }
  return examination;
}

TEST(AdviceTest, SequentialIdsAreMonotonic) {
  const Examination seen = Examine("id=sequence(1)", "pad(id, 10)");
  ASSERT_THAT(seen.Kinds(), ElementsAre(Kind::kRising));
  EXPECT_THAT(seen.findings[0].text, HasSubstr("100% of the keys are larger than every one before"));
  EXPECT_THAT(seen.findings[0].text, HasSubstr("of 10 regions the hottest gets 10.00 x an even share"));
  ASSERT_EQ(seen.proposals.size(), 2);
  EXPECT_THAT(seen.proposals[0].design, HasSubstr("bytes_hash"));
  EXPECT_EQ(seen.proposals[1].design, "reverse_digits(pad(id, 10))");
  for (const DesignFigures& figures : seen.proposed) {
    EXPECT_LT(figures.writes.hottest_slice, 1.6) << figures.design;
    EXPECT_EQ(figures.requests_per_get, 1) << figures.design;
    EXPECT_EQ(figures.repeated_keys, 0) << figures.design;
  }
}

TEST(AdviceTest, ReversedTimeFalls) {
  EXPECT_THAT(Examine("ts=time(2026-01-01, 1ms)", "reverse_time(ts)").Kinds(), ElementsAre(Kind::kFalling));
}

// Time first: the host, which is in the key already, could be first instead.
TEST(AdviceTest, TimeBeforeAHostThatSpreads) {
  const Examination seen = Examine("ts=time(2026-01-01, 1ms), host=uniform(1, 1000)", "int64(ts) + '|' + pad(host, 4)");
  ASSERT_THAT(seen.Kinds(), ElementsAre(Kind::kRising));
  ASSERT_EQ(seen.proposals.size(), 3);
  EXPECT_EQ(seen.proposals[1].design, "pad(host, 4) + '|' + int64(ts)");
  EXPECT_LT(seen.proposed[1].writes.hottest_slice, 1.6);
}

// Records that come a little late do not hide that keys rise.
TEST(AdviceTest, DelayedTimesAreMonotonic) {
  EXPECT_THAT(Examine("ts=time(2026-01-01, 100ms, 300)", "int64(ts)").Kinds(), ElementsAre(Kind::kRising));
}

TEST(AdviceTest, FewBeginningsThatRise) {
  const Examination seen = Examine("ts=time(2026-01-01, 1ms), type=choice('error', 'warn')", "type + ':' + int64(ts)");
  ASSERT_THAT(seen.Kinds(), ElementsAre(Kind::kFewBeginnings));
  EXPECT_THAT(seen.findings[0].text, HasSubstr("have 2 values"));
}

// Fifty devices write in turn, in an order of their own.
class RecordsInTurn final : public RecordSet {
 public:
  const Schema& schema() const override { return schema_; }
  uint64_t size() const override { return 100'000; }
  Record Get(uint64_t index, RecordBuffer*) const override {
    values_[0].number = static_cast<int64_t>(index);
    values_[1].number = static_cast<int64_t>(index * 7 % 50);
    values_[2].number = static_cast<int64_t>(10'000 + index / 100);
    return values_;
  }
  uint64_t RunIndex(uint64_t index) const override { return index; }

 private:
  const Schema schema_{
      {{"ts", FieldKind::kInteger}, {"device", FieldKind::kInteger}, {"hundreds", FieldKind::kInteger}}};
  mutable FieldValue values_[3];
};

// Every fifth record would have ten of the devices alone. A field that rises, too, spreads nothing.
TEST(AdviceTest, FieldsWhoseValuesComeInTurn) {
  const RecordsInTurn records;
  const auto design = KeyDesign::Parse("int64(ts)", records.schema());
  ASSERT_TRUE(design.ok()) << design.status();
  const LookupTables tables;
  const KeyStatistics statistics;
  const ExaminedKey key{*design, tables, records, statistics, {}, kRegions};
  const auto proposals = ProposeDesigns(key, {{Kind::kRising, ""}});
  ASSERT_EQ(proposals.size(), 3);
  EXPECT_EQ(proposals[1].design, "device + '|' + int64(ts)");
}

TEST(AdviceTest, AHotRow) {
  const Examination seen =
      Examine("user=choice('everybody':9, 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j')", "user");
  ASSERT_THAT(seen.Kinds(), ::testing::Contains(Kind::kHotRow));
  EXPECT_THAT(seen.findings.back().text, HasSubstr("'everybody' gets 9,4"));
  EXPECT_EQ(seen.proposals[0].design, "round_robin(10) + user");
}

TEST(AdviceTest, LongKeys) {
  const Examination seen = Examine("id=uniform(0, 1000000000000)",
                                   "hex(md5(int64(id))) + 'https://example.com/a/rather/long/path/' + pad(id, 13)");
  ASSERT_THAT(seen.Kinds(), ElementsAre(Kind::kLongKeys));
  EXPECT_THAT(seen.findings[0].text, HasSubstr("84.0 bytes on average"));
  EXPECT_EQ(seen.proposed.back().mean_key_bytes, 16);
}

TEST(AdviceTest, NothingIsWrongWithAHashedKey) {
  const Examination seen = Examine("id=sequence()", "hash_prefix(md5(int64(id)), 2) + int64(id)");
  EXPECT_THAT(seen.findings, ::testing::IsEmpty());
  EXPECT_THAT(seen.proposals, ::testing::IsEmpty());
}

TEST(KeyStatisticsTest, Describes) {
  const KeyStatistics s = DescribeKeys({"ab1", "ab2", "ab3", "ab3", "ab05"});
  EXPECT_EQ(s.keys, 5);
  EXPECT_EQ(s.distinct, 4);
  EXPECT_DOUBLE_EQ(s.mean_bytes, 3.2);
  EXPECT_EQ(s.shortest, 3);
  EXPECT_EQ(s.longest, 4);
  EXPECT_DOUBLE_EQ(s.rising, 0.5);
  EXPECT_DOUBLE_EQ(s.falling, 0.25);
  EXPECT_EQ(s.common_prefix, "ab");
  EXPECT_EQ(s.most_frequent, "ab3");
  EXPECT_DOUBLE_EQ(s.most_frequent_share, 0.4);
  EXPECT_EQ(s.prefixes[0].bytes, 3);
  EXPECT_EQ(s.prefixes[0].values, 4);
}

}  // namespace
}  // namespace vaquita::lab
