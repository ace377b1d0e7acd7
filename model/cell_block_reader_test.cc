#include "model/cell_block_reader.h"

#include <random>
#include <string>

#include "base/big_endian.h"
#include "gtest/gtest.h"
#include "model/cell_block.h"

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

// A cell of row "r" with tags after its value.
std::string TaggedCell(std::string_view tags) {
  CellBlock block;
  block.Append({"r", "f", "q", 12, CellType::kPut, "value"});
  std::string bytes(block.bytes());
  AppendBigEndian(static_cast<uint16_t>(tags.size()), &bytes);
  bytes.append(tags);
  PutBigEndian(static_cast<uint32_t>(bytes.size() - 4), bytes.data());
  return bytes;
}

TEST(CellBlockReaderTest, ReadsTheTimeToLiveAmongTags) {
  using namespace std::string_literals;
  const std::string ttl = "\0\x09\x08\0\0\0\0\0\0\x03\xe8"s;
  const std::string other = "\0\x03\x01zz"s;
  const std::string bytes = TaggedCell(other + ttl + other) + TaggedCell(other);
  CellBlockReader reader(bytes);
  CellView cell;
  ASSERT_TRUE(reader.Next(&cell));
  EXPECT_EQ(cell.value, "value");
  EXPECT_EQ(cell.ttl_ms, 1000);
  ASSERT_TRUE(reader.Next(&cell));
  EXPECT_EQ(cell.ttl_ms, kNoTtl);
  EXPECT_FALSE(reader.Next(&cell));
  EXPECT_FALSE(reader.failed());
}

TEST(CellBlockReaderTest, RefusesTagsThatAreNone) {
  using namespace std::string_literals;
  for (const std::string& tags : {"\0"s, "\0\0\x08"s, "\0\x05\x08"s, "\0\x02\x08z"s}) {
    const std::string bytes = TaggedCell(tags);
    CellBlockReader reader(bytes);
    CellView cell;
    EXPECT_FALSE(reader.Next(&cell));
    EXPECT_TRUE(reader.failed());
  }
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
