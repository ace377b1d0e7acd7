#include "model/cell_block.h"

#include <gtest/gtest.h>

#include <random>

#include "model/cell_block_reader.h"

namespace vaquita {
namespace {

using std::string_literals::operator""s;

Cell MakeCell(std::string row, std::string qualifier, int64_t timestamp_ms, std::string value) {
  Cell cell;
  cell.row = std::move(row);
  cell.family = "f";
  cell.qualifier = std::move(qualifier);
  cell.timestamp_ms = timestamp_ms;
  cell.value = std::move(value);
  return cell;
}

void ExpectSame(const CellView& a, const CellView& b) {
  EXPECT_EQ(a.row, b.row);
  EXPECT_EQ(a.family, b.family);
  EXPECT_EQ(a.qualifier, b.qualifier);
  EXPECT_EQ(a.timestamp_ms, b.timestamp_ms);
  EXPECT_EQ(a.type, b.type);
  EXPECT_EQ(a.value, b.value);
}

TEST(CellBlockTest, TheBytesAreKeyValueCodecs) {
  CellBlock block;
  Cell cell = MakeCell("row", "q", 0x0102, "val");
  cell.type = CellType::kDeleteColumn;
  block.Append(cell.view());
  EXPECT_EQ(block.bytes(),
            "\0\0\0\x1c"  // length of the rest
            "\0\0\0\x11"
            "\0\0\0\x03"
            "\0\x03row"
            "\x01"
            "fq"
            "\0\0\0\0\0\0\x01\x02"
            "\x0c"
            "val"s);
}

TEST(CellBlockTest, CellsComeBackAsTheyWentIn) {
  std::mt19937_64 random(7);
  std::vector<Cell> cells;
  CellBlock block;
  for (int i = 0; i < 500; ++i) {
    Cell cell = MakeCell(std::string(1 + random() % 300, '\0'), std::string(random() % 40, 'q'),
                         static_cast<int64_t>(random() >> 1), std::string(random() % 500, '\xff'));
    cell.family = std::string(1 + random() % 127, 'f');
    cells.push_back(cell);
    block.Append(cells.back().view());
  }
  ASSERT_EQ(block.size(), cells.size());
  for (size_t i = 0; i < cells.size(); ++i) ExpectSame(block[i], cells[i].view());
  EXPECT_EQ(block.Encoded(0, block.size()), block.bytes());
  EXPECT_EQ(std::string(block.Encoded(0, 3)) + std::string(block.Encoded(3, block.size() - 3)), block.bytes());
  EXPECT_EQ(block.Encoded(block.size(), 0), "");
}

CellBlock OneToFive() {
  CellBlock block;
  for (const char* value : {"1", "22", "333", "4444", "55555"}) block.Append(MakeCell("r", value, 1, value).view());
  return block;
}

std::string Values(const CellBlock& block) {
  std::string values;
  for (size_t i = 0; i < block.size(); ++i) values.append(block[i].value).append(" ");
  return values;
}

TEST(CellBlockTest, RetainDropsWhatIsNotKept) {
  CellBlock block = OneToFive();
  block.Retain(1, {false, true, false, true});
  EXPECT_EQ(Values(block), "1 333 55555 ");
  EXPECT_EQ(block.Encoded(0, 3).size(), block.bytes().size());
  block.Retain(0, {false, false, false});
  EXPECT_TRUE(block.empty());
  EXPECT_EQ(block.bytes(), "");
  block.Retain(0, {});
  EXPECT_TRUE(block.empty());
}

TEST(CellBlockTest, TruncateDropsTheEnd) {
  CellBlock block = OneToFive();
  block.Truncate(7);
  EXPECT_EQ(block.size(), 5u);
  block.Truncate(2);
  EXPECT_EQ(Values(block), "1 22 ");
  block.Append(MakeCell("r", "q", 1, "again").view());
  EXPECT_EQ(Values(block), "1 22 again ");
}

TEST(CellBlockTest, TtlsAreCarriedIfWanted) {
  CellBlock block;
  Cell mortal = MakeCell("r", "q", 2, "v");
  mortal.ttl_ms = 3'600'000;
  block.Append(mortal.view());
  block.CarryTtls();
  block.Append(mortal.view());
  block.Append(MakeCell("r", "q", 1, "v").view());
  EXPECT_EQ(Values(block), "v v v ");
  CellBlockReader reader(block.bytes());
  CellView cell;
  for (const int64_t ttl_ms : {kNoTtl, int64_t{3'600'000}, kNoTtl}) {
    ASSERT_TRUE(reader.Next(&cell));
    EXPECT_EQ(cell.ttl_ms, ttl_ms);
    EXPECT_EQ(cell.value, "v");
  }
  EXPECT_FALSE(reader.Next(&cell) || reader.failed());
}

TEST(CellBlockTest, AppendFromCopiesACell) {
  const CellBlock from = OneToFive();
  CellBlock block;
  block.AppendFrom(from, 4);
  block.AppendFrom(from, 0);
  EXPECT_EQ(Values(block), "55555 1 ");
  ExpectSame(block[0], from[4]);
}

}  // namespace
}  // namespace vaquita
