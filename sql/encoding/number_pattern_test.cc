#include "sql/encoding/number_pattern.h"

#include <string>
#include <string_view>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "sql/encoding/date_text.h"
#include "sql/encoding/time_zone.h"
#include "sql/encoding/value_text.h"

namespace vaquita::sql {
namespace {

std::string Printed(std::string_view number, std::string_view pattern) {
  const auto parsed = NumberPattern::Parse(pattern);
  return parsed.ok() ? parsed->Format(*Decimal::Parse(number)) : std::string(parsed.status().message());
}

// Java 17 printed these.
TEST(NumberPatternTest, PrintsAsJavaDoes) {
  EXPECT_EQ(Printed("1234567.891", kNumberPattern), "1,234,567.891");
  EXPECT_EQ(Printed("-0.5", "#"), "-0");
  EXPECT_EQ(Printed("0.75", "#.##"), "0.75");
  EXPECT_EQ(Printed("2.5", "0"), "2");
  EXPECT_EQ(Printed("3.5", "0"), "4");
  EXPECT_EQ(Printed("-1234.5", "#,##0.00;(#,##0.00)"), "(1,234.50)");
  EXPECT_EQ(Printed("0.256", "0.0%"), "25.6%");
  EXPECT_EQ(Printed("5", "'#'0 'it''s'"), "#5 it's");
  EXPECT_EQ(Printed("123456", "##0.##E0"), "123.46E3");
  EXPECT_EQ(Printed("0.000123", "0.0E00"), "1.2E-04");
  EXPECT_EQ(Printed("0", "0.0E0"), "0.0E0");
}

TEST(NumberPatternTest, MalformedPatternsAreNamed) {
  for (const std::string_view pattern : {"0#", ".#0", "0.0.0", "0'a", "0E", "#,", "0;0;0", "0.0,0"})
    EXPECT_THAT(Printed("1", pattern), testing::HasSubstr("Malformed pattern \"" + std::string(pattern))) << pattern;
}

TEST(NumberPatternTest, ReadsWhatItPrints) {
  for (const std::string_view pattern : {"#,##0.00", "0.00%", "'<'0.0'>';'('0.0')'", "0.000E0"}) {
    for (const std::string_view number : {"-1234.5", "0", "0.25", "77"}) {
      const auto parsed = NumberPattern::Parse(pattern);
      ASSERT_TRUE(parsed.ok()) << parsed.status();
      const std::string text = parsed->Format(*Decimal::Parse(number));
      const auto read = parsed->Read(text);
      ASSERT_TRUE(read.has_value()) << text;
      EXPECT_EQ(parsed->Format(*read), text);
    }
  }
  EXPECT_FALSE(NumberPattern::Parse("0'%'")->Read("5").has_value());
}

TEST(NumberPatternTest, RoundsToDigits) {
  EXPECT_EQ(FloorOf(*Decimal::Parse("-1.21"), 1), *Decimal::Parse("-1.3"));
  EXPECT_EQ(FloorOf(*Decimal::Parse("7"), 2), Decimal(7));
  EXPECT_EQ(RoundedHalfEven(*Decimal::Parse("-0.25"), 1), *Decimal::Parse("-0.2"));
  EXPECT_EQ(RoundedHalfEven(*Decimal::Parse("0.35"), 1), *Decimal::Parse("0.4"));
  EXPECT_EQ(ExactDecimal(0.1)->ToString(), "0.10000000000000000555111512312578270212");
}

TEST(NumberPatternTest, ALongPatternTakesTheTimeOfItsDigits) {
  const auto pattern = NumberPattern::Parse(std::string(4'000'000, '0') + ",0");
  ASSERT_TRUE(pattern.ok());
  const std::string text = pattern->Format(Decimal(12));
  EXPECT_EQ(text.size(), 8'000'001U);
  EXPECT_EQ(text.substr(text.size() - 6), ",0,1,2");
}

TEST(JavaTextTest, RealsAreShortest) {
  EXPECT_EQ(JavaReal(1e7), "1.0E7");
  EXPECT_EQ(JavaReal(-0.0), "-0.0");
  EXPECT_EQ(JavaReal(0.1F, true), "0.1");
  EXPECT_EQ(JavaReal(1.0 / 0.0), "Infinity");
}

TEST(TimeZoneTest, TimesThatClocksShowTwiceOrNever) {
  const auto utc = [](std::string_view zone, std::string_view local) {
    return *FormatByPattern(*LocalToUtc(zone, ParseTimestamp(local)->ms), "dd HH:mm");
  };
  EXPECT_EQ(utc("America/New_York", "2014-11-02 01:30:00"), "02 06:30");
  EXPECT_EQ(utc("Europe/Berlin", "2014-10-26 02:30:00"), "26 01:30");
  EXPECT_EQ(utc("Europe/Moscow", "2014-10-26 01:30:00"), "25 22:30");
  EXPECT_EQ(utc("America/New_York", "2014-03-09 02:30:00"), "09 07:30");
  EXPECT_EQ(utc("Europe/Berlin", "2014-03-30 02:30:00"), "30 01:30");
}

TEST(TimeZoneTest, OffsetsAreZonesToo) {
  EXPECT_EQ(*ZoneOffset("GMT+2", 0), 7'200'000);
  EXPECT_EQ(*ZoneOffset("-02:30", 0), -9'000'000);
  EXPECT_EQ(*LocalToUtc("+0100", 3'600'000), 0);
  for (const std::string_view name : {"", "/etc/localtime", "../UTC", "+", "GMT+99", "Nowhere"})
    EXPECT_FALSE(ZoneOffset(name, 0).ok()) << name;
}

}  // namespace
}  // namespace vaquita::sql
