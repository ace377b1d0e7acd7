#include "lab/report/time_axis.h"

#include <gmock/gmock.h>

namespace vaquita::lab {
namespace {

using ::testing::ElementsAre;

std::optional<TimeAxis> AxisOf(const char* fields, uint64_t records) {
  const auto generator = RecordGenerator::Parse(fields);
  EXPECT_TRUE(generator.ok()) << generator.status();
  return TimeAxis::Of(GeneratedRecords(*generator, records), records);
}

std::vector<std::string> TextsOf(const TimeAxis& axis) {
  std::vector<std::string> texts;
  for (const AxisTick& tick : axis.Ticks()) texts.push_back(tick.text);
  return texts;
}

TEST(TimeAxisTest, TicksAreRoundTimesAtTheirPlaces) {
  const auto hours = AxisOf("id=sequence(), ts=time(2026-01-01T00:30, 1s)", 10'000);
  ASSERT_TRUE(hours.has_value());
  EXPECT_EQ(hours->Text(hours->first_ms()), "2026-01-01 00:30");
  EXPECT_EQ(hours->Text(hours->last_ms()), "2026-01-01 03:16");
  EXPECT_THAT(TextsOf(*hours), ElementsAre("00:30", "01:00", "01:30", "02:00", "02:30", "03:00"));
  EXPECT_NEAR(hours->Ticks()[1].place, 0.18, 0.001);
  EXPECT_NEAR(static_cast<double>(hours->MsAt(0.18) - hours->first_ms()), 1'800'000, 5000);

  EXPECT_THAT(TextsOf(*AxisOf("ts=time(2026-01-01, 1h)", 8760)),
              ElementsAre("Jan 2026", "Mar", "May", "Jul", "Sep", "Nov"));
  EXPECT_THAT(TextsOf(*AxisOf("ts=time(2026-01-01T18:00, 1h)", 25)),
              ElementsAre("18:00", "Jan 2", "06:00", "12:00", "18:00"));
  EXPECT_THAT(TextsOf(*AxisOf("ts=time(2026-01-01T10:00, 1ms)", 3001)),
              ElementsAre("10:00:00", "10:00:01", "10:00:02", "10:00:03"));
  EXPECT_THAT(TextsOf(*AxisOf("ts=time(0000-01-01, 36500d)", 100)), ElementsAre("0", "2000", "4000", "6000", "8000"));
  EXPECT_THAT(TextsOf(*AxisOf("ts=time(2020-02-01, 1d)", 2000)), ElementsAre("2021", "2022", "2023", "2024", "2025"));
}

TEST(TimeAxisTest, TimesOfAFileAreText) {
  SampledRecords records(Schema({{"name", FieldKind::kText}, {"at", FieldKind::kText}}), 10);
  for (const char* at : {"2026-01-01T00:00:00Z", "2026-01-01T02:00:00Z", "2026-01-01T04:00:00Z"}) {
    const FieldValue values[] = {{.text = "x"}, {.text = at}};
    records.Add(values);
  }
  records.Sort();
  const auto axis = TimeAxis::Of(records, 3);
  ASSERT_TRUE(axis.has_value());
  EXPECT_THAT(TextsOf(*axis), ElementsAre("Jan 1", "01:00", "02:00", "03:00", "04:00"));
}

TEST(TimeAxisTest, ARunWithoutTimesInItsOrderHasNone) {
  EXPECT_FALSE(AxisOf("id=sequence()", 1000).has_value());
  EXPECT_FALSE(AxisOf("ts=uniform(2026-01-01, 2026-02-01)", 1000).has_value()) << "in no order";
  EXPECT_FALSE(AxisOf("ts=time(2026-01-01, 1s)", 1).has_value());
  EXPECT_TRUE(AxisOf("ts=time(2026-01-01, 10s, 1000)", 1000).has_value()) << "a little late";
  EXPECT_FALSE(AxisOf("ts=time(-9000000000000000000,100000000000000000)", 181).has_value()) << "no dates";
}

}  // namespace
}  // namespace vaquita::lab
