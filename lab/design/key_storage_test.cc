#include "lab/design/key_storage.h"

#include <gtest/gtest.h>

namespace vaquita::lab {
namespace {

TEST(KeyStorage, ACellIsAsLongAsHBasesKeyValue) {
  const CellShape shape{.family = "cf", .columns = 3, .qualifier_bytes = 4, .value_bytes = 100};
  const CellBytes bytes = BytesOfCell("row1", shape);
  EXPECT_EQ(bytes.hbase, 8u + 2 + 4 + 1 + 2 + 4 + 8 + 1 + 100);
}

TEST(KeyStorage, AZeroTakesTwoBytesInVaquita) {
  EXPECT_EQ(BytesOfCell(std::string("\0\x01", 2), {}).vaquita_first, BytesOfCell("abc", {}).vaquita_first);
}

TEST(KeyStorage, FurtherColumnsOfARowShareItInVaquitaAlone) {
  StorageSum sum;
  const CellShape shape{.columns = 10};
  sum.Add("0123456789", shape);
  const CellBytes bytes = BytesOfCell("0123456789", shape);
  EXPECT_EQ(sum.hbase_bytes, 10 * bytes.hbase);
  EXPECT_EQ(sum.vaquita_bytes, bytes.vaquita_first + 9 * bytes.vaquita_other);
  EXPECT_EQ(sum.cells, 10u);
  sum.Add("x", shape);
  EXPECT_EQ(sum.rows, 2u);
  EXPECT_EQ(sum.key_bytes, 11u);
  EXPECT_EQ(sum.shortest_key, 1u);
  EXPECT_EQ(sum.longest_key, 10u);
  const uint64_t before = sum.vaquita_bytes;
  sum.AddToRow("x", {});
  EXPECT_EQ(sum.rows, 2u);
  EXPECT_EQ(sum.cells, 21u);
  EXPECT_EQ(sum.vaquita_bytes - before, BytesOfCell("x", {}).vaquita_other);
}

TEST(KeyStorage, TheSumIsExplained) {
  EXPECT_EQ(
      CellBytesText("row", {}),
      "HBase      33 bytes a cell: lengths 8 + row 2 + 3 + family 1 + 1 + qualifier 1 + timestamp 8 + type 1 + value "
      "8\n"
      "Vaquita    37 bytes a row's first cell, 32 each other one: row 3 + 2, in the first; qualifier 1 + 2, timestamp "
      "8, type 1, value 1 + 8, entry 11\n");
}

}  // namespace
}  // namespace vaquita::lab
