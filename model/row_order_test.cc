#include "model/row_order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace vaquita {
namespace {

using ::testing::ElementsAre;

TEST(RowOrderTest, MetaComparesTablesThenStartKeysThenIds) {
  // In order; bytewise they are not.
  const std::vector<std::string> rows = {
      "t",        "t,,1.a.", "t,\x01,1.b.", "t,a,1.c.", "t,a\x01,1.d.", "t,a,b,1.e.", "t,b,1.f.",
      "t,b,2.g.", "t ,,",    "t-1,,1.h.",   "t1,,1.i.", "n:t,,1.j.",    "u"};
  std::vector<std::string> sorted = rows;
  std::sort(sorted.begin(), sorted.end(),
            [](const std::string& a, const std::string& b) { return CompareRows(RowOrder::kMeta, a, b) < 0; });
  EXPECT_THAT(sorted, ElementsAre("n:t,,1.j.", "t", "t,,1.a.", "t,\x01,1.b.", "t,a,1.c.", "t,a\x01,1.d.", "t,a,b,1.e.",
                                  "t,b,1.f.", "t,b,2.g.", "t ,,", "t-1,,1.h.", "t1,,1.i.", "u"));
  EXPECT_EQ(CompareRows(RowOrder::kMeta, "t,a,1", "t,a,1"), 0);
}

TEST(RowOrderTest, OtherTablesCompareBytes) {
  EXPECT_EQ(RowOrderOf({"default", "meta"}), RowOrder::kBytes);
  EXPECT_EQ(RowOrderOf({"hbase", "meta"}), RowOrder::kMeta);
  EXPECT_LT(CompareRows(RowOrder::kBytes, "t,\x01,1", "t,,1"), 0);
  EXPECT_GT(CompareRows(RowOrder::kMeta, "t,\x01,1", "t,,1"), 0);
}

}  // namespace
}  // namespace vaquita
