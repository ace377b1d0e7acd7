#include "sql/encoding/index_value.h"

#include <gtest/gtest.h>

#include "sql/encoding/text.h"
#include "sql/encoding/value_codec.h"

namespace vaquita::sql {
namespace {

// The bytes are those that Apache Phoenix 5.2.1 had in the key of an index.
TEST(IndexValueTest, FixedColumnsAreDecimalsOrText) {
  const struct {
    SqlType type;
    Value value;
    std::string_view hex;
  } cases[] = {
      {TypeId::kInteger, int64_t{30}, "c11f"},
      {TypeId::kInteger, int64_t{-5}, "3e6066"},
      {TypeId::kBoolean, int64_t{1}, "c102"},
      {TypeId::kTimestamp, Timestamp{1'577'872'800'000, 0}, "c7023a4f4951"},
      {TypeId::kDate, int64_t{1'577'836'800'000}, "c7023a4f2551"},
      {TypeId::kDouble, 1.5, "c10233"},
      {{TypeId::kChar, 3}, "ab", "616220"},
      {TypeId::kVarchar, "ab", "6162"},
  };
  for (const auto& [type, value, hex] : cases) {
    const SqlType in_index = TypeInIndex(type, true);
    const Value converted = ToIndexValue(type, in_index, value);
    EXPECT_EQ(Hex(EncodeValue(in_index, converted)), hex) << type.Name();
    const auto back = FromIndexValue(type, in_index, converted);
    ASSERT_TRUE(back.ok()) << back.status();
    EXPECT_EQ(*back, value) << type.Name();
    EXPECT_EQ(TypeInIndex(type, false), type);
  }
}

TEST(IndexValueTest, AColumnsNanosecondsAreKept) {
  const SqlType in_index = TypeInIndex(TypeId::kTimestamp, true);
  for (const Timestamp time : {Timestamp{1'577'872'800'000, 123'456}, Timestamp{-5, 3}, Timestamp{-1, 999'999}}) {
    const Value value = time;
    EXPECT_EQ(*FromIndexValue(TypeId::kTimestamp, in_index, ToIndexValue(TypeId::kTimestamp, in_index, value)), value);
  }
}

TEST(IndexValueTest, AValueThatTheColumnCannotHaveIsAnError) {
  const Value huge = *Decimal::Parse("1e30");
  EXPECT_FALSE(FromIndexValue(TypeId::kInteger, TypeId::kDecimal, huge).ok());
}

}  // namespace
}  // namespace vaquita::sql
