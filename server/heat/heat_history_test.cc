#include "server/heat/heat_history.h"

#include <gmock/gmock.h>

namespace vaquita {
namespace {

using ::testing::ElementsAre;

std::shared_ptr<const HeatAxis> Axis(const std::vector<std::string>& starts) {
  auto axis = std::make_shared<HeatAxis>();
  axis->regions = {{"r", "", "", "server,1,1"}};
  for (const std::string& start : starts) axis->ranges.push_back({start, 0, KeyHeat::Earlier::kBoth});
  return axis;
}

HeatCounts Writes(const std::vector<int64_t>& writes) {
  HeatCounts counts;
  for (const int64_t number : writes) counts.push_back({0, number, 0});
  return counts;
}

std::vector<int64_t> WritesOf(const HeatCounts& counts) {
  std::vector<int64_t> writes;
  for (const KeyCounts& count : counts) writes.push_back(count.writes);
  return writes;
}

TEST(HeatAxisTest, OneRangeIsSharedOutAmongThoseItLiesIn) {
  const auto one = Axis({""});
  const auto three = Axis({"", "g", "p"});
  EXPECT_THAT(WritesOf(ShownBy(*three, *one, Writes({10}))), ElementsAre(4, 3, 3));
  EXPECT_THAT(WritesOf(ShownBy(*one, *three, Writes({4, 3, 3}))), ElementsAre(10));
  EXPECT_THAT(WritesOf(ShownBy(*three, *three, Writes({1, 2, 3}))), ElementsAre(1, 2, 3));
}

TEST(HeatAxisTest, RangesThatHadNoRequestsBeforeGetNone) {
  const auto one = Axis({""});
  HeatAxis rising = *Axis({"", "g", "p"});
  rising.ranges[1].earlier = rising.ranges[2].earlier = KeyHeat::Earlier::kBelow;
  EXPECT_THAT(WritesOf(ShownBy(rising, *one, Writes({10}))), ElementsAre(10, 0, 0));
  HeatAxis falling = *Axis({"", "g", "p"});
  falling.ranges[1].earlier = falling.ranges[2].earlier = KeyHeat::Earlier::kAbove;
  EXPECT_THAT(WritesOf(ShownBy(falling, *one, Writes({10}))), ElementsAre(0, 0, 10));
  HeatAxis mixed = *Axis({"", "g", "p"});
  mixed.ranges[2].earlier = KeyHeat::Earlier::kBelow;
  EXPECT_THAT(WritesOf(ShownBy(mixed, *one, Writes({10}))), ElementsAre(5, 5, 0));
}

TEST(HeatAxisTest, RangesWithOtherBorders) {
  const auto from = Axis({"", "h", "m"});
  const auto to = Axis({"", "g", "m", "x"});
  // [h, m) lies in [g, m) alone; ["", h) reaches into [g, m); [m, end) lies in [m, x) and [x, end).
  EXPECT_THAT(WritesOf(ShownBy(*to, *from, Writes({0, 5, 0}))), ElementsAre(0, 5, 0, 0));
  EXPECT_THAT(WritesOf(ShownBy(*to, *from, Writes({4, 0, 8}))), ElementsAre(2, 2, 4, 4));
}

TEST(HeatAxisTest, PacksWhatWasCounted) {
  HeatCounts counts(500);
  counts[0] = {1, 2, 3};
  counts[499] = {0, 1'000'000'000'000, 127};
  const std::string bytes = PackCounts(counts);
  EXPECT_LT(bytes.size(), 20);
  EXPECT_EQ(UnpackCounts(bytes, 500), counts);
  EXPECT_EQ(PackCounts(HeatCounts(500)), "");
  EXPECT_EQ(UnpackCounts(bytes, 3).size(), 3) << "bytes of another axis do no harm";
}

class HeatHistoryTest : public ::testing::Test {
 protected:
  HeatPicture Picture(int64_t back_ms, size_t columns = 600, size_t rows = 256) {
    return history_.Picture({.from_ms = now_ms_ - back_ms,
                             .to_ms = now_ms_ + 1,
                             .start_key = "",
                             .end_key = "",
                             .most_rows = rows,
                             .most_columns = columns},
                            now_ms_);
  }
  void Add(const std::shared_ptr<const HeatAxis>& axis, const std::vector<int64_t>& writes) {
    now_ms_ += 200;
    history_.Add(now_ms_, axis, Writes(writes));
  }
  static int64_t Sum(const HeatPicture& picture) {
    int64_t sum = 0;
    for (const auto& column : picture.columns) {
      for (const KeyCounts& counts : column.counts) sum += counts.writes;
    }
    return sum;
  }

  int64_t now_ms_ = 1'700'000'000'000;
  HeatHistory history_;
};

TEST_F(HeatHistoryTest, EveryLevelHasWhatWasCounted) {
  const auto axis = Axis({"", "m"});
  for (int i = 0; i < 250; ++i) Add(axis, {1, 2});  // 50 s
  EXPECT_EQ(Picture(60'000).column_ms, 200);
  EXPECT_EQ(Sum(Picture(60'000)), 750);
  EXPECT_EQ(Picture(60'000, 100).column_ms, 1000) << "60 columns fit, 300 do not";
  EXPECT_EQ(Sum(Picture(60'000, 100)), 750);
  EXPECT_EQ(Picture(3'600'000).column_ms, 10'000);
  EXPECT_EQ(Sum(Picture(3'600'000)), 750);
  EXPECT_EQ(Picture(86'000'000).column_ms, 300'000);
  EXPECT_EQ(Sum(Picture(86'000'000)), 750);
}

TEST_F(HeatHistoryTest, ColumnsStandAtTheirTimesAndIdleTimesHaveNone) {
  const auto axis = Axis({""});
  Add(axis, {7});
  now_ms_ += 1000;
  Add(axis, {8});
  const HeatPicture picture = Picture(10'000);
  ASSERT_EQ(picture.columns.size(), 2);
  EXPECT_EQ(picture.columns[1].start_ms - picture.columns[0].start_ms, 1200);
  EXPECT_THAT(WritesOf(picture.columns[1].counts), ElementsAre(8));
}

TEST_F(HeatHistoryTest, AnOlderColumnIsShownByTheNewestRanges) {
  Add(Axis({""}), {10});
  Add(Axis({"", "m"}), {1, 2});
  const HeatPicture picture = Picture(1'000);
  ASSERT_EQ(picture.rows.size(), 2);
  EXPECT_THAT(WritesOf(picture.columns[0].counts), ElementsAre(5, 5));
  EXPECT_THAT(WritesOf(picture.columns[1].counts), ElementsAre(1, 2));
}

TEST_F(HeatHistoryTest, ColdNeighboursShareARow) {
  Add(Axis({"", "b", "c", "d", "e", "f"}), {0, 0, 9, 0, 1, 0});
  const HeatPicture picture = Picture(1'000, 600, 3);
  ASSERT_EQ(picture.rows.size(), 3);
  EXPECT_EQ(picture.rows[0].start, "");
  EXPECT_EQ(picture.rows[1].start, "c");
  EXPECT_EQ(picture.rows[2].start, "d");
  EXPECT_THAT(WritesOf(picture.columns[0].counts), ElementsAre(0, 9, 1));
}

TEST_F(HeatHistoryTest, APartOfTheKeys) {
  Add(Axis({"", "b", "d", "f"}), {1, 2, 3, 4});
  const HeatPicture picture =
      history_.Picture({.from_ms = 0, .to_ms = now_ms_ + 1, .start_key = "c", .end_key = "f"}, now_ms_);
  ASSERT_EQ(picture.rows.size(), 2);
  EXPECT_EQ(picture.rows[0].start, "b") << "the row that has the first key";
  EXPECT_EQ(picture.rows[1].start, "d");
}

TEST_F(HeatHistoryTest, ARequestThatComesLateGetsTheSameColumns) {
  const auto axis = Axis({""});
  for (int i = 0; i < 400; ++i) Add(axis, {1});
  const int64_t asked_ms = now_ms_;
  for (const auto& [span_ms, column_ms] : {std::pair{60'000, 200}, {300'000, 1'000}, {3'600'000, 10'000}}) {
    const HeatQuery query{.from_ms = asked_ms - span_ms, .to_ms = asked_ms + 1};
    for (const int64_t late_ms : {0, 1, 1'900})
      EXPECT_EQ(history_.Picture(query, asked_ms + late_ms).column_ms, column_ms);
  }
}

TEST_F(HeatHistoryTest, ADayLaterNothingIsLeft) {
  const auto axis = Axis({""});
  for (int i = 0; i < 100; ++i) Add(axis, {1});
  EXPECT_TRUE(history_.Prune(now_ms_));
  const size_t bytes = history_.memory_bytes();
  now_ms_ += 3'500'000;
  EXPECT_TRUE(history_.Prune(now_ms_));
  EXPECT_LT(history_.memory_bytes(), bytes);
  EXPECT_EQ(Sum(Picture(3'600'000)), 100);
  now_ms_ += 90'000'000;
  EXPECT_FALSE(history_.Prune(now_ms_));
}

TEST_F(HeatHistoryTest, NothingIsLeftOfATimeFromWhichTheClockWasSetBack) {
  const auto axis = Axis({""});
  for (int i = 0; i < 100; ++i) Add(axis, {1});
  now_ms_ -= 90'000'000;
  EXPECT_FALSE(history_.Prune(now_ms_));
}

TEST_F(HeatHistoryTest, ABusyTableCostsAboutAMegabyte) {
  std::vector<std::string> starts = {""};
  for (int i = 1; i < 512; ++i) starts.push_back("key-" + std::to_string(10'000 + i));
  const auto axis = Axis(starts);
  HeatCounts counts(512);
  for (int64_t column = 0; column < 700; ++column) {
    for (size_t at = 0; at < counts.size(); ++at)
      counts[at].writes = (column * 7 + static_cast<int64_t>(at) * 13) % 400;
    now_ms_ += column < 350 ? 300'000 : 10'000;  // in the end each level is full
    history_.Add(now_ms_, axis, counts);
  }
  EXPECT_LT(history_.memory_bytes(), 4 << 20);
}

}  // namespace
}  // namespace vaquita
