#include "lab/report/design_comparison.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

#include "lab/splits/design_splits.h"

namespace vaquita::lab {
namespace {

using ::testing::HasSubstr;

constexpr uint64_t kRun = 20'000;

DesignFigures FiguresOfDesign(const RecordSet& records, const char* expression, const ComparedLoad& load) {
  const auto design = KeyDesign::Parse(expression, records.schema());
  const auto splits = SplitsOfDesign(records, *design, 4);
  EXPECT_TRUE(splits.ok()) << splits.status();
  auto figures = SimulateDesign("A", *design, {}, records, *splits, load);
  EXPECT_TRUE(figures.ok()) << figures.status();
  return *figures;
}

// A file's records are a sample, and its rows are those of the file.
TEST(DesignComparison, FiguresOfASampleAreThoseOfItsRun) {
  const auto all = std::make_shared<GeneratedRecords>(*RecordGenerator::Parse("id=sequence()"), kRun);
  const SpreadRecords sample(all, kRun / 4);
  ComparedLoad load{.scan = ReadLoad::FieldScan{.field = 0, .length = 1000, .share = 0, .known_fields = {}}};
  const DesignFigures whole = FiguresOfDesign(*all, "pad(id, 10)", load);
  load.run_records = kRun;
  const DesignFigures sampled = FiguresOfDesign(sample, "pad(id, 10)", load);
  EXPECT_NEAR(sampled.rows_read_per_scan, whole.rows_read_per_scan, 20);
  EXPECT_NEAR(sampled.rows_wanted_per_scan, whole.rows_wanted_per_scan, 20);
  EXPECT_NEAR(whole.rows_read_per_scan, 975, 15);
}

TEST(DesignComparison, ItSaysHowManyKeysWereNotCompared) {
  const auto all = std::make_shared<GeneratedRecords>(*RecordGenerator::Parse("id=sequence()"), kRun);
  ComparedLoad load;
  DesignFigures figures = FiguresOfDesign(*all, "pad(id % 1000, 10)", load);
  EXPECT_EQ(figures.repeated_keys, 19'000u);
  EXPECT_THAT(ComparisonText({figures}, load), HasSubstr("rows hidden by a repeated key  "));
  load.run_records = kRun;
  figures = FiguresOfDesign(SpreadRecords(all, 5'000), "pad(id % 1000, 10)", load);
  EXPECT_THAT(ComparisonText({figures}, load), HasSubstr("rows hidden by a repeated key, but for 15,000 rows"));
}

TEST(SpreadRecords, TheyAreInOrderAndHaveTheirNumbers) {
  const auto all = std::make_shared<GeneratedRecords>(*RecordGenerator::Parse("id=sequence()"), kRun);
  const SpreadRecords some(all, 1000);
  ASSERT_EQ(some.size(), 1000u);
  RecordBuffer buffer;
  for (uint64_t i = 0; i < some.size(); ++i) {
    EXPECT_EQ(some.RunIndex(i) / 20, i);
    EXPECT_EQ(some.Get(i, &buffer)[0].number, static_cast<int64_t>(some.RunIndex(i)));
  }
  EXPECT_EQ(SpreadRecords(all, kRun + 1).size(), kRun);
}

}  // namespace
}  // namespace vaquita::lab
