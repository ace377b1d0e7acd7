#include "engine/cells/stored_row.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "engine/cells/cell_key.h"
#include "model/region_info.h"

namespace vaquita {
namespace {

using ::testing::Lt;
using std::string_literals::operator""s;

std::string Stored(std::string_view row, RowOrder order = RowOrder::kMeta) {
  std::string scratch;
  return std::string(StoredRow(order, row, &scratch));
}

std::string Back(std::string_view stored, RowOrder order = RowOrder::kMeta) {
  std::string scratch;
  return std::string(RowOfStored(order, stored, &scratch));
}

int Sign(int order) { return (order > 0) - (order < 0); }

TEST(StoredRowTest, RowsOfOtherTablesAreStoredAsTheyAre) {
  EXPECT_EQ(Stored("t,,1", RowOrder::kBytes), "t,,1");
  EXPECT_EQ(Back("\x01t", RowOrder::kBytes), "\x01t");
}

TEST(StoredRowTest, MetaRowsAreStoredPartByPart) {
  EXPECT_EQ(Stored("t"), "\x01t");
  EXPECT_EQ(Stored("n:t,,1.e."),
            "\x01n:t\x01\x01"
            "1.e.");
  EXPECT_EQ(Stored("t,a,b,1.e."),
            "\x01t\x01"
            "a,b\x01"
            "1.e.");
  EXPECT_EQ(Stored("t,\x00\x01\x02\x03,1"s),
            "\x01t\x01\x02\x01\x02\x02\x02\x03\x03\x01"
            "1");
}

// Names that are prefixes of each other, bytes on both sides of the comma, start keys with commas, and binary ones.
TEST(StoredRowTest, MetaRowsInHBasesOrderHaveAscendingBytes) {
  const std::vector<std::string> rows = {"+t,,1",         "n:t,,1",   "t",          "t,,1",      "t,,2",   "t,\x00,1"s,
                                         "t,\x00\x00,1"s, "t,\x01,1", "t,\x02,1",   "t,+,1",     "t,,,1",  "t,,a,1",
                                         "t,-,1",         "t,a,1",    "t,a\x00,1"s, "t,a\x01,1", "t,a,,1", "t,a,b,1",
                                         "t,b,1",         "t,\xff,1", "t ,,",       "t+,,1",     "t-,,1",  "t-1",
                                         "t-1,,1",        "t.,,1",    "t1,,1",      "tt",        "tt,,1"};
  for (size_t i = 1; i < rows.size(); ++i) {
    EXPECT_LT(CompareRows(RowOrder::kMeta, rows[i - 1], rows[i]), 0) << rows[i - 1] << " and " << rows[i];
    EXPECT_THAT(Stored(rows[i - 1]), Lt(Stored(rows[i])));
    EXPECT_THAT(RowPrefix(Stored(rows[i - 1])), Lt(RowPrefix(Stored(rows[i]))));
  }
}

TEST(StoredRowTest, RandomMetaRowsCompareAsTheirBytesAndComeBack) {
  std::mt19937_64 random{20261122};
  const auto row = [&] {
    static constexpr char kBytes[] = {'\x00', '\x01', '\x02', '\x03', '+', ',', ',', '-', 'a', '\xff'};
    std::string text;
    for (size_t length = 1 + random() % 6; text.size() < length;) text += kBytes[random() % std::size(kBytes)];
    return text;
  };
  for (int i = 0; i < 200'000; ++i) {
    const std::string a = row(), b = row();
    const int order = Sign(CompareRows(RowOrder::kMeta, a, b));
    ASSERT_EQ(Sign(Stored(a).compare(Stored(b))), order) << ToStringBinary(a) << " and " << ToStringBinary(b);
    ASSERT_EQ(Sign(RowPrefix(Stored(a)).compare(RowPrefix(Stored(b)))), order);
    ASSERT_EQ(Back(Stored(a)), a);
  }
}

TEST(StoredRowTest, TheFormerFormIsToldApart) {
  for (const char* row : {"t", "t,,1", "0", "_t,,1", "n:t", "-"}) {
    EXPECT_GE(std::string_view(row), kFormerMetaRows);
    EXPECT_LT(Stored(row), kFormerMetaRows);
    EXPECT_EQ(Back(row), row);
  }
}

TEST(StoredRowTest, BoundsThatAreNoneStayNone) {
  const RowRange all = StoredRange(RowOrder::kMeta, {});
  EXPECT_TRUE(all.start.empty() && all.stop.empty());
  const RowRange some = StoredRange(RowOrder::kMeta, {"t,,", "t ,,", true, true});
  EXPECT_EQ(some, (RowRange{"\x01t\x01\x01", "\x01t \x01\x01", true, true}));
}

}  // namespace
}  // namespace vaquita
