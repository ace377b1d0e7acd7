// sql/encoding/sql_type.h: Phoenix's data types.
//
// Threads: functions of constants. Source: org.apache.phoenix.schema.types.P* (5.2).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace vaquita::sql {

enum class TypeId : uint8_t {
  kNull,  // for the literal NULL
  kTinyint,
  kSmallint,
  kInteger,
  kBigint,
  kUnsignedTinyint,
  kUnsignedSmallint,
  kUnsignedInt,
  kUnsignedLong,
  kFloat,
  kDouble,
  kUnsignedFloat,
  kUnsignedDouble,
  kDecimal,
  kBoolean,
  kDate,
  kTime,
  kTimestamp,
  kUnsignedDate,
  kUnsignedTime,
  kUnsignedTimestamp,
  kVarchar,
  kChar,
  kVarbinary,
  kBinary,
};

// Says which C++ type of Value (sql/encoding/value.h) a type's values have.
enum class ValueKind : uint8_t { kNull, kInteger, kReal, kDecimal, kBoolean, kMillis, kTimestamp, kText, kBytes };

// The constants of one type.
struct TypeRow {
  TypeId id;
  std::string_view name;  // Phoenix's: "UNSIGNED_INT"
  int32_t jdbc;           // Phoenix's number: java.sql.Types, or 9 to 20 for the unsigned ones
  ValueKind kind;
  int32_t width;  // bytes; 0: variable; -1: the declared length
  bool is_unsigned;
  std::string_view java_class;  // for JDBC's getObject
  int64_t min;                  // for kInteger
  int64_t max;
};
const TypeRow& RowOf(TypeId id);

// A declared type: DECIMAL(10,2), CHAR(3), INTEGER ARRAY.
struct SqlType {
  TypeId id = TypeId::kNull;
  bool array = false;
  std::optional<int32_t> length;  // VARCHAR, CHAR, BINARY: most characters or bytes; DECIMAL: precision
  std::optional<int32_t> scale;   // DECIMAL

  // Implicit, because most types are only an id.
  SqlType(TypeId type = TypeId::kNull) : id(type) {}  // NOLINT(google-explicit-constructor)
  SqlType(TypeId type, std::optional<int32_t> length_or_precision, std::optional<int32_t> digits = std::nullopt)
      : id(type), length(length_or_precision), scale(digits) {}

  ValueKind kind() const { return RowOf(id).kind; }
  bool is_null() const { return id == TypeId::kNull && !array; }
  // Returns the bytes of an encoded value, or 0 if they vary. Arrays vary.
  int32_t FixedWidth() const;
  // Returns Phoenix's number: an array's is 3000 more than its element's.
  int32_t jdbc() const { return RowOf(id).jdbc + (array ? 3000 : 0); }
  // Returns the number in java.sql.Types by which JDBC's results name the type: UNSIGNED_INT is an INTEGER there.
  int32_t ResultJdbc() const;
  // Returns "INTEGER", "VARCHAR ARRAY".
  std::string Name() const;
  SqlType Element() const;
  // Returns the type in whose bytes a query has the values: an UNSIGNED_TIMESTAMP is compared with a TIMESTAMP there.
  SqlType InQuery() const;
  // Returns a DECIMAL with 1 to 38 digits, and no more behind the point than it has; other types as they are.
  SqlType WithinDecimal() const;

  friend bool operator==(const SqlType&, const SqlType&) = default;
};

// A CHAR(n) or BINARY(n) takes n bytes wherever it is: at most as many as HBase takes in a cell.
inline constexpr int32_t kMostFixedBytes = 10 << 20;

// Finds a type by its name in a statement, in any case: "int", "BIGINT". Returns nullopt if no type has it.
std::optional<TypeId> FindType(std::string_view name);
// Finds a type by Phoenix's number, also an array's. Returns nullopt if no type has it.
std::optional<SqlType> TypeOfJdbc(int32_t jdbc);

inline bool IsNumber(ValueKind kind) {
  return kind == ValueKind::kInteger || kind == ValueKind::kReal || kind == ValueKind::kDecimal;
}
inline bool IsNumber(const SqlType& type) { return !type.array && IsNumber(type.kind()); }
// Returns whether the type's values are numbers of 4 bytes: FLOAT or UNSIGNED_FLOAT.
inline bool IsFloat(const SqlType& type) {
  return !type.array && type.kind() == ValueKind::kReal && RowOf(type.id).width == 4;
}
inline bool IsBoolean(const SqlType& type) { return !type.array && type.kind() == ValueKind::kBoolean; }
inline bool IsText(const SqlType& type) { return !type.array && type.kind() == ValueKind::kText; }
inline bool IsChar(const SqlType& type) { return !type.array && type.id == TypeId::kChar; }
inline bool IsTime(const SqlType& type) {
  return !type.array && (type.kind() == ValueKind::kMillis || type.kind() == ValueKind::kTimestamp);
}

}  // namespace vaquita::sql
