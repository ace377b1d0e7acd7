#include "tools/shell/cell_text.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace vaquita::shell {
namespace {

std::string Converted(std::string_view bytes, std::string_view method) {
  const auto text = ConvertBytes(bytes, method);
  return text.ok() ? *text : "error: " + std::string(text.status().message());
}

TEST(ConvertBytes, KnowsTheMethodsOfBytes) {
  EXPECT_EQ(Converted(std::string_view("\0\0\0\5", 4), "toInt"), "5");
  EXPECT_EQ(Converted("\xff\xff\xff\xfe", "toInt"), "-2");
  EXPECT_EQ(Converted(std::string_view("\0\0\0\0\0\0\1\0", 8), "toLong"), "256");
  EXPECT_EQ(Converted(std::string_view("\0\5", 2), "toShort"), "5");
  EXPECT_EQ(Converted("\xff", "toBoolean"), "true");
  EXPECT_EQ(Converted("\x41\x09", "toString"), "A\t");
  EXPECT_EQ(Converted("\x41\x09", "toStringBinary"), "A\\x09");
  EXPECT_EQ(Converted(std::string_view("\x3f\x80\0\0", 4), "toFloat"), "1.0");
  EXPECT_EQ(Converted(std::string_view("\x40\x09\x21\xfb\x54\x44\x2d\x18", 8), "toDouble"), "3.141592653589793");
  EXPECT_EQ(Converted(std::string_view("\0\0\0\5", 4), "c(org.apache.hadoop.hbase.util.Bytes).toInt"), "5");
}

TEST(ConvertBytes, RefusesWhatDoesNotFit) {
  EXPECT_EQ(Converted("ab", "toInt"), "error: offset (0) + length (4) exceed the capacity of the array: 2");
  EXPECT_EQ(Converted("ab", "toBoolean"), "error: Array has wrong size: 2");
  EXPECT_EQ(Converted("ab", "toNothing"),
            "error: undefined method `toNothing' for class `org.apache.hadoop.hbase.util.Bytes'");
  EXPECT_EQ(Converted("ab", "c(a.B).toInt"),
            "error: no class a.B here: the methods are those of org.apache.hadoop.hbase.util.Bytes");
}

TEST(TimestampText, IsJavasLocalDateTime) {
  setenv("TZ", "UTC", 1);
  tzset();
  EXPECT_EQ(TimestampText(1609459200123), "2021-01-01T00:00:00.123");
  EXPECT_EQ(TimestampText(1609459201000), "2021-01-01T00:00:01");
  EXPECT_EQ(TimestampText(0), "1970-01-01T00:00");
  EXPECT_EQ(TimestampText(9'223'372'036'854'775'807), "+292278994-08-17T07:12:55.807");
}

TEST(CellText, PrintsValuesAndMarkers) {
  Cell cell;
  cell.family = "f";
  cell.qualifier = std::string("q\1", 2);
  cell.timestamp_ms = 1000;
  cell.value = "\xff";
  CellFormat format;
  EXPECT_EQ(*ColumnText(cell, format), "f:q\\x01");
  EXPECT_EQ(*CellText(cell, format), "timestamp=1970-01-01T00:00:01, value=\\xFF");
  format.max_length = 12;
  EXPECT_EQ(*CellText(cell, format), "timestamp=19");
  format.max_length = -1;
  cell.type = CellType::kDeleteFamily;
  EXPECT_EQ(*CellText(cell, format), "timestamp=1970-01-01T00:00:01, type=DeleteFamily");
}

}  // namespace
}  // namespace vaquita::shell
