#include "proto/hbase/stored_values.h"

#include <gtest/gtest.h>

#include "base/status.h"

namespace vaquita {
namespace {

TEST(HBaseFormatTest, ARegionInfoIsByteForByteHBases) {
  const RegionInfo info{
      .table = {"default", "t"}, .start_key = "a", .end_key = "b", .id = 5, .offline = true, .split = true};
  const std::string bytes(
      "PBUF\x08\x05\x12\x0c\x0a\x07"
      "default\x12\x01"
      "t\x1a\x01"
      "a\x22\x01"
      "b\x28\x01\x30\x01\x38\x00",
      32);
  EXPECT_EQ(EncodeRegionInfo(info), bytes);
  EXPECT_EQ(*DecodeRegionInfo(bytes), info);
}

TEST(HBaseFormatTest, ATableStateHasNoMagic) {
  EXPECT_EQ(EncodeTableState(TableState::kDisabled), "\x08\x01");
  for (const TableState state :
       {TableState::kEnabled, TableState::kDisabled, TableState::kDisabling, TableState::kEnabling}) {
    EXPECT_EQ(*DecodeTableState(EncodeTableState(state)), state);
  }
}

TEST(HBaseFormatTest, GarbledBytesAreRefused) {
  EXPECT_TRUE(IsError(DecodeRegionInfo("").status(), ErrorKind::kDeserialization));
  EXPECT_TRUE(IsError(DecodeRegionInfo("PBUF\xff").status(), ErrorKind::kDeserialization));
  EXPECT_TRUE(IsError(DecodeTableState("\x08\x07").status(), ErrorKind::kDeserialization));
  EXPECT_TRUE(IsError(DecodeTableDescriptor("XXXX").status(), ErrorKind::kDeserialization));
  EXPECT_TRUE(IsError(DecodeNamespace("\xff").status(), ErrorKind::kDeserialization));
}

TEST(HBaseFormatTest, LongsAreBigEndian) { EXPECT_EQ(EncodeLong(0x0102), std::string("\0\0\0\0\0\0\x01\x02", 8)); }

}  // namespace
}  // namespace vaquita
