#include "sql/avatica/values.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "sql/encoding/sql_error.h"

namespace vaquita::sql {
namespace {

struct Example {
  SqlType type;
  Value value;
};

SqlType ArrayOf(TypeId id) {
  SqlType type = id;
  type.array = true;
  return type;
}

// The bytes of a row are those that its message has.
TEST(WireRowsTest, TheBytesAreTheMessages) {
  const Example examples[] = {
      {TypeId::kInteger, int64_t{0}},
      {TypeId::kInteger, int64_t{-1}},
      {TypeId::kTinyint, int64_t{-128}},
      {TypeId::kSmallint, int64_t{300}},
      {TypeId::kBigint, std::numeric_limits<int64_t>::min()},
      {TypeId::kBigint, std::numeric_limits<int64_t>::max()},
      {TypeId::kBoolean, int64_t{1}},
      {TypeId::kBoolean, int64_t{0}},
      {TypeId::kDouble, 0.0},
      {TypeId::kDouble, -0.0},
      {TypeId::kFloat, 1.5},
      {TypeId::kDouble, std::numeric_limits<double>::infinity()},
      {TypeId::kDecimal, Decimal(-1250, 2)},
      {TypeId::kVarchar, std::string("text")},
      {TypeId::kVarchar, std::string(300, 'x')},
      {TypeId::kVarchar, std::string(70'000, 'y')},
      {TypeId::kVarchar, Value()},
      {TypeId::kVarbinary, std::string("\0\xff\x80", 3)},
      {TypeId::kDate, int64_t{-86'400'000}},
      {TypeId::kTime, int64_t{1000}},
      {TypeId::kTimestamp, Timestamp{1'700'000'000'000, 5}},
      {SqlType(), int64_t{1}},
      {ArrayOf(TypeId::kInteger), ValueList{int64_t{1}, Value(), int64_t{0}}},
      {ArrayOf(TypeId::kVarchar), ValueList{std::string("a"), std::string("b")}},
      {ArrayOf(TypeId::kVarchar), Value()},
  };
  avatica::Row message;
  std::string row;
  WireRows wire;
  for (const Example& example : examples) {
    SetColumnValue(example.type, example.value, message.add_value());
    wire.Append(example.type, example.value, &row);
    EXPECT_EQ(row, message.SerializeAsString()) << example.type.Name();
  }
}

avatica::TypedValue Typed(avatica::Rep rep) {
  avatica::TypedValue value;
  value.set_type(rep);
  return value;
}

TEST(ParameterValuesTest, MoreValuesThanParametersAreRefused) {
  google::protobuf::RepeatedPtrField<avatica::TypedValue> values;
  EXPECT_TRUE(ParameterValues(values, {}).ok());
  *values.Add() = Typed(avatica::LONG);
  EXPECT_TRUE(ParameterValues(values, {TypeId::kBigint}).ok());
  *values.Add() = Typed(avatica::LONG);
  EXPECT_TRUE(IsSqlError(ParameterValues(values, {TypeId::kBigint}).status(), ErrorCode::kParameterOutOfRange));
}

TEST(ParameterValuesTest, NaNIsNoValue) {
  avatica::TypedValue real = Typed(avatica::DOUBLE);
  avatica::TypedValue bits = Typed(avatica::FLOAT);
  real.set_double_value(std::numeric_limits<double>::quiet_NaN());
  bits.set_number_value(0x7fc00000);
  for (const TypeId type : {TypeId::kFloat, TypeId::kDouble, TypeId::kDecimal, TypeId::kInteger}) {
    EXPECT_TRUE(IsSqlError(ParameterValue(real, type).status(), ErrorCode::kIllegalData));
    EXPECT_TRUE(IsSqlError(ParameterValue(bits, type).status(), ErrorCode::kIllegalData));
  }
  real.set_double_value(std::numeric_limits<double>::infinity());
  EXPECT_TRUE(ParameterValue(real, TypeId::kDouble).ok());
}

}  // namespace
}  // namespace vaquita::sql
