#include "console/cluster_gatherer.h"

#include <gmock/gmock.h>

#include "model/region_info.h"

namespace vaquita {
namespace {

using ::testing::ElementsAre;

constexpr int64_t kPictureMs = 1'700'000'000'000;

HeatPicture PictureOf(const std::string& server, const std::vector<std::string>& starts, int64_t column_ms) {
  HeatPicture picture;
  picture.column_ms = column_ms;
  for (const std::string& start : starts) {
    picture.regions.push_back({"region-" + ToStringBinary(start), start, "", server});
    picture.rows.push_back({start, picture.regions.size() - 1, 1});
  }
  return picture;
}

std::vector<int64_t> WritesOf(const HeatPicture::Column& column) {
  std::vector<int64_t> writes;
  for (const KeyCounts& counts : column.counts) writes.push_back(counts.writes);
  return writes;
}

TEST(JoinPicturesTest, PutsTheServersRegionsInTheOrderOfTheirKeys) {
  HeatPicture one = PictureOf("one", {"", "m"}, 200);
  one.columns = {{1'000, {{0, 1, 0}, {0, 2, 0}}}, {1'200, {{0, 3, 0}, {0, 0, 0}}}};
  HeatPicture two = PictureOf("two", {"g", std::string("\xff", 1)}, 1'000);
  two.columns = {{1'000, {{0, 10, 0}, {0, 20, 0}}}};
  const HeatPicture joined = JoinPictures({one, two});
  EXPECT_EQ(joined.column_ms, 1'000) << "the longest columns that a server has for these times";
  ASSERT_EQ(joined.rows.size(), 4u);
  EXPECT_EQ(joined.rows[1].start, "g");
  EXPECT_EQ(joined.regions[joined.rows[1].first_region].server, "two");
  EXPECT_EQ(joined.regions[joined.rows[2].first_region].encoded_name, "region-m");
  EXPECT_EQ(joined.rows[3].start, "\xff") << "bytes, not letters, are compared";
  ASSERT_EQ(joined.columns.size(), 1u);
  EXPECT_EQ(joined.columns[0].start_ms, 1'000);
  EXPECT_THAT(WritesOf(joined.columns[0]), ElementsAre(4, 10, 2, 20));
}

TEST(JoinPicturesTest, ARegionThatMovedHasTheCountsOfBothServers) {
  HeatPicture before = PictureOf("one", {"", "m"}, 200);
  before.columns = {{1'000, {{0, 1, 0}, {0, 2, 0}}}};
  HeatPicture after = PictureOf("two", {"m"}, 200);
  after.columns = {{1'000, {{0, 5, 0}}}, {1'200, {{0, 6, 0}}}};
  const HeatPicture joined = JoinPictures({before, after});
  ASSERT_EQ(joined.regions.size(), 2u);
  EXPECT_THAT(WritesOf(joined.columns[0]), ElementsAre(1, 7));
  EXPECT_THAT(WritesOf(joined.columns[1]), ElementsAre(0, 6));
}

TEST(ReadHeatJsonTest, ReadsWhatIsWritten) {
  HeatPicture picture = PictureOf("one", {"", std::string("m\xff\0", 3)}, 200);
  picture.columns = {{kPictureMs, {{0, 0, 0}, {0, 7, 0}}}};
  const auto request = ParseHeatRequest("table=t", kPictureMs);
  ASSERT_TRUE(request.ok());
  const auto read = ReadHeatJson(HeatJson(*request, picture, kPictureMs), HeatMetric::kWrites);
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->column_ms, 200);
  EXPECT_EQ(read->rows[1].start, std::string("m\xff\0", 3));
  EXPECT_EQ(read->regions[1].encoded_name, picture.regions[1].encoded_name);
  EXPECT_THAT(WritesOf(read->columns[0]), ElementsAre(0, 7));
}

TEST(ReadHeatJsonTest, RefusesOtherForms) {
  for (
      const char* text :
      {"", "[]", "{}", R"({"version":2})", R"({"version":1})",
       R"({"version":1,"column_ms":200,"regions":[],"rows":[{"start":{"hex":""},"region":0,"regions":1}],"columns":[]})",
       R"({"version":1,"column_ms":200,"regions":[],"rows":[],"columns":[{"start":1,"cells":[5,1]}]})"}) {
    EXPECT_TRUE(absl::IsInvalidArgument(ReadHeatJson(text, HeatMetric::kWrites).status())) << text;
  }
}

TEST(ReadHeatJsonTest, RefusesCountsThatHaveNoSum) {
  HeatPicture picture = PictureOf("one", {"", "m"}, 200);
  const auto request = ParseHeatRequest("table=t", kPictureMs);
  const auto reads = [&](int64_t first, int64_t second) {
    picture.columns = {{kPictureMs, {{0, first, 0}, {0, second, 0}}}};
    return ReadHeatJson(HeatJson(*request, picture, kPictureMs), HeatMetric::kWrites).ok();
  };
  EXPECT_TRUE(reads(int64_t{1} << 52, int64_t{1} << 52));
  EXPECT_FALSE(reads(int64_t{1} << 52, (int64_t{1} << 52) + 1));
  EXPECT_FALSE(reads(-1, 2));
}

TEST(ReadHeatJsonTest, RefusesMoreThanCanBeAskedFor) {
  HeatPicture picture = PictureOf("one", {""}, 200);
  const auto request = ParseHeatRequest("table=t", kPictureMs);
  picture.columns.assign(kMostHeatColumns + 1, {kPictureMs, {{0, 1, 0}}});
  EXPECT_THAT(
      std::string(ReadHeatJson(HeatJson(*request, picture, kPictureMs), HeatMetric::kWrites).status().message()),
      ::testing::HasSubstr("more than 1024 rows or 1440 columns"));
}

TEST(ReadTablesAndEventsTest, RefusesOtherForms) {
  EXPECT_THAT(*ReadTablesJson(R"({"version":1,"tables":["t","ns:u"]})"), ElementsAre("t", "ns:u"));
  EXPECT_EQ(ReadEventsJson(R"({"version":1,"events":[{"time":5},{"time":6}]})")->size(), 2u);
  for (const char* text : {"[1]", "5", "[{}]", R"([{"time":"x"}])", R"([{"time":1e300}])", R"({"a":[]})"}) {
    const std::string list(text);
    EXPECT_TRUE(absl::IsInvalidArgument(ReadTablesJson(R"({"version":1,"tables":)" + list + "}").status())) << list;
    EXPECT_TRUE(absl::IsInvalidArgument(ReadEventsJson(R"({"version":1,"events":)" + list + "}").status())) << list;
  }
}

}  // namespace
}  // namespace vaquita
