#include "sql/encoding/sql_type.h"

#include <algorithm>
#include <array>
#include <limits>

#include "sql/encoding/decimal.h"
#include "sql/encoding/text.h"

namespace vaquita::sql {
namespace {

constexpr int32_t kArrayOffset = 3000;
constexpr int32_t kJdbcArray = 2003;
constexpr std::string_view kUnsigned = "UNSIGNED_";
constexpr int64_t kMaxLong = std::numeric_limits<int64_t>::max();
constexpr int64_t kMinLong = std::numeric_limits<int64_t>::min();

constexpr std::array kTypeRows = {
    TypeRow{TypeId::kNull, "NULL", 0, ValueKind::kNull, 0, false, "java.lang.Object", 0, 0},
    TypeRow{TypeId::kTinyint, "TINYINT", -6, ValueKind::kInteger, 1, false, "java.lang.Byte", -128, 127},
    TypeRow{TypeId::kSmallint, "SMALLINT", 5, ValueKind::kInteger, 2, false, "java.lang.Short", -32768, 32767},
    TypeRow{TypeId::kInteger, "INTEGER", 4, ValueKind::kInteger, 4, false, "java.lang.Integer", -2147483648LL,
            2147483647},
    TypeRow{TypeId::kBigint, "BIGINT", -5, ValueKind::kInteger, 8, false, "java.lang.Long", kMinLong, kMaxLong},
    TypeRow{TypeId::kUnsignedTinyint, "UNSIGNED_TINYINT", 11, ValueKind::kInteger, 1, true, "java.lang.Byte", 0, 127},
    TypeRow{TypeId::kUnsignedSmallint, "UNSIGNED_SMALLINT", 13, ValueKind::kInteger, 2, true, "java.lang.Short", 0,
            32767},
    TypeRow{TypeId::kUnsignedInt, "UNSIGNED_INT", 9, ValueKind::kInteger, 4, true, "java.lang.Integer", 0, 2147483647},
    TypeRow{TypeId::kUnsignedLong, "UNSIGNED_LONG", 10, ValueKind::kInteger, 8, true, "java.lang.Long", 0, kMaxLong},
    TypeRow{TypeId::kFloat, "FLOAT", 6, ValueKind::kReal, 4, false, "java.lang.Float", 0, 0},
    TypeRow{TypeId::kDouble, "DOUBLE", 8, ValueKind::kReal, 8, false, "java.lang.Double", 0, 0},
    TypeRow{TypeId::kUnsignedFloat, "UNSIGNED_FLOAT", 14, ValueKind::kReal, 4, true, "java.lang.Float", 0, 0},
    TypeRow{TypeId::kUnsignedDouble, "UNSIGNED_DOUBLE", 15, ValueKind::kReal, 8, true, "java.lang.Double", 0, 0},
    TypeRow{TypeId::kDecimal, "DECIMAL", 3, ValueKind::kDecimal, 0, false, "java.math.BigDecimal", 0, 0},
    TypeRow{TypeId::kBoolean, "BOOLEAN", 16, ValueKind::kBoolean, 1, false, "java.lang.Boolean", 0, 1},
    TypeRow{TypeId::kDate, "DATE", 91, ValueKind::kMillis, 8, false, "java.sql.Date", kMinLong, kMaxLong},
    TypeRow{TypeId::kTime, "TIME", 92, ValueKind::kMillis, 8, false, "java.sql.Time", kMinLong, kMaxLong},
    TypeRow{TypeId::kTimestamp, "TIMESTAMP", 93, ValueKind::kTimestamp, 12, false, "java.sql.Timestamp", 0, 0},
    TypeRow{TypeId::kUnsignedDate, "UNSIGNED_DATE", 19, ValueKind::kMillis, 8, true, "java.sql.Date", 0, kMaxLong},
    TypeRow{TypeId::kUnsignedTime, "UNSIGNED_TIME", 18, ValueKind::kMillis, 8, true, "java.sql.Time", 0, kMaxLong},
    TypeRow{TypeId::kUnsignedTimestamp, "UNSIGNED_TIMESTAMP", 20, ValueKind::kTimestamp, 12, true, "java.sql.Timestamp",
            0, 0},
    TypeRow{TypeId::kVarchar, "VARCHAR", 12, ValueKind::kText, 0, false, "java.lang.String", 0, 0},
    TypeRow{TypeId::kChar, "CHAR", 1, ValueKind::kText, -1, false, "java.lang.String", 0, 0},
    TypeRow{TypeId::kVarbinary, "VARBINARY", -3, ValueKind::kBytes, 0, false, "[B", 0, 0},
    TypeRow{TypeId::kBinary, "BINARY", -2, ValueKind::kBytes, -1, false, "[B", 0, 0},
};

}  // namespace

const TypeRow& RowOf(TypeId id) { return kTypeRows[static_cast<size_t>(id)]; }

int32_t SqlType::FixedWidth() const {
  if (array) return 0;
  const int32_t width = RowOf(id).width;
  return width >= 0 ? width : length.value_or(0);
}

std::string SqlType::Name() const { return Concat(RowOf(id).name, array ? " ARRAY" : ""); }

int32_t SqlType::ResultJdbc() const {
  if (array) return kJdbcArray;
  const TypeRow& row = RowOf(id);
  if (!row.is_unsigned) return row.jdbc;
  if (id == TypeId::kUnsignedInt) return RowOf(TypeId::kInteger).jdbc;
  if (id == TypeId::kUnsignedLong) return RowOf(TypeId::kBigint).jdbc;
  return RowOf(*FindType(row.name.substr(kUnsigned.size()))).jdbc;
}

SqlType SqlType::Element() const {
  SqlType element = *this;
  element.array = false;
  return element;
}

SqlType SqlType::InQuery() const { return id == TypeId::kUnsignedTimestamp && !array ? TypeId::kTimestamp : *this; }

SqlType SqlType::WithinDecimal() const {
  SqlType within = *this;
  if (id != TypeId::kDecimal || !length.has_value()) return within;
  within.length = std::clamp(*length, 1, kMaxDecimalDigits);
  if (scale.has_value()) within.scale = std::clamp(*scale, 0, *within.length);
  return within;
}

std::optional<TypeId> FindType(std::string_view name) {
  for (const TypeRow& row : kTypeRows)
    if (row.id != TypeId::kNull && SameIgnoringCase(row.name, name)) return row.id;
  return std::nullopt;
}

std::optional<SqlType> TypeOfJdbc(int32_t jdbc) {
  for (const TypeRow& row : kTypeRows) {
    if (row.jdbc != jdbc && row.jdbc + kArrayOffset != jdbc) continue;
    SqlType type(row.id);
    type.array = row.jdbc != jdbc;
    return type;
  }
  return std::nullopt;
}

}  // namespace vaquita::sql
