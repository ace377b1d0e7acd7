#include "sql/encoding/index_value.h"

#include <string>

#include "base/status.h"
#include "sql/encoding/decimal.h"
#include "sql/encoding/number_pattern.h"
#include "sql/encoding/sql_error.h"
#include "sql/encoding/text.h"
#include "sql/encoding/value_codec.h"

namespace vaquita::sql {
namespace {

constexpr int32_t kNanoDigits = 6;  // a timestamp's nanoseconds are the digits behind its milliseconds
constexpr int64_t kNanosOfMs = 1'000'000;

}  // namespace

SqlType TypeInIndex(const SqlType& type, bool nullable) {
  if (!nullable || type.FixedWidth() == 0) return type;
  if (type.id == TypeId::kChar) return {TypeId::kVarchar, type.length};
  if (type.id == TypeId::kBinary) return {TypeId::kVarbinary, type.length};
  return TypeId::kDecimal;
}

Value ToIndexValue(const SqlType& type, const SqlType& in_index, const Value& value) {
  if (value.is_null() || type == in_index) return value;
  if (in_index.kind() != ValueKind::kDecimal) return EncodeValue(type, value);  // padded, as CHAR is
  switch (type.kind()) {
    case ValueKind::kReal:
      return Decimal::BoundOf(value.real());
    case ValueKind::kTimestamp: {
      const Timestamp& time = value.timestamp();
      return Decimal(absl::int128(time.ms) * kNanosOfMs + time.nanos, kNanoDigits);
    }
    default:
      return Decimal(value.integer());
  }
}

absl::StatusOr<Value> FromIndexValue(const SqlType& type, const SqlType& in_index, const Value& value) {
  if (value.is_null() || type == in_index) return value;
  if (in_index.kind() != ValueKind::kDecimal) return DecodeValue(type, value.text());
  const Decimal& number = value.decimal();
  if (type.kind() == ValueKind::kReal) return Value(number.ToDouble());
  int64_t whole = 0;
  // A TIMESTAMP has its nanoseconds above the millisecond, also before 1970.
  if (!FloorOf(number, 0).ToInt64(&whole)) {
    return SqlError(ErrorCode::kIllegalData,
                    Concat("the index has ", number.ToString(), " for a column of type ", type.Name()));
  }
  if (type.kind() != ValueKind::kTimestamp) return Value(whole);
  Timestamp time;
  time.ms = whole;
  int64_t nanos = 0;
  if (((number - Decimal(whole)) * Decimal(kNanosOfMs)).ToInt64(&nanos)) time.nanos = static_cast<int32_t>(nanos);
  return Value(time);
}

}  // namespace vaquita::sql
