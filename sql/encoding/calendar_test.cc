#include "sql/encoding/calendar.h"

#include <gtest/gtest.h>

#include "sql/encoding/date_text.h"

namespace vaquita::sql {
namespace {

constexpr int64_t kDay = 86'400'000;

// Phoenix 5.2.1 has these days, by TO_DATE.
TEST(CalendarTest, DaysOfBothCalendars) {
  struct Example {
    Date date;
    int64_t days;
  };
  for (const auto& [date, days] : {Example{{1582, 10, 15}, -141'427},
                                   {{1582, 10, 4}, -141'428},
                                   {{1500, 3, 1}, -171'595},
                                   {{1500, 2, 29}, -171'596},
                                   {{1500, 1, 1}, -171'655},
                                   {{5, 1, 1}, -717'703},
                                   {{-43, 3, 15}, -735'162},
                                   {{1970, 1, 1}, 0},
                                   {{2000, 2, 29}, 11'016}}) {
    EXPECT_EQ(DaysOf(date.year, date.month, date.day), days);
    EXPECT_EQ(DateOf(days), date) << days;
  }
  EXPECT_EQ(DaysOf(1582, 10, 10), -141'422) << "a lenient calendar goes on with the Julian one";
  EXPECT_EQ(DaysOf(1500, 2, 30), -171'595);
  EXPECT_EQ(DaysOf(1499, 14, 29), DaysOf(1500, 2, 29));
}

TEST(CalendarTest, EachDayHasOneDate) {
  Date before = DateOf(-800'001);
  for (int64_t days = -800'000; days < 100'000; ++days) {
    const Date date = DateOf(days);
    ASSERT_EQ(DaysOf(date.year, date.month, date.day), days);
    const bool next_day = date.month == before.month && (date.day == before.day + 1 || days == -141'427);
    ASSERT_TRUE(next_day || date.day == 1) << days;
    before = date;
  }
}

TEST(CalendarTest, TextsOfOldDates) {
  for (const char* text : {"1582-10-05", "1582-10-14", "1700-02-29", "0000-01-01", "1500-02-30"}) {
    EXPECT_FALSE(ParseTimestamp(text).ok()) << text;
  }
  EXPECT_EQ(ParseTimestamp("1500-02-29")->ms, -171'596 * kDay);
  EXPECT_EQ(ParseTimestamp("-0044-03-15")->ms, -735'162 * kDay) << "44 BC";
  EXPECT_EQ(*FormatByPattern(-735'162 * kDay, "G yyyy-MM-dd"), "BC 0044-03-15");
  EXPECT_EQ(*FormatByPattern(ParseTimestamp("0001-01-01")->ms, "yyyy-MM-dd EEE"), "0001-01-01 Sat");
  EXPECT_EQ(*FormatByPattern(ParseTimestamp("1500-02-28")->ms, "D w W F"), "59 9 5 4");
  EXPECT_EQ(*ParseByPattern("1582-10-10", "yyyy-MM-dd", "GMT", 0), -141'422 * kDay);
  EXPECT_EQ(IsoWeekOf(ParseTimestamp("1582-12-31")->ms), 51);
  EXPECT_EQ(IsoWeekOf(ParseTimestamp("1400-06-15")->ms), 25);
  EXPECT_EQ(CivilTimeOf(ParseTimestamp("1582-10-20")->ms).day_of_year, 283);
  EXPECT_EQ(CivilTimeOf(ParseTimestamp("1500-12-31")->ms).day_of_year, 366);
}

}  // namespace
}  // namespace vaquita::sql
