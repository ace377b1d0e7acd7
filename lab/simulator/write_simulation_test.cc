#include "lab/simulator/write_simulation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>

#include "lab/records/csv_file.h"
#include "lab/report/simulation_report.h"
#include "lab/splits/split_calculation.h"

namespace vaquita::lab {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// The hashed keys of the published run: eight hex digits of the MD5 of id and time, then the id.
constexpr const char* kHashedDesign = "hash_prefix(md5_hex(int32(id) + int32(ts)), 8) + int64(id)";
constexpr const char* kHashedFields = "id=sequence(1), ts=uniform(0, 2000000000)";
// The partitioned ones: id modulo 20, then the id.
constexpr const char* kPartitionedDesign = "int64(id % 20) + int64(id)";

RecordGenerator Generator(const std::string& fields) {
  const auto generator = RecordGenerator::Parse(fields);
  EXPECT_TRUE(generator.ok()) << generator.status();
  return *generator;
}

KeyDesign Design(const std::string& expression, const RecordGenerator& generator) {
  const auto design = KeyDesign::Parse(expression, generator.schema());
  EXPECT_TRUE(design.ok()) << design.status();
  return *design;
}

std::vector<std::string> Keys(const RecordGenerator& generator, const KeyDesign& design, uint64_t count) {
  std::vector<std::string> keys(count);
  RecordBuffer buffer;
  for (uint64_t i = 0; i < count; ++i) {
    EXPECT_TRUE(design.AppendKey(generator.Generate(i, &buffer), i, &keys[i]).ok());
  }
  return keys;
}

TEST(WriteSimulationTest, SequentialKeysGoToOneRegionAfterTheOther) {
  const RecordGenerator generator = Generator("id=sequence()");
  const KeyDesign design = Design("int64(id)", generator);
  const SplitKeys splits = *SplitsOfSample(Keys(generator, design, 1000), 4);
  const auto run = SimulateWrites(generator, design, splits, 1000, {.slices = 8});
  ASSERT_TRUE(run.ok()) << run.status();
  EXPECT_EQ(run->records_per_slice, 125);
  for (int slice = 0; slice < 8; ++slice) {
    for (int region = 0; region < 4; ++region) EXPECT_EQ(run->counts.At(region, slice), region == slice / 2 ? 125 : 0);
  }
  const Spread spread = SpreadOf(run->counts);
  EXPECT_DOUBLE_EQ(spread.hottest, 1);        // over the whole run nothing is seen of it
  EXPECT_DOUBLE_EQ(spread.hottest_slice, 4);  // at any time one region has everything
  EXPECT_EQ(run->key_bytes, 8000);
}

// A slice counts by its requests: the last one of a run may have a single request.
TEST(SpreadTest, ASmallSliceIsNoHotspot) {
  RequestCounts counts(10, 3);
  for (int slice = 0; slice < 2; ++slice)
    for (uint64_t& count : counts.Slice(slice)) count = 100;
  counts.Slice(2)[0] = 1;
  EXPECT_NEAR(SpreadOf(counts).hottest_slice, 1, 0.01);
}

// The hottest of 100 regions gets about four of 84 random keys: so many times an even share.
TEST(SpreadTest, ChanceIsNoHotspot) {
  const RecordGenerator generator = Generator("r=hex(8), id=sequence()");
  for (const bool random : {true, false}) {
    const KeyDesign design = Design(random ? "r" : "int64(id)", generator);
    const SplitKeys splits = *SplitsOfSample(Keys(generator, design, 5'000), 100);
    const auto run = SimulateWrites(generator, design, splits, 5'000, {});
    ASSERT_TRUE(run.ok()) << run.status();
    const double hottest = SpreadOf(run->counts).hottest_slice;
    if (random) {
      EXPECT_LT(hottest, 1.6);
    } else {
      EXPECT_GT(hottest, 50);  // one or two regions have everything at a time
    }
  }
}

// The first published run, with a hundredth of its keys: the sampling error is that of the sample, which is a hundredth
// of its size, too.
TEST(WriteSimulationTest, HashedKeysOverRegionsOfASample) {
  const RecordGenerator generator = Generator(kHashedFields);
  const KeyDesign design = Design(kHashedDesign, generator);
  const SplitKeys splits = *SplitsOfSample(Keys(generator, design, 100'000), 10);
  const auto run = SimulateWrites(generator, design, splits, 1'000'000, {});
  ASSERT_TRUE(run.ok()) << run.status();
  EXPECT_EQ(run->counts.Total(), 1'000'000);
  EXPECT_EQ(run->shortest_key, 16);
  EXPECT_EQ(run->longest_key, 16);
  for (int region = 0; region < 10; ++region) {
    EXPECT_GT(run->counts.OfRegion(region), 97'000) << region;
    EXPECT_LT(run->counts.OfRegion(region), 103'000) << region;
  }
}

// The second: exact, as ids are consecutive.
TEST(WriteSimulationTest, PartitionedKeys) {
  const RecordGenerator generator = Generator("id=sequence(1)");
  const auto run =
      SimulateWrites(generator, Design(kPartitionedDesign, generator), *SplitsOfPartitions(), 1'000'000, {});
  ASSERT_TRUE(run.ok()) << run.status();
  for (int region = 0; region < 20; ++region) EXPECT_EQ(run->counts.OfRegion(region), 50'000) << region;
}

TEST(WriteSimulationTest, AnyNumberOfThreadsGivesTheSame) {
  const RecordGenerator generator = Generator("id=sequence(), user=zipf(1000)");
  const KeyDesign design = Design("salt(7) + int32(user) + int64(id)", generator);
  const SplitKeys splits = *SplitsOfSample(Keys(generator, design, 1000), 13);
  const auto one = SimulateWrites(generator, design, splits, 300'000, {.slices = 7, .threads = 1});
  const auto three = SimulateWrites(generator, design, splits, 300'000, {.slices = 7, .threads = 3});
  ASSERT_TRUE(one.ok() && three.ok());
  for (int slice = 0; slice < 7; ++slice) {
    for (int region = 0; region < 13; ++region) {
      ASSERT_EQ(one->counts.At(region, slice), three->counts.At(region, slice)) << region << " " << slice;
    }
  }
}

TEST(WriteSimulationTest, SaysWhichRecordsDoNotFit) {
  const RecordGenerator generator = Generator("id=sequence()");
  const KeyDesign design = Design("int16(id)", generator);  // 32,768 and more do not fit
  const auto all = SimulateWrites(generator, design, SplitKeys(), 200'000, {.threads = 2});
  ASSERT_TRUE(all.ok()) << all.status();
  EXPECT_EQ(all->records, 32'768);
  EXPECT_EQ(all->skipped.count, 200'000 - 32'768);
  ASSERT_EQ(all->skipped.messages.size(), BadRecords::kMostMessages);
  EXPECT_THAT(all->skipped.messages[0], HasSubstr("record 32769: "));
  EXPECT_THAT(all->skipped.messages[0], HasSubstr("32768"));
  EXPECT_THAT(all->skipped.messages[4], HasSubstr("record 32773: "));

  const auto stopped =
      SimulateWrites(generator, design, SplitKeys(), 200'000, {.threads = 2, .stop_at_bad_record = true});
  EXPECT_THAT(stopped.status().message(), HasSubstr("record 32769: "));
}

// A source does not know how long it is: its slices double as it goes on.
class CountingSource : public RecordSource {
 public:
  explicit CountingSource(int64_t count) : count_(count) {}
  const Schema& schema() const override { return schema_; }
  absl::StatusOr<std::optional<Record>> Next() override {
    if (++value_[0].number > count_) return std::optional<Record>();
    return std::optional<Record>(value_);
  }
  std::string Place() const override { return "numbers:" + std::to_string(value_[0].number); }

 private:
  const int64_t count_;
  const Schema schema_{{{"n", FieldKind::kInteger}}};
  FieldValue value_[1];
};

TEST(WriteSimulationTest, ASourcesSlicesCoverItWhole) {
  CountingSource source(1000);
  const auto design = KeyDesign::Parse("int64(n)", source.schema());
  ASSERT_TRUE(design.ok()) << design.status();
  const SplitKeys splits = *SplitKeys::Make({std::string("\0\0\0\0\0\0\1\xF5", 8)});  // 501
  const auto run = SimulateWrites(&source, *design, splits, {.slices = 10});
  ASSERT_TRUE(run.ok()) << run.status();
  EXPECT_EQ(run->records_per_slice, 128);
  EXPECT_EQ(run->counts.slices(), 8);
  EXPECT_EQ(run->counts.OfRegion(0), 500);
  EXPECT_EQ(run->counts.OfRegion(1), 500);
  EXPECT_EQ(run->counts.At(0, 0), 128);
  EXPECT_EQ(run->counts.At(1, 7), 1000 - 7 * 128);
}

TEST(WriteSimulationTest, ARowThatIsNoRecordHasNoNumber) {
  const auto source = CsvRecordsOfText("id,x\n1,a\n2\n3,a\n4,a\n5,b\n", "csv");
  ASSERT_TRUE(source.ok()) << source.status();
  const auto design = KeyDesign::Parse("round_robin(2) + id", (*source)->schema());
  const auto run = SimulateWrites(source->get(), *design, *SplitsOfBuckets(2), {});
  ASSERT_TRUE(run.ok()) << run.status();
  EXPECT_EQ(run->skipped.count, 1u);
  EXPECT_EQ(run->counts.OfRegion(0), 2);
  EXPECT_EQ(run->counts.OfRegion(1), 2);
}

// Rows behind an error of reading are not there: its figures would be those of a part of the file.
class CutSource : public CountingSource {
 public:
  using CountingSource::CountingSource;
  absl::StatusOr<std::optional<Record>> Next() override {
    const auto record = CountingSource::Next();
    if (record->has_value() || std::exchange(told_, true)) return record;
    return absl::DataLossError("a.csv:4: unexpected end of file");
  }

 private:
  bool told_ = false;
};

TEST(WriteSimulationTest, ASourceThatCannotBeReadToItsEndIsAnError) {
  CutSource source(3);
  const auto design = KeyDesign::Parse("int64(n)", source.schema());
  ASSERT_TRUE(design.ok()) << design.status();
  EXPECT_EQ(SimulateWrites(&source, *design, SplitKeys(), {}).status().message(), "a.csv:4: unexpected end of file");
}

TEST(SimulationReportTest, TextIsStartKeyRequestsAndRatio) {
  const RecordGenerator generator = Generator("id=sequence()");
  SimulationReport report{
      .design = "byte(id % 4)",
      .splits = *SplitsOfBuckets(4),
      .starts = {},
      .times = std::nullopt,
      .writes = *SimulateWrites(generator, Design("byte(id % 4)", generator), *SplitsOfBuckets(4), 4002, {})};
  EXPECT_THAT(ReportLines(report), ::testing::Eq("start key:requests:(ratio)\n"
                                                 ":1001:(1.0005)\n\\x01:1001:(1.0005)\n"
                                                 "\\x02:1000:(0.9995)\n\\x03:1000:(0.9995)\ntotal:4002\n"));
  EXPECT_THAT(ReportText(report),
              ::testing::StartsWith("4,002 writes. 1.00 x is an even share, 1,001 writes of a region.\n\n"
                                    "start key  writes   share\n"
                                    "(first)     1,001  1.00 x\n"
                                    "\\x01        1,001  1.00 x\n"));
  EXPECT_THAT(ReportCsv(report), ::testing::StartsWith("start_key,end_key,requests,ratio\n,\\x01,1001,1.0005\n"));
  EXPECT_THAT(ReportJson(report), HasSubstr("\"total\": 4002"));
  EXPECT_THAT(ReportHtml(report), HasSubstr("<svg"));
}

TEST(SimulationReportTest, Numbers) {
  EXPECT_EQ(RatioText(1), "1.0");
  EXPECT_EQ(RatioText(0.99826), "0.9983");
  EXPECT_EQ(RatioText(12.5), "12.5");
  EXPECT_EQ(WithCommas(100'000'000), "100,000,000");
  EXPECT_EQ(WithCommas(999), "999");
  EXPECT_EQ(WithCommas(1000), "1,000");
}

}  // namespace
}  // namespace vaquita::lab
