#include "engine/cell_block_reader.h"

#include <random>
#include <string>

#include "engine/cell_block.h"
#include "gtest/gtest.h"

namespace vaquita {
namespace {

CellBlock SomeCells() {
  CellBlock block;
  block.Append({"row", "f", "q", 12, CellType::kPut, "value"});
  block.Append({"", "family", "", kLatestTimestamp, CellType::kDeleteFamily, ""});
  block.Append(
      {std::string(kMaxRowLength, '\xff'), "", std::string("\0q", 2), 0, CellType::kDelete, std::string(70000, 'v')});
  return block;
}

TEST(CellBlockReaderTest, ReadsWhatACellBlockHolds) {
  const CellBlock block = SomeCells();
  CellBlockReader reader(block.bytes());
  CellView cell;
  for (size_t i = 0; i < block.size(); ++i) {
    ASSERT_TRUE(reader.Next(&cell)) << i;
    const CellView want = block[i];
    EXPECT_EQ(cell.row, want.row);
    EXPECT_EQ(cell.family, want.family);
    EXPECT_EQ(cell.qualifier, want.qualifier);
    EXPECT_EQ(cell.timestamp_ms, want.timestamp_ms);
    EXPECT_EQ(cell.type, want.type);
    EXPECT_EQ(cell.value, want.value);
  }
  EXPECT_FALSE(reader.Next(&cell));
  EXPECT_FALSE(reader.failed());
}

TEST(CellBlockReaderTest, RefusesEveryCutInTheMiddleOfACell) {
  CellBlock block;
  block.Append({"row", "f", "q", 12, CellType::kPut, "value"});
  for (size_t length = 1; length < block.bytes().size(); ++length) {
    CellBlockReader reader(block.bytes().substr(0, length));
    CellView cell;
    EXPECT_FALSE(reader.Next(&cell)) << length;
    EXPECT_TRUE(reader.failed()) << length;
  }
}

// Under the address sanitizer this shows that no length in the bytes is believed.
TEST(CellBlockReaderTest, StaysInsideItsBytesWhateverTheyAre) {
  const std::string whole(SomeCells().bytes().substr(0, 200));
  std::mt19937 random(1);
  for (int round = 0; round < 20000; ++round) {
    std::string bytes = whole;
    for (int change = 0; change < 3; ++change) bytes[random() % bytes.size()] = static_cast<char>(random());
    CellBlockReader reader(bytes);
    CellView cell;
    size_t total = 0;
    while (reader.Next(&cell))
      total += cell.row.size() + cell.family.size() + cell.qualifier.size() + cell.value.size();
    EXPECT_LE(total, bytes.size());
  }
}

}  // namespace
}  // namespace vaquita
