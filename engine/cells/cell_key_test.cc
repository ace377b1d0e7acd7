#include "engine/cells/cell_key.h"

#include <gtest/gtest.h>

#include <random>
#include <tuple>

namespace vaquita {
namespace {

using std::string_literals::operator""s;

constexpr CellType kTypes[] = {CellType::kPut, CellType::kDelete, CellType::kDeleteFamilyVersion,
                               CellType::kDeleteColumn, CellType::kDeleteFamily};

struct OwnedKey {
  std::string row;
  std::string qualifier;
  int64_t timestamp_ms;
  CellType type;

  std::string Encoded() const {
    std::string out;
    AppendCellKey({row, qualifier, timestamp_ms, type}, &out);
    return out;
  }
  // HBase's order, said plainly (CellComparatorImpl).
  bool Before(const OwnedKey& other) const {
    return std::make_tuple(row, qualifier, -timestamp_ms, -static_cast<int>(type)) <
           std::make_tuple(other.row, other.qualifier, -other.timestamp_ms, -static_cast<int>(other.type));
  }
};

// Short texts of few bytes, the troublesome ones among them, so that many are prefixes of each other.
class RandomKeys {
 public:
  OwnedKey Next() {
    static constexpr int64_t kTimestamps[] = {0, 1, 2, 255, 256, 1'700'000'000'000, kMaxTimestamp - 1, kMaxTimestamp};
    return {Text(1), Text(0), kTimestamps[Below(std::size(kTimestamps))], kTypes[Below(std::size(kTypes))]};
  }

 private:
  size_t Below(size_t n) { return std::uniform_int_distribution<size_t>(0, n - 1)(random_); }
  std::string Text(size_t least) {
    static constexpr char kBytes[] = {'\x00', '\x01', '\x02', 'a', '\xfe', '\xff'};
    std::string text;
    for (size_t length = least + Below(4); text.size() < length;) text += kBytes[Below(std::size(kBytes))];
    return text;
  }
  std::mt19937_64 random_{20261121};
};

TEST(CellKeyTest, BytesOrderAsHBaseOrdersCells) {
  RandomKeys keys;
  for (int i = 0; i < 100'000; ++i) {
    const OwnedKey a = keys.Next(), b = keys.Next();
    ASSERT_EQ(a.Before(b), a.Encoded() < b.Encoded())
        << ::testing::PrintToString(a.Encoded()) << " and " << ::testing::PrintToString(b.Encoded());
    ASSERT_EQ(b.Before(a), b.Encoded() < a.Encoded());
  }
}

TEST(CellKeyTest, ParsingGivesTheKeyBack) {
  RandomKeys keys;
  std::string scratch;
  for (int i = 0; i < 20'000; ++i) {
    const OwnedKey key = keys.Next();
    const std::string encoded = key.Encoded();
    CellKey parsed;
    ASSERT_TRUE(ParseCellKey(encoded, &scratch, &parsed).ok());
    ASSERT_EQ(parsed.row, key.row);
    ASSERT_EQ(parsed.qualifier, key.qualifier);
    ASSERT_EQ(parsed.timestamp_ms, key.timestamp_ms);
    ASSERT_EQ(parsed.type, key.type);

    KeyLayout layout;
    std::string row_scratch, qualifier_scratch;
    ASSERT_TRUE(ReadKeyLayout(encoded, &layout));
    ASSERT_EQ(KeyRow(encoded, layout, &row_scratch), key.row);
    ASSERT_EQ(KeyQualifier(encoded, layout, &qualifier_scratch), key.qualifier);
    ASSERT_EQ(encoded.substr(0, layout.row_length), RowPrefix(key.row));
    ASSERT_EQ(encoded.substr(0, layout.column_length), ColumnPrefix(key.row, key.qualifier));
  }
}

TEST(CellKeyTest, PrefixesBoundExactlyTheirCells) {
  RandomKeys keys;
  for (int i = 0; i < 50'000; ++i) {
    const OwnedKey key = keys.Next(), other = keys.Next();
    const std::string encoded = key.Encoded();
    const bool in_row = encoded >= RowPrefix(other.row) && encoded < AfterRow(other.row);
    ASSERT_EQ(in_row, key.row == other.row);
    ASSERT_EQ(encoded.starts_with(RowPrefix(other.row)), key.row == other.row);
    ASSERT_EQ(encoded.starts_with(ColumnPrefix(other.row, other.qualifier)),
              key.row == other.row && key.qualifier == other.qualifier);
  }
}

TEST(CellKeyTest, ARangesKeysAreThoseOfItsRows) {
  RandomKeys keys;
  for (int i = 0; i < 50'000; ++i) {
    const OwnedKey key = keys.Next();
    const RowRange range{i % 7 == 0 ? "" : keys.Next().row, i % 5 == 0 ? "" : keys.Next().row, i % 2 == 0, i % 3 == 0};
    const std::string encoded = key.Encoded(), first = FirstKey(range), end = EndKey(range);
    ASSERT_EQ(range.Contains(key.row), encoded >= first && (end.empty() || encoded < end));
  }
}

TEST(CellKeyTest, TheBytesOnDiskStayAsTheyAre) {
  std::string out;
  AppendCellKey({"r\0w"s, "q", 0x0102, CellType::kPut}, &out);
  EXPECT_EQ(out, "r\0\xffw\0\x01q\0\x01\xff\xff\xff\xff\xff\xff\xfe\xfd\xfb"s);
}

TEST(CellKeyTest, OtherBytesAreNotTakenForAKey) {
  const std::string good = OwnedKey{"r\0w"s, "q", 7, CellType::kPut}.Encoded();
  KeyLayout layout;
  std::string scratch;
  CellKey key;
  for (size_t length = 0; length < good.size(); ++length) {
    EXPECT_FALSE(ReadKeyLayout(good.substr(0, length), &layout)) << length;
  }
  EXPECT_FALSE(ReadKeyLayout(good + "x", &layout));
  EXPECT_TRUE(absl::IsDataLoss(ParseCellKey("r\0\x05q\0\x01........."s, &scratch, &key)));  // no such escape
  EXPECT_TRUE(absl::IsDataLoss(ParseCellKey("\0\x01q\0\x01\xff\xff\xff\xff\xff\xff\xff\xff\xfb"s, &scratch, &key)));
  std::string no_such_type = good;
  no_such_type.back() = '\xfa';
  EXPECT_TRUE(absl::IsDataLoss(ParseCellKey(no_such_type, &scratch, &key)));
}

TEST(StoredValueTest, KeepsValueAndTtl) {
  for (const int64_t ttl : {kNoTtl, int64_t{0}, int64_t{1'500}, kMaxTimestamp}) {
    for (const std::string& value : {""s, "v"s, "\0\x01"s, std::string(1000, 'x')}) {
      std::string stored;
      AppendStoredValue(value, ttl, &stored);
      std::string_view parsed;
      int64_t parsed_ttl = 0;
      ASSERT_TRUE(ParseStoredValue(stored, &parsed, &parsed_ttl));
      EXPECT_EQ(parsed, value);
      EXPECT_EQ(parsed_ttl, ttl);
    }
  }
}

TEST(StoredValueTest, OtherBytesAreNotTakenForAValue) {
  std::string_view value;
  int64_t ttl;
  EXPECT_FALSE(ParseStoredValue("", &value, &ttl));
  EXPECT_FALSE(ParseStoredValue("\x02v", &value, &ttl));
  EXPECT_FALSE(ParseStoredValue("\x01short", &value, &ttl));
}

TEST(StoredValueTest, MayHaveTheNumberOfItsWrite) {
  for (const int64_t ttl_ms : {kNoTtl, int64_t{5}}) {
    for (const int64_t number : {int64_t{0}, int64_t{1} << 40}) {
      std::string stored;
      AppendStoredValue("value", ttl_ms, &stored, number);
      std::string_view value;
      int64_t found_ttl_ms = 0;
      ASSERT_TRUE(ParseStoredValue(stored, &value, &found_ttl_ms));
      EXPECT_EQ(value, "value");
      EXPECT_EQ(found_ttl_ms, ttl_ms);
      EXPECT_EQ(StoredWriteNumber(stored), number);
    }
  }
  std::string_view value;
  int64_t ttl_ms = 0;
  for (const std::string& bad : {std::string(), std::string("\x04v"), std::string("\x03") + std::string(15, 'n')}) {
    EXPECT_FALSE(ParseStoredValue(bad, &value, &ttl_ms)) << bad.size();
    EXPECT_EQ(StoredWriteNumber(bad), 0);
  }
}

}  // namespace
}  // namespace vaquita
