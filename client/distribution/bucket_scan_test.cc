#include "client/distribution/bucket_scan.h"

#include <random>
#include <variant>

#include "base/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "model/region_info.h"
#include "region/filter/filter_language.h"

namespace vaquita::client {
namespace {

using ::testing::HasSubstr;

// Keys have few letters, the smallest and the largest byte among them, so that keys and borders meet.
std::string RandomKey(std::mt19937& random, size_t max_length = 3) {
  static constexpr char kBytes[] = {'\0', 'a', 'b', '\xff'};
  std::string key(random() % (max_length + 1), '\0');
  for (char& byte : key) byte = kBytes[random() % std::size(kBytes)];
  return key;
}

// As a scan sees it: reversed, the range starts at the larger end.
bool IsIn(const RowRange& range, bool reversed, const std::string& row) {
  if (!reversed) return range.Contains(row);
  return RowRange{range.stop, range.start, range.stop_inclusive, range.start_inclusive}.Contains(row);
}

TEST(BucketScanTest, ARowIsInTheBucketsRangeIfItsOriginalKeyIsInTheScans) {
  std::mt19937 random(42);
  for (int i = 0; i < 200'000; ++i) {
    const std::string prefix = RandomKey(random, 2);
    const RowRange original{RandomKey(random), RandomKey(random), random() % 2 == 0, random() % 2 == 0};
    const bool reversed = random() % 2 == 0;
    const RowRange bucket = RangeOfBucket(original, reversed, prefix);
    const std::string row = RandomKey(random, 5);
    const bool expected = row.starts_with(prefix) && IsIn(original, reversed, row.substr(prefix.size()));
    // An empty key is no row; a range that is open at that end may leave it out.
    if (row == prefix) continue;
    ASSERT_EQ(IsIn(bucket, reversed, row), expected)
        << ToStringBinary(prefix) << " + [" << ToStringBinary(original.start) << ", " << ToStringBinary(original.stop)
        << "] " << ToStringBinary(row) << (reversed ? " reversed" : "");
  }
}

FilterSpec ParsedFilter(const std::string& text) {
  auto filter = ParseFilterLanguage(text);
  EXPECT_TRUE(filter.ok()) << filter.status();
  return *filter;
}

TEST(BucketScanTest, FiltersThatCannotBeTranslatedAreRefusedByName) {
  for (const char* text :
       {"RowFilter (=, 'regexstring:a.*')", "RowFilter (=, 'substring:a')", "SKIP RowFilter (!=, 'substring:a')",
        "PrefixFilter ('a') AND RowFilter (=, 'substring:a')"}) {
    const auto filter = FilterOfBucket(ParsedFilter(text), "p");
    ASSERT_TRUE(IsError(filter.status(), ErrorKind::kIllegalArgument)) << text;
    EXPECT_THAT(filter.status().message(), HasSubstr("RowFilter cannot be used on distributed row keys"));
    EXPECT_TRUE(FilterOfBucket(ParsedFilter(text), "").ok()) << "identity: " << text;
  }
  EXPECT_THAT(FilterOfBucket(ParsedFilter("WHILE PrefixFilter ('a')"), "p").status().message(),
              HasSubstr("WhileMatchFilter cannot be used on distributed row keys"));
}

TEST(BucketScanTest, AnOffsetBeyondAllRowsIsRefused) {
  CompareFilterSpec spec;
  spec.comparator.type = ComparatorSpec::Type::kBinaryComponent;
  spec.comparator.offset = 2'147'483'646;
  const auto moved = FilterOfBucket(FilterSpec(spec), "p");
  ASSERT_TRUE(moved.ok()) << moved.status();
  EXPECT_EQ(std::get<CompareFilterSpec>(moved->kind).comparator.offset, 2'147'483'647);
  const auto refused = FilterOfBucket(FilterSpec(spec), "pp");
  ASSERT_TRUE(IsError(refused.status(), ErrorKind::kIllegalArgument)) << refused.status();
  EXPECT_THAT(refused.status().message(), HasSubstr("RowFilter cannot be used on distributed row keys: the offset"));
}

TEST(BucketScanTest, WithoutAnOrderOnlyFiltersThatIgnoreRowsAreTaken) {
  for (const char* text : {"PrefixFilter ('a')", "InclusiveStopFilter ('a')", "RowFilter (=, 'binary:a')",
                           "SKIP RowFilter (=, 'binary:a')", "KeyOnlyFilter () OR PrefixFilter ('a')"}) {
    EXPECT_TRUE(IsError(CheckIgnoresRows(ParsedFilter(text)), ErrorKind::kIllegalArgument)) << text;
  }
  for (const char* text : {"ValueFilter (=, 'regexstring:a.*')", "SKIP ValueFilter (=, 'binary:a')", "PageFilter (3)",
                           "KeyOnlyFilter () AND SingleColumnValueFilter ('f', 'q', =, 'binary:a')"}) {
    EXPECT_TRUE(CheckIgnoresRows(ParsedFilter(text)).ok()) << text;
    EXPECT_TRUE(FilterOfBucket(ParsedFilter(text), "p").ok()) << text;
  }
}

}  // namespace
}  // namespace vaquita::client
