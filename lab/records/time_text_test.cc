#include "lab/records/time_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace vaquita::lab {
namespace {

using ::testing::HasSubstr;

constexpr int64_t kDayMs = 86'400'000;

std::string Formatted(std::string_view pattern, int64_t ms) {
  const auto parsed = TimePattern::Parse(pattern, "");
  if (!parsed.ok()) return "refused";
  std::string text(parsed->width(), ' ');
  return parsed->Format(ms, text.data()) ? text : "no date";
}

// Returns the time, or -1 if the text has not the pattern's form.
int64_t Parsed(std::string_view text, std::string_view pattern, std::string_view zone = "") {
  const auto parsed = TimePattern::Parse(pattern, zone);
  EXPECT_TRUE(parsed.ok()) << parsed.status();
  int64_t ms = 0;
  return parsed.ok() && parsed->Parse(text, &ms) ? ms : -1;
}

TEST(TimePatternTest, WidthsThatWouldCutNumbersAreRefused) {
  EXPECT_EQ(Formatted("yyyy yy MM dd DDD HH mm ss SSS", 1'766'583'907'123), "2025 25 12 24 358 13 45 07 123");
  for (const char* pattern : {"M", "MMM", "MMMM", "d", "dddd", "y", "yyy", "yyyyy", "D", "DD", "DDDD", "H", "HHH", "m",
                              "s", "S", "SS", "SSSS", "QQ"}) {
    const auto parsed = TimePattern::Parse(pattern, "");
    EXPECT_THAT(std::string(parsed.status().message()), HasSubstr("is unknown; use yyyy, yy, MM, dd, DDD")) << pattern;
  }
}

TEST(TimePatternTest, TimesThatDoNotExistAreNotRead) {
  EXPECT_EQ(Parsed("1970-13-01", "yyyy-MM-dd"), -1);
  EXPECT_EQ(Parsed("1970-02-30", "yyyy-MM-dd"), -1);
  EXPECT_EQ(Parsed("1970 365", "yyyy DDD"), 364 * kDayMs);
  EXPECT_EQ(Parsed("1970 366", "yyyy DDD"), -1);
  EXPECT_EQ(Parsed("1972 366", "yyyy DDD"), (2 * 365 + 365) * kDayMs);
  EXPECT_EQ(Parsed("1970 000", "yyyy DDD"), -1);
}

TEST(TimePatternTest, TwoQuotesAreOneInQuotedTextToo) {
  EXPECT_EQ(Formatted("HH 'o''clock'", 0), "00 o'clock");
  EXPECT_EQ(Formatted("HH '' 'a''''b'''", 0), "00 ' a''b'");
  EXPECT_EQ(Formatted("'''h'HH", 0), "'h00");
  for (const char* open : {"'", "HH 'h", "'''", "'a''"}) EXPECT_EQ(Formatted(open, 0), "refused") << open;
  EXPECT_EQ(Parsed("01 o'clock", "HH 'o''clock'"), 3'600'000);
}

// The values are those of Java's SimpleDateFormat.
TEST(TimePatternTest, ClocksThatChangeAreJavas) {
  const auto in_berlin = [](const char* text) { return Parsed(text, "yyyy-MM-dd HH:mm", "Europe/Berlin"); };
  EXPECT_EQ(in_berlin("2026-03-29 01:59"), 1'774'745'940'000);
  EXPECT_EQ(in_berlin("2026-03-29 02:30"), 1'774'747'800'000) << "there is no such time: 03:30";
  EXPECT_EQ(in_berlin("2026-03-29 03:30"), 1'774'747'800'000);
  EXPECT_EQ(in_berlin("2026-10-25 02:30"), 1'792'891'800'000) << "it comes twice";
}

TEST(TimePatternTest, ADayOfTheYearHasAZoneToo) {
  EXPECT_EQ(Parsed("1970 060", "yyyy DDD", "+01:00"), 59 * kDayMs - 3'600'000);
}

}  // namespace
}  // namespace vaquita::lab
