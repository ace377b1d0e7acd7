#include "server/frontend/hbase/endpoint/big_decimal.h"

#include <gmock/gmock.h>

#include "base/big_endian.h"

namespace vaquita::hbase {
namespace {

// `unscaled` times 10 to the power of -scale, from 8 bytes.
BigDecimal Of(int64_t unscaled, int32_t scale) {
  std::string bytes;
  AppendBigEndian(static_cast<uint32_t>(scale), &bytes);
  AppendBigEndian(static_cast<uint64_t>(unscaled), &bytes);
  return *BigDecimal::Read(bytes);
}

std::string Bytes(std::string_view unscaled, int32_t scale) {
  std::string bytes;
  AppendBigEndian(static_cast<uint32_t>(scale), &bytes);
  return bytes + std::string(unscaled);
}

TEST(BigDecimalTest, BytesAreThoseOfJava) {
  using namespace std::literals;
  EXPECT_EQ(Of(0, 0).Bytes(), Bytes("\0"sv, 0));
  EXPECT_EQ(Of(127, 2).Bytes(), Bytes("\x7f", 2));
  EXPECT_EQ(Of(128, 2).Bytes(), Bytes("\0\x80"sv, 2));
  EXPECT_EQ(Of(-1, -3).Bytes(), Bytes("\xff", -3));
  EXPECT_EQ(Of(-128, 0).Bytes(), Bytes("\x80", 0));
  EXPECT_EQ(Of(-129, 0).Bytes(), Bytes("\xff\x7f", 0));
  EXPECT_EQ(Of(-256, 0).Bytes(), Bytes("\xff\0"sv, 0));
  const std::string large = Bytes("\x81\x23\x45\x67\x89\xab\xcd\xef\x01\x23\x45", 7);
  EXPECT_EQ(BigDecimal::Read(large)->Bytes(), large);
  EXPECT_FALSE(BigDecimal::Read("\0\0\0\0"sv).has_value());
  EXPECT_FALSE(BigDecimal::Read(Bytes("\1", 10'001)).has_value());
  EXPECT_TRUE(BigDecimal::Read(Bytes(std::string(4096, '\1'), 0)).has_value());
  EXPECT_FALSE(BigDecimal::Read(Bytes(std::string(4097, '\1'), 0)).has_value());
}

TEST(BigDecimalTest, ItCountsAsJavaDoes) {
  EXPECT_EQ(Of(125, 2).Plus(Of(5, 1)).Bytes(), Of(175, 2).Bytes());
  EXPECT_EQ(Of(-125, 2).Times(Of(5, 1)).Bytes(), Of(-625, 3).Bytes());
  EXPECT_EQ(Of(5, -1).Plus(Of(5, 1)).Bytes(), Of(505, 1).Bytes());
  EXPECT_EQ(Of(1, 0).Compare(Of(100, 2)), 0);
  EXPECT_LT(Of(-2, 0).Compare(Of(-199, 2)), 0);
  EXPECT_GT(Of(2, 0).Compare(Of(199, 2)), 0);
}

TEST(BigDecimalTest, HalvesGoToTheEvenDigit) {
  EXPECT_EQ(Of(1, 0).WithScale(2).Bytes(), Of(100, 2).Bytes());
  EXPECT_EQ(Of(1005, 3).WithScale(2).Bytes(), Of(100, 2).Bytes());
  EXPECT_EQ(Of(1015, 3).WithScale(2).Bytes(), Of(102, 2).Bytes());
  EXPECT_EQ(Of(1016, 3).WithScale(2).Bytes(), Of(102, 2).Bytes());
  EXPECT_EQ(Of(1014, 3).WithScale(2).Bytes(), Of(101, 2).Bytes());
  EXPECT_EQ(Of(-1005, 3).WithScale(2).Bytes(), Of(-100, 2).Bytes());
  EXPECT_EQ(Of(-1015, 3).WithScale(2).Bytes(), Of(-102, 2).Bytes());
  EXPECT_EQ(Of(-5, 3).WithScale(2).Bytes(), Of(0, 2).Bytes());
}

}  // namespace
}  // namespace vaquita::hbase
