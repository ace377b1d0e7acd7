#include "lab/report/heat_map.h"

#include "lab/report/heat_map_picture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace vaquita::lab {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

// Three regions, two slices: in the first the first region gets everything, in the second all get the same.
HeatMap Map() {
  RequestCounts counts(3, 2);
  counts.Slice(0)[0] = 90;
  for (int region = 0; region < 3; ++region) counts.Slice(1)[region] = 30;
  HeatMap map = MakeHeatMap(counts, *SplitKeys::Make({"b&<", "\xFF"}));
  map.title = "a < b";
  return map;
}

TEST(HeatMapTest, ValuesAreTimesAnEvenShare) {
  const HeatMap map = Map();
  EXPECT_THAT(map.row_labels, ElementsAre("", "b&<", "\\xFF"));
  EXPECT_THAT(map.values, ElementsAre(3, 1, 0, 1, 0, 1));
  EXPECT_THAT(map.row_totals, ElementsAre(2, 0.5, 0.5));
  EXPECT_EQ(map.most, 3);
}

TEST(HeatMapTest, FewerRowsShowTheHottestOfEach) {
  const HeatMap map = WithFewerRows(Map(), 2);
  EXPECT_THAT(map.row_labels, ElementsAre("", "\\xFF"));
  EXPECT_THAT(map.values, ElementsAre(3, 1, 0, 1));
  EXPECT_THAT(map.row_axis, HasSubstr("3 in 2 rows"));
}

TEST(HeatMapTest, TheScaleGoesFromNothingToEverything) {
  EXPECT_EQ(HeatOf(0, 800), 0);
  EXPECT_EQ(HeatOf(800, 800), 1);
  EXPECT_LT(HeatOf(1, 800), HeatOf(2, 800));
}

TEST(HeatMapTest, TextHasALineARegion) {
  EXPECT_THAT(HeatMapText(Map()), HasSubstr("\\xFF               ·▒  0.50 x\n"));
  EXPECT_THAT(HeatMapText(Map()), HasSubstr("                   █▒  2.00 x\n"));
  EXPECT_THAT(HeatMapText(Map()), Not(HasSubstr("\033")));
  EXPECT_THAT(HeatMapText(Map(), {.color = true}), HasSubstr("\033[38;5;"));
}

// 100 records, a minute each, in two slices.
TEST(HeatMapTest, KeysAndColumnsHaveTheTimesOfTheRecords) {
  const auto generator = RecordGenerator::Parse("ts=time(2026-01-01, 1m)");
  const auto axis = TimeAxis::Of(GeneratedRecords(*generator, 100), 100);
  ASSERT_TRUE(axis.has_value());
  RequestCounts counts(3, 2);
  counts.Slice(0)[1] = counts.Slice(1)[2] = 50;
  HeatMap map =
      MakeHeatMap(counts, *SplitKeys::Make({"a\x01", "a\x02"}), {"", "7 2026-01-01 00:10", "7 2026-01-01 00:50"});
  ShowTimes(*axis, &map);
  EXPECT_EQ(map.common_label, "7 2026-01-01 ");
  EXPECT_EQ(ShortLabel(map, 1, 10), "..00:10");
  EXPECT_THAT(map.column_names, ElementsAre("2026-01-01 00:00:00", "2026-01-01 00:50:00"));
  const std::string svg = HeatMapSvg(map);
  EXPECT_THAT(svg, HasSubstr(">7 2026-01-01 00:50</text>"));
  EXPECT_THAT(svg,
              HasSubstr("from 7 2026-01-01 00:10 (a\\x01), at 2026-01-01 00:00:00: 50 requests, 3.00 x an even share"));
  EXPECT_THAT(svg, HasSubstr(">00:40</text>"));
  EXPECT_THAT(svg, HasSubstr("time (UTC), 2026-01-01 00:00:00 to 2026-01-01 01:39:00"));
  EXPECT_THAT(HeatMapText(map), HasSubstr("across: time (UTC), "));
}

TEST(HeatMapTest, SvgHasColorsForLightAndDark) {
  const std::string svg = HeatMapSvg(Map());
  EXPECT_THAT(svg, HasSubstr(".vg{fill:#ffffff}"));
  EXPECT_THAT(svg, HasSubstr("@media (prefers-color-scheme:dark){.vg{fill:#14181c}"));
  EXPECT_THAT(svg, HasSubstr("class=\"h64\"")) << "everything is the hottest";
}

TEST(HeatMapTest, SvgIsWholeAndEscaped) {
  const std::string svg = HeatMapSvg(Map());
  EXPECT_THAT(svg, HasSubstr("a &lt; b"));
  EXPECT_THAT(svg, HasSubstr("b&amp;&lt;"));
  EXPECT_THAT(svg, HasSubstr("3.00 x an even share (slice 1 of 2)"));
  EXPECT_THAT(svg, ::testing::EndsWith("</svg>\n"));
  EXPECT_THAT(svg, Not(HasSubstr("href")));
}

}  // namespace
}  // namespace vaquita::lab
