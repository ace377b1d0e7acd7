#include "lab/simulator/read_simulation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "lab/design/duplicate_keys.h"
#include "lab/records/csv_file.h"
#include "lab/report/simulation_report.h"
#include "lab/splits/design_splits.h"
#include "lab/splits/split_calculation.h"

namespace vaquita::lab {
namespace {

using ::testing::HasSubstr;

constexpr const char* kReadFields = "id=sequence(), ts=time(2026-01-01, 1s)";
constexpr uint64_t kReadRecords = 200'000;

class ReadSimulationTest : public ::testing::Test {
 protected:
  ReadSimulationTest() : records_(*RecordGenerator::Parse(kReadFields), kReadRecords) {}

  ReadSimulation Read(const std::string& expression, const SplitKeys& splits, const ReadLoad& load, int threads = 0) {
    const auto design = KeyDesign::Parse(expression, records_.schema());
    EXPECT_TRUE(design.ok()) << design.status();
    auto run = SimulateReads(records_, kReadRecords, *design, {}, splits, load, {.slices = 5, .threads = threads});
    EXPECT_TRUE(run.ok()) << run.status();
    return *run;
  }
  // 16 regions of equal size of a design whose keys begin with the time.
  SplitKeys TimeSplits() {
    std::vector<std::string> keys;
    const auto design = KeyDesign::Parse("int64(ts)", records_.schema());
    RecordBuffer buffer;
    for (uint64_t i = 0; i < kReadRecords; i += 100) {
      keys.emplace_back();
      EXPECT_TRUE(design->AppendKey(records_.Get(i, &buffer), i, &keys.back()).ok());
    }
    return *SplitsOfSample(keys, 16);
  }
  static ReadLoad Minutes(ReadPattern pattern) {  // 60 records
    ReadLoad load{.reads = 5000, .pattern = pattern};
    load.scan = ReadLoad::FieldScan{.field = 1, .length = 60'000, .share = 0, .known_fields = {}};
    return load;
  }

  GeneratedRecords records_;
};

// The price of a salt: sixteen requests and ranges where there was one, for the same rows.
TEST_F(ReadSimulationTest, AScanOverASaltAsksEveryBucket) {
  const ReadSimulation plain = Read("int64(ts)", TimeSplits(), Minutes(ReadPattern::kUniform));
  EXPECT_EQ(plain.reads, 5000);
  EXPECT_DOUBLE_EQ(plain.RangesPerRead(), 1);
  EXPECT_LT(plain.RequestsPerRead(), 1.02);  // few cross a region's end
  const ReadSimulation salted = Read("salt(16) + int64(ts)", *SplitsOfBuckets(16), Minutes(ReadPattern::kUniform));
  EXPECT_DOUBLE_EQ(salted.RangesPerRead(), 16);
  EXPECT_DOUBLE_EQ(salted.RequestsPerRead(), 16);
  for (int region = 0; region < 16; ++region) EXPECT_EQ(salted.counts.OfRegion(region), 5000);
  for (const ReadSimulation& run : {plain, salted}) {
    EXPECT_NEAR(run.rows_wanted, 60, 3);
    EXPECT_NEAR(run.rows_read, 60, 3);
  }
}

TEST_F(ReadSimulationTest, AScanOfHashedKeysReadsTheTable) {
  const ReadSimulation run = Read("md5(int64(ts))", *SplitsOfBytes(8), Minutes(ReadPattern::kUniform));
  EXPECT_DOUBLE_EQ(run.RequestsPerRead(), 8);
  EXPECT_NEAR(run.rows_read, kReadRecords, 1);
  EXPECT_NEAR(run.rows_wanted, 60, 3);
}

TEST_F(ReadSimulationTest, AScanMayReachBackBeyondAllTimes) {
  const GeneratedRecords old(*RecordGenerator::Parse("id=sequence(), ts=time(1900-01-01, 1s)"), kReadRecords);
  ReadLoad load = Minutes(ReadPattern::kUniform);
  load.scan->length = std::numeric_limits<int64_t>::max();
  const auto run = SimulateReads(old, kReadRecords, *KeyDesign::Parse("int64(ts)", old.schema()), {}, SplitKeys(), load,
                                 {.slices = 5});
  ASSERT_TRUE(run.ok()) << run.status();
  EXPECT_GT(run->rows_wanted, kReadRecords / 4);
}

// Ids below 0 stand behind all others, and 1000 before 999.
TEST_F(ReadSimulationTest, AScanBeginsWithTheLeastValue) {
  ReadLoad load{.reads = 5000};
  load.scan = ReadLoad::FieldScan{.field = 0, .length = 1000, .share = 0, .known_fields = {}};
  for (const auto& [fields, expression] :
       {std::pair("id=sequence()", "int64(id)"), std::pair("id=sequence()", "reverse_time(id)"),
        std::pair("id=sequence(1000)", "id")}) {
    const GeneratedRecords records(*RecordGenerator::Parse(fields), 9'000);
    const auto design = KeyDesign::Parse(expression, records.schema());
    const auto splits = SplitsOfDesign(records, *design, 9);
    ASSERT_TRUE(splits.ok()) << splits.status();
    const auto run = SimulateReads(records, 9'000, *design, {}, *splits, load, {.slices = 5});
    ASSERT_TRUE(run.ok()) << run.status();
    EXPECT_DOUBLE_EQ(run->RangesPerRead(), 1) << expression;
    EXPECT_NEAR(run->RequestsPerRead(), 1 + 8.0 / 9, 0.02) << expression << ": all but those in the first region";
    EXPECT_NEAR(run->rows_read, run->rows_wanted, 10) << expression;
  }
}

TEST_F(ReadSimulationTest, TheLatestAreInTheLastRegion) {
  const ReadSimulation latest = Read("int64(ts)", TimeSplits(), Minutes(ReadPattern::kLatest));
  EXPECT_GT(latest.counts.OfRegion(15), 5000 * 0.7);
  const ReadSimulation gets = Read("int64(ts)", TimeSplits(), {.reads = 50'000, .pattern = ReadPattern::kUniform});
  EXPECT_EQ(gets.requests, 50'000);
  for (int region = 0; region < 16; ++region) EXPECT_NEAR(gets.counts.OfRegion(region), 50'000 / 16.0, 300);
}

TEST_F(ReadSimulationTest, AnyNumberOfThreadsGivesTheSame) {
  const ReadLoad load{.reads = 200'000, .pattern = ReadPattern::kZipfian};
  const ReadSimulation one = Read("salt(4) + int64(ts)", *SplitsOfBuckets(4), load, 1);
  const ReadSimulation three = Read("salt(4) + int64(ts)", *SplitsOfBuckets(4), load, 3);
  EXPECT_EQ(one.requests, 800'000);
  EXPECT_EQ(one.requests, three.requests);
  for (int slice = 0; slice < 5; ++slice) {
    for (int region = 0; region < 4; ++region) ASSERT_EQ(one.counts.At(region, slice), three.counts.At(region, slice));
  }
}

TEST(RecordChoiceTest, Zipfian) {
  const RecordChoice choice(ReadPattern::kZipfian, 1'000'000);
  const RecordChoice latest(ReadPattern::kLatest, 1'000'000);
  std::map<uint64_t, int> reads;
  int newest = 0;
  for (uint64_t draw = 0; draw < 100'000; ++draw) {
    ASSERT_LT(choice.Choose(draw), 1'000'000);
    ++reads[choice.Choose(draw)];
    newest += latest.Choose(draw) >= 990'000 ? 1 : 0;
  }
  int most = 0;
  for (const auto& [record, count] : reads) most = std::max(most, count);
  // With a constant of 0.99 the first of a million gets 1 / 15.39 of all, and the first 10,000 get 68%.
  EXPECT_NEAR(most, 100'000 / 15.39, 400);
  EXPECT_NEAR(newest, 68'000, 3'000);
}

TEST(RecordChoiceTest, OneRecordIsAlwaysTheOne) {
  for (const auto pattern : {ReadPattern::kUniform, ReadPattern::kZipfian, ReadPattern::kLatest}) {
    for (uint64_t draw = 0; draw < 100; ++draw) EXPECT_EQ(RecordChoice(pattern, 1).Choose(draw), 0);
  }
}

TEST(DuplicateKeysTest, NamesTheFirstPair) {
  const GeneratedRecords records(*RecordGenerator::Parse("id=sequence()"), 10'000);
  const auto repeating = KeyDesign::Parse("int64(id % 5000)", records.schema());
  const DuplicateKeys found = FindDuplicateKeys(records, *repeating);
  EXPECT_EQ(found.checked, 10'000);
  EXPECT_EQ(found.repeated, 5'000);
  EXPECT_EQ(found.earlier, 0);
  EXPECT_EQ(found.later, 5'000);
  EXPECT_THAT(found.Text(), HasSubstr("records 1 and 5001 are both '\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00'"));
  EXPECT_EQ(FindDuplicateKeys(records, *repeating, 5'000).repeated, 0);
  EXPECT_EQ(FindDuplicateKeys(records, *KeyDesign::Parse("int64(id)", records.schema())).Text(), "");
}

TEST(DuplicateKeysTest, AFileIsReadWhole) {
  std::string csv = "id,x\n";
  for (int row = 0; row < 10'000; ++row) csv += std::to_string(row % 5000) + (row == 3 ? "\n" : ",a\n");
  const auto found = [&](uint64_t most) {
    const auto source = CsvRecordsOfText(csv, "csv");
    return *FindDuplicateKeys(source->get(), *KeyDesign::Parse("id", (*source)->schema()), most);
  };
  EXPECT_EQ(found(1'000'000).checked, 9'999) << "but for the row that is no record";
  EXPECT_EQ(found(1'000'000).repeated, 4'999);
  EXPECT_EQ(found(1'000'000).earlier, 0);
  EXPECT_EQ(found(1'000'000).later, 4'999);
  EXPECT_EQ(found(1'000'000).key, "0");
  EXPECT_EQ(found(4'999).repeated, 0);
}

}  // namespace
}  // namespace vaquita::lab
