#include "server/heat/heat_findings.h"

#include <gmock/gmock.h>

namespace vaquita {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// A picture of one row for each region; each column has these writes.
HeatPicture Picture(const std::vector<std::string>& starts, const std::vector<std::vector<int64_t>>& columns) {
  HeatPicture picture;
  picture.column_ms = 200;
  for (size_t at = 0; at < starts.size(); ++at) {
    picture.regions.push_back({"r" + std::to_string(at), starts[at], "", "server"});
    picture.rows.push_back({starts[at], at, 1});
  }
  for (const auto& writes : columns) {
    picture.columns.push_back({static_cast<int64_t>(picture.columns.size()) * 200, {}});
    for (const int64_t number : writes) picture.columns.back().counts.push_back({0, number, 0});
  }
  return picture;
}

TEST(HeatFindingsTest, TheLastRegionTakesAlmostAll) {
  EXPECT_THAT(HeatFindings(Picture({"", "g", "p", "t"}, {{1, 2, 3, 94}}), HeatMetric::kWrites),
              ElementsAre("The last of 4 regions takes nearly all writes (3.76 x an even share).",
                          "94 of 100 writes go to the keys from t on."));
}

TEST(HeatFindingsTest, KeysThatRise) {
  HeatPicture picture = Picture({"", "g", "p"}, {});
  picture.rows = {{"", 0, 1}, {"g", 1, 1}, {"p", 2, 1}, {"q", 2, 1}, {"r", 2, 1}, {"s", 2, 1}};
  for (int64_t at = 0; at < 8; ++at) {
    HeatCounts counts(6);
    counts[2 + at / 2].writes = 50;
    picture.columns.push_back({at * 200, counts});
  }
  EXPECT_THAT(HeatFindings(picture, HeatMetric::kWrites),
              ElementsAre("The last of 3 regions takes all writes (3.00 x an even share): keys rise with time."));
}

TEST(HeatFindingsTest, EvenLoad) {
  EXPECT_THAT(HeatFindings(Picture({"", "g", "p", "t"}, {{24, 26, 25, 25}}), HeatMetric::kWrites),
              ElementsAre("The writes are spread evenly: the busiest of 4 regions takes 1.04 x an even share."));
}

TEST(HeatFindingsTest, OneRegion) {
  EXPECT_THAT(HeatFindings(Picture({""}, {{100}}), HeatMetric::kWrites),
              ElementsAre("The table has one region, so one server does all writes."));
}

// Another server's picture may have its rows in any order.
TEST(HeatFindingsTest, TheLastRowMayBeginWithTheFirstKey) {
  EXPECT_THAT(HeatFindings(Picture({"g", "p", ""}, {{1, 2, 97}}), HeatMetric::kWrites),
              ElementsAre("The last of 3 regions takes nearly all writes (2.91 x an even share).",
                          "97 of 100 writes go to the keys from  on."));
}

TEST(HeatFindingsTest, TooFewToSay) {
  EXPECT_THAT(HeatFindings(Picture({"", "m"}, {{0, 5}}), HeatMetric::kWrites), IsEmpty());
  EXPECT_THAT(HeatFindings(Picture({"", "m"}, {{0, 500}}), HeatMetric::kReads), IsEmpty());
}

}  // namespace
}  // namespace vaquita
