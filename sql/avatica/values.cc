#include "sql/avatica/values.h"

#include <google/protobuf/io/coded_stream.h>

#include <bit>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "base/status.h"
#include "base/unicode.h"
#include "sql/encoding/sql_error.h"
#include "sql/encoding/text.h"
#include "sql/encoding/value_codec.h"

namespace vaquita::sql {
namespace {

using google::protobuf::io::CodedOutputStream;

constexpr int64_t kMsPerDay = 86'400'000;

bool IsTimeOfDay(TypeId id) { return id == TypeId::kTime || id == TypeId::kUnsignedTime; }

avatica::Rep IntegerRep(int32_t width) {
  switch (width) {
    case 1:
      return avatica::BYTE;
    case 2:
      return avatica::SHORT;
    case 4:
      return avatica::INTEGER;
    default:
      return avatica::LONG;
  }
}

enum WireType : uint8_t { kVarint = 0, kFixed64 = 1, kLengthDelimited = 2 };

// Appends a field's tag and a number: its value, or the size of what comes then. REQUIRES: field < 16.
void AppendHead(int field, WireType type, uint64_t number, std::string* out) {
  constexpr size_t kMostBytes = 1 + 10;
  uint8_t head[kMostBytes];
  head[0] = static_cast<uint8_t>(field << 3 | type);
  const uint8_t* end = CodedOutputStream::WriteVarint64ToArray(number, head + 1);
  out->append(reinterpret_cast<const char*>(head), static_cast<size_t>(end - head));
}

// Appends a message, a text or bytes. REQUIRES: field < 16.
void AppendBytes(int field, std::string_view bytes, std::string* out) {
  AppendHead(field, kLengthDelimited, bytes.size(), out);
  *out += bytes;
}

// Appends the fields of a TypedValue to its bytes, with the methods that the message has. As in the message's bytes, a
// field is left out if it is 0 or empty. Threads: one at a time.
class TypedBytes {
 public:
  explicit TypedBytes(std::string* out) : out_(out) {}

  void set_type(avatica::Rep rep) { SetNumber(Message::kTypeFieldNumber, static_cast<uint64_t>(rep)); }
  void set_null(bool null) { SetNumber(Message::kNullFieldNumber, null ? 1 : 0); }
  void set_bool_value(bool value) { SetNumber(Message::kBoolValueFieldNumber, value ? 1 : 0); }
  void set_number_value(int64_t value) {  // zigzag: small negative numbers are short, too
    SetNumber(Message::kNumberValueFieldNumber, static_cast<uint64_t>(value) << 1 ^ static_cast<uint64_t>(value >> 63));
  }
  void set_double_value(double value) {
    const auto bits = std::bit_cast<uint64_t>(value);
    if (bits == 0) return;
    uint8_t field[1 + sizeof(bits)] = {Message::kDoubleValueFieldNumber << 3 | kFixed64};
    CodedOutputStream::WriteLittleEndian64ToArray(bits, field + 1);
    out_->append(reinterpret_cast<const char*>(field), sizeof(field));
  }
  void set_string_value(std::string_view value) { SetBytes(Message::kStringValueFieldNumber, value); }
  void set_bytes_value(std::string_view value) { SetBytes(Message::kBytesValueFieldNumber, value); }

 private:
  using Message = avatica::TypedValue;
  void SetNumber(int field, uint64_t number) {
    if (number != 0) AppendHead(field, kVarint, number, out_);
  }
  void SetBytes(int field, std::string_view bytes) {
    if (!bytes.empty()) AppendBytes(field, bytes, out_);
  }

  std::string* const out_;
};

template <typename Typed>
void SetNumber(avatica::Rep rep, int64_t number, Typed* typed) {
  typed->set_type(rep);
  typed->set_number_value(number);
}

// `typed` is a TypedValue or TypedBytes.
template <typename Typed>
void SetTypedValue(const SqlType& type, const Value& value, Typed* typed) {
  if (value.is_null() || type.is_null()) {
    typed->set_type(avatica::NULL_);
    typed->set_null(true);
    return;
  }
  switch (type.kind()) {
    case ValueKind::kNull:
      return;
    case ValueKind::kInteger:
      return SetNumber(IntegerRep(RowOf(type.id).width), value.integer(), typed);
    case ValueKind::kReal:
      typed->set_type(avatica::DOUBLE);
      return typed->set_double_value(value.real());
    case ValueKind::kDecimal:
      typed->set_type(avatica::BIG_DECIMAL);
      return typed->set_string_value(value.decimal().ToString());
    case ValueKind::kBoolean:
      typed->set_type(avatica::BOOLEAN);
      return typed->set_bool_value(value.integer() != 0);
    case ValueKind::kMillis:  // as the real server has it, rounded towards 1970
      return SetNumber(avatica::INTEGER,
                       IsTimeOfDay(type.id) ? value.integer() % kMsPerDay : value.integer() / kMsPerDay, typed);
    case ValueKind::kTimestamp:
      return SetNumber(avatica::LONG, value.timestamp().ms, typed);
    case ValueKind::kText:
      typed->set_type(avatica::STRING);
      if (!IsUtf8(value.text())) return typed->set_string_value(WireText(value.text()));
      return typed->set_string_value(value.text());
    case ValueKind::kBytes:
      typed->set_type(avatica::BYTE_STRING);
      typed->set_string_value(absl::Base64Escape(value.text()));
      return typed->set_bytes_value(value.text());
  }
}

// A value, and the type that its form has.
struct Received {
  SqlType type;
  Value value;
};

absl::Status Unreadable(const avatica::TypedValue& value) {
  return SqlError(ErrorCode::kIllegalData, Concat("a parameter of the form ", static_cast<int>(value.type()),
                                                  " (Avatica's Rep) cannot be read"));
}

absl::Status OutOfRange(const avatica::TypedValue& value) {
  return SqlError(ErrorCode::kIllegalData, Concat("a parameter of the form ", static_cast<int>(value.type()),
                                                  " (Avatica's Rep) cannot be ", value.number_value()));
}

// A query has null in the place of NaN, so that the value would be lost.
absl::StatusOr<Received> ReceivedReal(TypeId type, double number) {
  if (std::isnan(number)) return SqlError(ErrorCode::kIllegalData, "a parameter is NaN, which no column can have");
  return Received{type, number};
}

// Returns the FLOAT whose bits are the number.
absl::StatusOr<Received> ReceivedFloat(const avatica::TypedValue& value) {
  const int64_t bits = value.number_value();
  if (bits < std::numeric_limits<int32_t>::min() || bits > std::numeric_limits<uint32_t>::max()) {
    return OutOfRange(value);
  }
  return ReceivedReal(TypeId::kFloat, double{std::bit_cast<float>(static_cast<uint32_t>(bits))});
}

// Returns the DATE that is so many days after 1970-01-01.
absl::StatusOr<Received> ReceivedDate(const avatica::TypedValue& value) {
  int64_t ms = 0;
  if (__builtin_mul_overflow(value.number_value(), kMsPerDay, &ms)) return OutOfRange(value);
  return Received{TypeId::kDate, ms};
}

// Returns the bytes: old drivers send them in base 64 only.
absl::StatusOr<Received> ReceivedBytes(const avatica::TypedValue& value) {
  std::string bytes = value.bytes_value();
  if (bytes.empty() && !absl::Base64Unescape(value.string_value(), &bytes)) return Unreadable(value);
  return Received{TypeId::kVarbinary, std::move(bytes)};
}

absl::StatusOr<Received> ReceivedDecimal(const avatica::TypedValue& value) {
  VAQUITA_ASSIGN_OR_RETURN(const Decimal decimal, Decimal::Parse(value.string_value()));
  return Received{TypeId::kDecimal, decimal};
}

absl::StatusOr<Received> Receive(const avatica::TypedValue& value) {
  if (value.null()) return Received{};
  switch (value.type()) {
    case avatica::PRIMITIVE_BOOLEAN:
    case avatica::BOOLEAN:
      return Received{TypeId::kBoolean, int64_t{value.bool_value()}};
    case avatica::PRIMITIVE_BYTE:
    case avatica::PRIMITIVE_SHORT:
    case avatica::PRIMITIVE_INT:
    case avatica::PRIMITIVE_LONG:
    case avatica::BYTE:
    case avatica::SHORT:
    case avatica::INTEGER:
    case avatica::LONG:
    case avatica::NUMBER:
      return Received{TypeId::kBigint, value.number_value()};
    case avatica::PRIMITIVE_FLOAT:
    case avatica::FLOAT:
      return ReceivedFloat(value);
    case avatica::PRIMITIVE_DOUBLE:
    case avatica::DOUBLE:
      return ReceivedReal(TypeId::kDouble, value.double_value());
    case avatica::BIG_DECIMAL:
      return ReceivedDecimal(value);
    case avatica::JAVA_SQL_DATE:
      return ReceivedDate(value);
    case avatica::JAVA_SQL_TIME:
      return Received{TypeId::kTime, value.number_value()};
    case avatica::JAVA_SQL_TIMESTAMP:
    case avatica::JAVA_UTIL_DATE:
      return Received{TypeId::kTimestamp, Timestamp{value.number_value(), 0}};
    case avatica::STRING:
    case avatica::PRIMITIVE_CHAR:
    case avatica::CHARACTER:
      return Received{TypeId::kVarchar, value.string_value()};
    case avatica::BYTE_STRING:
      return ReceivedBytes(value);
    case avatica::NULL_:
      return Received{};
    default:
      return Unreadable(value);
  }
}

absl::StatusOr<Value> ReceivedList(const avatica::TypedValue& value, const SqlType& array) {
  VAQUITA_RETURN_IF_ERROR(CheckArraySize(array, static_cast<size_t>(value.array_value_size()), ""));
  const SqlType element = array.Element();
  ValueList list;
  for (const avatica::TypedValue& each : value.array_value()) {
    VAQUITA_ASSIGN_OR_RETURN(Value item, ParameterValue(each, element));
    list.push_back(std::move(item));
  }
  return Value(std::move(list));
}

}  // namespace

avatica::Rep ColumnRep(const SqlType& type) {
  if (type.array) return avatica::ARRAY;
  switch (type.kind()) {
    case ValueKind::kInteger:
      switch (RowOf(type.id).width) {
        case 1:
          return avatica::PRIMITIVE_BYTE;
        case 2:
          return avatica::PRIMITIVE_SHORT;
        case 4:
          return avatica::PRIMITIVE_INT;
        default:
          return avatica::PRIMITIVE_LONG;
      }
    case ValueKind::kReal:
      return avatica::PRIMITIVE_DOUBLE;
    case ValueKind::kBoolean:
      return avatica::PRIMITIVE_BOOLEAN;
    case ValueKind::kMillis:
      return avatica::PRIMITIVE_INT;
    case ValueKind::kTimestamp:
      return avatica::PRIMITIVE_LONG;
    case ValueKind::kText:
      return avatica::STRING;
    case ValueKind::kBytes:
      return avatica::BYTE_STRING;
    default:
      return avatica::OBJECT;
  }
}

std::string WireText(std::string_view text) {
  std::string scratch;
  return std::string(Utf8AsJavaReads(text, &scratch));
}

void SetColumnValue(const SqlType& type, const Value& value, avatica::ColumnValue* column) {
  if (!type.array || value.is_null()) {
    SetTypedValue(type.array ? SqlType() : type, value, column->mutable_scalar_value());
    *column->add_value() = column->scalar_value();
    return;
  }
  column->set_has_array_value(true);
  for (const Value& element : value.list()) {
    SetTypedValue(type.Element(), element, column->add_array_value());
    *column->add_value() = *column->array_value().rbegin();
  }
}

void WireRows::Append(const SqlType& type, const Value& value, std::string* row) {
  if (type.array && !value.is_null()) {
    avatica::ColumnValue column;
    SetColumnValue(type, value, &column);
    column.SerializeToString(&column_);
  } else {
    scalar_.clear();
    TypedBytes typed(&scalar_);
    SetTypedValue(type.array ? SqlType() : type, value, &typed);
    column_.clear();
    AppendBytes(avatica::ColumnValue::kValueFieldNumber, scalar_, &column_);
    AppendBytes(avatica::ColumnValue::kScalarValueFieldNumber, scalar_, &column_);
  }
  AppendBytes(avatica::Row::kValueFieldNumber, column_, row);
}

absl::StatusOr<Value> ParameterValue(const avatica::TypedValue& value, const SqlType& type) {
  if (value.type() == avatica::ARRAY && !value.null()) {
    if (!type.array) return SqlError(ErrorCode::kTypeMismatch, Concat("ARRAY cannot be coerced to ", type.Name()));
    return ReceivedList(value, type);
  }
  VAQUITA_ASSIGN_OR_RETURN(Received received, Receive(value));
  // A number that is too large for the type may still be compared with it.
  if (received.type.id == TypeId::kBigint && type.kind() == ValueKind::kInteger && !type.array) return received.value;
  return CoerceValue(received.type, type, received.value, "");
}

absl::StatusOr<std::vector<Value>> ParameterValues(
    const google::protobuf::RepeatedPtrField<avatica::TypedValue>& values, const std::vector<SqlType>& types) {
  constexpr int64_t kMostBytes = 64 << 20;  // a request has no more
  const auto count = static_cast<int>(types.size());
  if (values.size() > count) {
    return SqlError(ErrorCode::kParameterOutOfRange,
                    Concat("Can't set parameter at index ", count + 1, ", ", count, " bind parameters are defined"));
  }
  std::vector<Value> converted;
  int64_t bytes = 0;
  for (int i = 0; i < values.size(); ++i) {
    const SqlType& type = types[static_cast<size_t>(i)];
    bytes += int64_t{type.Element().FixedWidth()} * (type.array ? values[i].array_value_size() : 1);
    if (bytes > kMostBytes) {
      return SqlError(ErrorCode::kDataExceedsMaxCapacity,
                      Concat("The parameters have more than ", kMostBytes, " bytes with the lengths of their types"));
    }
    VAQUITA_ASSIGN_OR_RETURN(Value value, ParameterValue(values[i], type));
    converted.push_back(std::move(value));
  }
  return converted;
}

}  // namespace vaquita::sql
