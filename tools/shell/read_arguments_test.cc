#include "tools/shell/read_arguments.h"

#include <gtest/gtest.h>

namespace vaquita::shell {
namespace {

absl::StatusOr<Scan> ScanOf(Hash options) {
  CellFormat format;
  return ReadScan(std::move(options), &format);
}

TEST(ParseColumn, SplitsAtTheFirstTwoColons) {
  EXPECT_EQ(ParseColumn("f").family, "f");
  EXPECT_FALSE(ParseColumn("f").qualifier.has_value());
  EXPECT_EQ(ParseColumn("f:").qualifier, "");
  EXPECT_EQ(ParseColumn("f:q").qualifier, "q");
  const ColumnName name = ParseColumn("f:q:toInt:x");
  EXPECT_EQ(name.qualifier, "q");
  EXPECT_EQ(name.method, "toInt:x");
}

TEST(ReadScan, APrefixIsARangeOfRows) {
  const auto scan = ScanOf({{Value("ROWPREFIXFILTER"), Value("a\xff")}});
  ASSERT_TRUE(scan.ok());
  EXPECT_EQ(scan->rows.start, "a\xff");
  EXPECT_EQ(scan->rows.stop, "b");
  EXPECT_EQ(ScanOf({{Value("ROWPREFIXFILTER"), Value("\xff\xff")}})->rows.stop, "");
}

TEST(ReadScan, AFamilyAfterItsColumnsIsTheWholeFamily) {
  const auto scan = ScanOf({{Value("COLUMNS"), Value(Array{Value("f:a"), Value("f"), Value("g:b"), Value("g:b")})}});
  ASSERT_TRUE(scan.ok());
  EXPECT_TRUE(scan->columns.at("f").empty());
  EXPECT_EQ(scan->columns.at("g"), std::vector<std::string>{"b"});
}

TEST(ReadScan, OnlyPositiveLimitsCount) {
  const auto scan = ScanOf({{Value("LIMIT"), Value(int64_t{0})},
                            {Value("VERSIONS"), Value(int64_t{-1})},
                            {Value("CACHE"), Value(int64_t{7})},
                            {Value("BATCH"), Value(int64_t{1} << 40)}});
  ASSERT_TRUE(scan.ok());
  EXPECT_EQ(scan->limit, -1);
  EXPECT_EQ(scan->max_versions, 1);
  EXPECT_EQ(scan->caching, 7);
  EXPECT_EQ(scan->batch, INT32_MAX);
}

TEST(ReadScan, RefusesWhatItCannotDoByName) {
  const std::pair<Hash, const char*> cases[] = {
      {{{Value("LIMIT"), Value("5")}}, "LIMIT must be a number, not \"5\""},
      {{{Value("TIMERANGE"), Value(int64_t{5})}}, "TIMERANGE must be an Array of two timestamps, not 5"},
      {{{Value("TIMERANGE"), Value(Array{Value(int64_t{5}), Value(int64_t{1})})}}, "maxStamp is smaller than minStamp"},
      {{{Value("TIMESTAMP"), Value(int64_t{-1})}}, "Timestamp cannot be negative. minStamp:-1, maxStamp:0"},
      {{{Value("COLUMNS"), Value(int64_t{5})}}, "COLUMNS must be specified as a String or an Array"},
      {{{Value("FILTER"), Value(int64_t{5})}}, "FILTER must be a String in the filter language"},
      {{{Value("ALL_METRICS"), Value(true)}}, "METRICS and ALL_METRICS: this shell does not collect scan metrics"},
      {{{Value("READ_TYPE"), Value("FAST")}}, "No enum constant org.apache.hadoop.hbase.client.Scan.ReadType.FAST"},
  };
  for (const auto& [options, error] : cases) EXPECT_EQ(ScanOf(options).status().message(), error);
}

}  // namespace
}  // namespace vaquita::shell
