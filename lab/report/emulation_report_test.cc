#include "lab/report/emulation_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "base/testing/json_of.h"
#include "lab/report/emulation_picture.h"

namespace vaquita::lab {
namespace {

using ::testing::HasSubstr;

// Two servers, two regions; the first region takes no more writes.
EmulationReport Report() {
  EmulationReport report{.design = "pad(id, 10) + '<&>'"};
  report.cluster.servers = 2;
  report.load.records = 1000;
  report.load.duration_ms = 2 * 86'400'000.0;
  report.mean_key_bytes = 10;
  Emulation& emulation = report.emulation;
  emulation.split_bytes = 10e6;
  emulation.total = {.records = 1000,
                     .data_bytes = 9e6,
                     .files = 3,
                     .flushes = 4,
                     .flushed_bytes = 8e6,
                     .minor_compactions = 2,
                     .compacted_bytes = 12e6};
  emulation.regions = {
      {.start_key = "", .server = 1, .counts = {.records = 10, .data_bytes = 5e6}, .left_behind = true},
      {.start_key = "a\"\x01", .server = 0, .counts = {.records = 990, .data_bytes = 4e6}}};
  emulation.servers = {{.regions = 1, .counts = {.records = 990, .files = 3}, .cache_hit_ratio = 0.5},
                       {.regions = 1, .counts = {.records = 10}}};
  emulation.timeline = {{.time_ms = 1, .regions = 1, .hottest_region_share = 1, .server_shares = {1, 0}},
                        {.time_ms = 2, .regions = 2, .hottest_region_share = 0.99, .server_shares = {0.99, 0.01}}};
  return report;
}

TEST(EmulationReportTest, TheTextHasTheFiguresAndWhatIsLeftBehind) {
  const std::string text = EmulationText(Report());
  EXPECT_THAT(text, HasSubstr("write amplification    2.50"));
  EXPECT_THAT(text, HasSubstr("hottest region         1.98 x an even share of the writes at a time (median), 1.98 x at "
                              "the end;\n                       of 2 regions one that takes everything has 2.00 x\n"));
  EXPECT_THAT(text, HasSubstr("1 of 2 regions take no more writes; they hold 5.0 MB on average, 0.50 x the size"));
  EXPECT_THAT(text, HasSubstr("a\"\\x01"));
  EXPECT_THAT(text, HasSubstr(" 50.0% ")) << "cached";
  EXPECT_THAT(text, HasSubstr("       - ")) << "a server without files reads none";
  EXPECT_THAT(EmulationText(Report(), 1), HasSubstr("The 1 most written of 2 regions"));
}

TEST(EmulationReportTest, TablesHaveALineARow) {
  const auto lines = [](const std::string& csv) { return std::count(csv.begin(), csv.end(), '\n'); };
  EXPECT_EQ(lines(EmulationRegionsCsv(Report())), 3);
  EXPECT_EQ(lines(EmulationServersCsv(Report())), 3);
  EXPECT_EQ(lines(EmulationTimelineCsv(Report())), 3);
  EXPECT_THAT(EmulationRegionsCsv(Report()), HasSubstr("\n\"a\"\"\\x01\",0,990,")) << "quotes are doubled";
}

TEST(EmulationReportTest, JsonHasAll) {
  const Json json = JsonOf(EmulationJson(Report()));
  EXPECT_EQ(json["total"]["write_amplification"], 2.5);
  EXPECT_EQ(json["left_behind"]["regions"], 1);
  EXPECT_EQ(json["regions"].size(), 2u);
  EXPECT_EQ(json["servers"].size(), 2u);
  EXPECT_EQ(json["timeline"][1]["server_shares"][1], 0.01);
}

TEST(EmulationReportTest, PicturesEscapeTheDesign) {
  EXPECT_THAT(TimelineSvg(Report()), HasSubstr("'&lt;&amp;&gt;'"));
  EXPECT_THAT(TimelineSvg(Report()), HasSubstr("The hottest region's writes (1 x: an even share)"));
  EXPECT_THAT(EmulationHtml(Report()), HasSubstr("</svg>"));
  EXPECT_EQ(ServerHeatMap(Report()).At(0, 1), 0.99 * 2) << "times an even share";
}

TEST(EmulationReportTest, SizesAndTimesReadWell) {
  EXPECT_EQ(BytesText(45e12), "45.0 TB");
  EXPECT_EQ(BytesText(999), "999 B");
  EXPECT_EQ(BytesText(123e6), "123 MB");
  EXPECT_EQ(DurationText(30 * 86'400'000.0), "30 d");
  EXPECT_EQ(DurationText(90'000), "90 s");
}

}  // namespace
}  // namespace vaquita::lab
