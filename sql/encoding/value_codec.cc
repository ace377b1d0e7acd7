#include "sql/encoding/value_codec.h"

#include <bit>
#include <cmath>
#include <limits>
#include <optional>

#include "base/big_endian.h"
#include "base/status.h"
#include "base/unicode.h"
#include "sql/encoding/array_codec.h"
#include "sql/encoding/date_text.h"
#include "sql/encoding/sql_error.h"
#include "sql/encoding/text.h"
#include "sql/encoding/value_text.h"

namespace vaquita::sql {
namespace {

constexpr uint64_t kSign64 = uint64_t{1} << 63;
constexpr uint32_t kSign32 = uint32_t{1} << 31;

// Returns the low `width` bytes, with the first bit flipped unless the type is unsigned.
std::string IntegerBytes(int64_t value, int32_t width, bool is_unsigned) {
  char bytes[8];
  PutBigEndian(static_cast<uint64_t>(value), bytes);
  std::string encoded(bytes + 8 - width, static_cast<size_t>(width));
  if (!is_unsigned) encoded[0] = static_cast<char>(encoded[0] ^ 0x80);
  return encoded;
}

int64_t IntegerOf(std::string_view bytes, bool is_unsigned) {
  uint64_t value = 0;
  for (const char byte : bytes) value = value << 8 | static_cast<unsigned char>(byte);
  const int shift = 64 - 8 * static_cast<int>(bytes.size());
  if (!is_unsigned) value ^= kSign64 >> shift;
  return static_cast<int64_t>(value << shift) >> shift;
}

// Returns Phoenix's form of a float's bits, which keeps the order: sign and magnitude as one number, and one more.
std::string RealBytes(double value, int32_t width, bool is_unsigned) {
  std::string encoded;
  if (width == 4) {
    const auto bits = std::bit_cast<uint32_t>(static_cast<float>(value));
    const uint32_t spread = static_cast<uint32_t>(static_cast<int32_t>(bits) >> 31);
    AppendBigEndian(is_unsigned ? bits : (bits ^ (spread | kSign32)) + 1, &encoded);
  } else {
    const auto bits = std::bit_cast<uint64_t>(value);
    const auto spread = static_cast<uint64_t>(static_cast<int64_t>(bits) >> 63);
    AppendBigEndian(is_unsigned ? bits : (bits ^ (spread | kSign64)) + 1, &encoded);
  }
  return encoded;
}

double RealOf(std::string_view bytes, bool is_unsigned) {
  if (bytes.size() == 4) {
    auto bits = GetBigEndian<uint32_t>(bytes.data());
    if (!is_unsigned) {
      --bits;
      bits ^= static_cast<uint32_t>(static_cast<int32_t>(~bits) >> 31) | kSign32;
    }
    return std::bit_cast<float>(bits);
  }
  auto bits = GetBigEndian<uint64_t>(bytes.data());
  if (!is_unsigned) {
    --bits;
    bits ^= static_cast<uint64_t>(static_cast<int64_t>(~bits) >> 63) | kSign64;
  }
  return std::bit_cast<double>(bits);
}

std::string Padded(std::string_view text, int32_t width, char with) {
  std::string padded(text);
  if (static_cast<int32_t>(padded.size()) < width) padded.resize(static_cast<size_t>(width), with);
  return padded;
}

absl::Status TooLarge(const SqlType& to, std::string_view column) {
  return SqlError(ErrorCode::kDataExceedsMaxCapacity, Concat(column, column.empty() ? "" : " ", DeclarationOf(to)));
}

double RealFrom(const Value& value) {
  if (const auto* integer = std::get_if<int64_t>(&value)) return static_cast<double>(*integer);
  if (const auto* decimal = std::get_if<Decimal>(&value)) return decimal->ToDouble();
  return value.real();
}

// Returns a number without the digits behind the point, or the milliseconds of a time; nullopt if that is beyond 64
// bits, and for other values.
std::optional<int64_t> WholeOf(const Value& value) {
  if (const auto* integer = std::get_if<int64_t>(&value)) return *integer;
  if (const auto* moment = std::get_if<Timestamp>(&value)) return moment->ms;
  if (const auto* real = std::get_if<double>(&value)) {
    if (std::fabs(*real) < 0x1p63) return static_cast<int64_t>(*real);
    return std::nullopt;
  }
  int64_t whole = 0;
  const auto* decimal = std::get_if<Decimal>(&value);
  return decimal != nullptr && decimal->ToInt64(&whole) ? std::optional(whole) : std::nullopt;
}

// Returns the error for a value that is not in range, as Phoenix words it.
absl::Status OutOfRange(const SqlType& from, const SqlType& to, const Value& value) {
  const TypeRow& row = RowOf(to.id);
  const std::optional<int64_t> whole = row.kind == ValueKind::kReal ? std::nullopt : WholeOf(value);
  const std::string number = whole.has_value() ? Concat(*whole) : JavaReal(RealFrom(value));
  if (row.is_unsigned && number[0] == '-') {
    return SqlError(ErrorCode::kIllegalData, Concat("Value may not be negative(", number, ")"));
  }
  // Java makes a long of a number that is too large for the type, and then the type.
  std::string_view java = row.java_class.substr(row.java_class.rfind('.') + 1);  // of "java.lang.Integer"
  if (row.kind == ValueKind::kInteger && !whole.has_value()) java = "Long";
  return SqlError(ErrorCode::kIllegalData,
                  Concat(from.Name(), " value ", number, " cannot be cast to ", java, " without changing its value"));
}

absl::StatusOr<Value> ToInteger(const SqlType& from, const SqlType& to, const Value& value, std::string_view column) {
  if (!IsInRange(to, value)) return OutOfRange(from, to, value);
  if (const auto* decimal = std::get_if<Decimal>(&value); decimal != nullptr && decimal->scale() > 0) {
    return SqlError(ErrorCode::kIllegalData,
                    Concat(column, ": ", decimal->ToString(), " would have to be rounded to be stored as ", to.Name()));
  }
  return Value(*WholeOf(value));
}

absl::StatusOr<Value> ToDecimal(const SqlType& to, const Value& value, std::string_view column) {
  Decimal number;
  if (const auto* integer = std::get_if<int64_t>(&value)) {
    number = Decimal(*integer);
  } else if (const auto* real = std::get_if<double>(&value)) {
    VAQUITA_ASSIGN_OR_RETURN(number, Decimal::FromDouble(*real));
  } else {
    number = value.decimal();
  }
  if (to.length.has_value()) {
    if (number.IntegerDigits() > *to.length - to.scale.value_or(0)) return TooLarge(to, column);
    number = number.Rounded(to.scale.value_or(0), /*up=*/false);
  }
  if (!number.HasEncoding()) return TooLarge(to, column);
  return Value(number);
}

absl::StatusOr<Value> ToMoment(const SqlType& from, const SqlType& to, const Value& value, std::string_view column) {
  Timestamp moment;
  if (from.kind() == ValueKind::kText) {
    VAQUITA_ASSIGN_OR_RETURN(moment, ParseTimestamp(value.text()));
  } else if (from.kind() == ValueKind::kTimestamp) {
    moment = value.timestamp();
  } else if (from.kind() == ValueKind::kDecimal) {
    VAQUITA_ASSIGN_OR_RETURN(const Value ms, ToInteger(from, TypeId::kBigint, value, column));
    moment.ms = ms.integer();
  } else {
    moment.ms = value.integer();
  }
  if (!IsInRange(to, Value(moment))) return OutOfRange(from, to, Value(moment));
  if (to.kind() == ValueKind::kTimestamp) return Value(moment);
  return Value(moment.ms);
}

absl::StatusOr<Value> ToReal(const SqlType& from, const SqlType& to, const Value& value) {
  if (!IsInRange(to, value)) return OutOfRange(from, to, value);
  const double number = RealFrom(value);
  return Value(RowOf(to.id).width == 4 ? static_cast<double>(static_cast<float>(number)) : number);
}

// A CHAR of n characters has n bytes in keys and arrays, so it takes no character of more bytes than one.
absl::StatusOr<Value> ToText(const SqlType& to, const Value& value, std::string_view column) {
  const std::string& text = value.text();
  if (to.id == TypeId::kChar && !IsAscii(text)) {
    return SqlError(ErrorCode::kIllegalData, "CHAR types may only contain single byte characters.");
  }
  const size_t size = to.kind() == ValueKind::kText ? Characters(text) : text.size();
  if (to.length.has_value() && size > static_cast<size_t>(*to.length)) return TooLarge(to, column);
  if (text.empty()) return Value();
  return to.id == TypeId::kBinary ? Value(Padded(text, to.FixedWidth(), '\0')) : value;
}

absl::StatusOr<Value> CoerceScalar(const SqlType& from, const SqlType& to, const Value& value,
                                   std::string_view column) {
  switch (to.kind()) {
    case ValueKind::kInteger:
      return ToInteger(from, to, value, column);
    case ValueKind::kReal:
      return ToReal(from, to, value);
    case ValueKind::kDecimal:
      return ToDecimal(to, value, column);
    case ValueKind::kMillis:
    case ValueKind::kTimestamp:
      return ToMoment(from, to, value, column);
    case ValueKind::kText:
    case ValueKind::kBytes:
      return ToText(to, value, column);
    default:
      return value;
  }
}

bool IsScalarCoercible(ValueKind from, ValueKind to) {
  if (IsNumber(to)) return IsNumber(from);
  if (to == ValueKind::kMillis || to == ValueKind::kTimestamp)
    return from == ValueKind::kMillis || from == ValueKind::kTimestamp || from == ValueKind::kText;
  if (to == ValueKind::kBytes) return from == ValueKind::kText || from == ValueKind::kBytes;
  return from == to;
}

// A time is the milliseconds since 1970 to these types.
bool HoldsMillis(const SqlType& type) {
  return type.id == TypeId::kBigint || type.id == TypeId::kUnsignedLong || type.id == TypeId::kDecimal;
}

absl::Status NoValue(const TypeRow& row, std::string_view bytes) {
  return SqlError(ErrorCode::kIllegalData, Concat("the bytes ", Hex(bytes), " are not a value of ", row.name));
}

// The nanoseconds may be more than a millisecond, but not end behind the second, as in java.sql.Timestamp.setNanos.
absl::StatusOr<Value> TimestampOf(std::string_view bytes, const TypeRow& row) {
  const int64_t ms = IntegerOf(bytes.substr(0, 8), row.is_unsigned);
  const int64_t nanos = GetBigEndian<uint32_t>(bytes.data() + 8);
  const int64_t more_ms = nanos / 1'000'000;
  Timestamp moment{ms, static_cast<int32_t>(nanos % 1'000'000)};
  if ((ms % 1000 + 1000) % 1000 + more_ms > 999 || __builtin_add_overflow(ms, more_ms, &moment.ms)) {
    return NoValue(row, bytes);
  }
  return Value(moment);
}

}  // namespace

std::string EncodeValue(const SqlType& type, const Value& value) {
  if (value.is_null()) return "";
  if (type.array) return EncodeArray(type.Element(), value.list());
  const TypeRow& row = RowOf(type.id);
  switch (row.kind) {
    case ValueKind::kNull:
      return "";
    case ValueKind::kInteger:
    case ValueKind::kMillis:
      return IntegerBytes(value.integer(), row.width, row.is_unsigned);
    case ValueKind::kReal:
      return RealBytes(value.real(), row.width, row.is_unsigned);
    case ValueKind::kDecimal:
      return EncodeDecimal(value.decimal());
    case ValueKind::kBoolean:
      return std::string(1, value.integer() != 0 ? '\1' : '\0');
    case ValueKind::kTimestamp: {
      std::string bytes = IntegerBytes(value.timestamp().ms, 8, row.is_unsigned);
      AppendBigEndian(static_cast<uint32_t>(value.timestamp().nanos), &bytes);
      return bytes;
    }
    case ValueKind::kText:
    case ValueKind::kBytes:
      return Padded(value.text(), type.FixedWidth(), row.kind == ValueKind::kText ? ' ' : '\0');
  }
  return "";
}

absl::StatusOr<Value> DecodeValue(const SqlType& type, std::string_view bytes) {
  if (bytes.empty()) return Value();
  if (type.array) return DecodeArray(type.Element(), bytes);
  const TypeRow& row = RowOf(type.id);
  if (row.width > 0 && bytes.size() != static_cast<size_t>(row.width)) return NoValue(row, bytes);
  switch (row.kind) {
    case ValueKind::kNull:
      return Value();
    case ValueKind::kInteger:
    case ValueKind::kMillis:
      return Value(IntegerOf(bytes, row.is_unsigned));
    case ValueKind::kReal:
      return Value(RealOf(bytes, row.is_unsigned));
    case ValueKind::kDecimal: {
      VAQUITA_ASSIGN_OR_RETURN(const Decimal decimal, DecodeDecimal(bytes));
      return Value(decimal);
    }
    case ValueKind::kBoolean:
      return Value(int64_t{bytes[0] != 0});
    case ValueKind::kTimestamp:
      return TimestampOf(bytes, row);
    case ValueKind::kText:
      if (type.id == TypeId::kChar) bytes = WithoutBlanks(bytes);
      return Value(std::string(bytes));
    case ValueKind::kBytes:
      return Value(std::string(bytes));
  }
  return Value();
}

bool IsInRange(const SqlType& to, const Value& value) {
  const TypeRow& row = RowOf(to.id);
  if (row.kind == ValueKind::kReal) {
    const double number = RealFrom(value);
    if (row.is_unsigned && number < 0) return false;
    // Infinity is a value of FLOAT, too, but no finite number becomes it.
    return row.width != 4 || !std::isfinite(number) || std::fabs(number) <= std::numeric_limits<float>::max();
  }
  const std::optional<int64_t> whole = WholeOf(value);
  if (row.kind == ValueKind::kInteger) return whole.has_value() && *whole >= row.min && *whole <= row.max;
  return !row.is_unsigned || !whole.has_value() || *whole >= 0;
}

namespace {

// Returns whether Phoenix makes no such number of a real one. Source: PFloat, PUnsignedFloat, PUnsignedDouble (5.2).
bool IsRefused(TypeId from, TypeId to) {
  const bool is_signed =
      to == TypeId::kTinyint || to == TypeId::kSmallint || to == TypeId::kInteger || to == TypeId::kBigint;
  switch (from) {
    case TypeId::kFloat:
      return to == TypeId::kBigint || to == TypeId::kUnsignedLong || to == TypeId::kUnsignedDouble;
    case TypeId::kUnsignedFloat:
      return is_signed || to == TypeId::kUnsignedLong;
    case TypeId::kUnsignedDouble:
      return is_signed || to == TypeId::kFloat;
    default:
      return false;
  }
}

}  // namespace

bool IsCoercible(const SqlType& from, const SqlType& to) {
  if (from.is_null() || to.is_null()) return true;
  if (from.array != to.array || (!from.array && IsRefused(from.id, to.id))) return false;
  const bool of_millis = HoldsMillis(from) && IsTime(to);
  const bool to_millis = from.kind() == ValueKind::kMillis && HoldsMillis(to);
  return (!from.array && (of_millis || to_millis)) || IsScalarCoercible(from.kind(), to.kind());
}

absl::Status CheckCoercible(const SqlType& from, const SqlType& to) {
  if (IsCoercible(from, to)) return absl::OkStatus();
  return SqlError(ErrorCode::kTypeMismatch, Concat(from.Name(), " cannot be coerced to ", to.Name()));
}

absl::StatusOr<Value> CoerceValue(const SqlType& from, const SqlType& to, const Value& value, std::string_view column) {
  VAQUITA_RETURN_IF_ERROR(CheckCoercible(from, to));
  if (value.is_null() || from.is_null() || to.is_null()) return value;
  if (!to.array) return CoerceScalar(from, to, value, column);
  VAQUITA_RETURN_IF_ERROR(CheckArraySize(to, value.list().size(), column));
  ValueList list;
  for (const Value& element : value.list()) {
    VAQUITA_ASSIGN_OR_RETURN(Value coerced, CoerceValue(from.Element(), to.Element(), element, column));
    list.push_back(std::move(coerced));
  }
  return Value(std::move(list));
}

absl::Status CheckArraySize(const SqlType& array, size_t elements, std::string_view column) {
  constexpr size_t kMostArrayBytes = 64 << 20;
  const auto width = static_cast<size_t>(array.Element().FixedWidth());
  if (width > 0 && elements > kMostArrayBytes / width) return TooLarge(array, column);
  return CheckElementCount(elements);
}

Value WithBlanks(const SqlType& from, const SqlType& to, Value value) {
  const bool has_blanks = IsChar(from) && from.length.has_value() && to.id != TypeId::kChar;
  return has_blanks && !value.is_null() ? Value(Padded(value.text(), *from.length, ' ')) : std::move(value);
}

std::string DeclarationOf(const SqlType& type) {
  std::string text(RowOf(type.id).name);
  if (type.length.has_value()) {
    AppendText(&text, "(", *type.length);
    if (type.scale.has_value()) AppendText(&text, ",", *type.scale);
    text += ')';
  }
  return text + (type.array ? " ARRAY" : "");
}

}  // namespace vaquita::sql
