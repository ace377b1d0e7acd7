#include "sql/engine/sqlite_value.h"

#include <sqlite3.h>

#include <cmath>
#include <string>
#include <utility>

#include "sql/encoding/sql_error.h"
#include "sql/encoding/text.h"
#include "sql/encoding/value_codec.h"

namespace vaquita::sql {
namespace {

bool IsBlob(const SqlType& type) {
  return type.array || type.kind() == ValueKind::kDecimal || type.kind() == ValueKind::kTimestamp ||
         type.kind() == ValueKind::kBytes;
}

// Returns whether the elements of an array, each padded to its length, have more bytes than SQLite takes.
bool HasNoRoom(sqlite3* database, const SqlType& type, const Value& value) {
  const auto width = static_cast<size_t>(type.Element().FixedWidth());
  if (!type.array || width == 0) return false;
  return value.list().size() > static_cast<size_t>(sqlite3_limit(database, SQLITE_LIMIT_LENGTH, -1)) / width;
}

}  // namespace

Value AsInSqlite(Value value) {
  if (const auto* text = std::get_if<std::string>(&value)) return text->empty() ? Value() : std::move(value);
  if (const auto* real = std::get_if<double>(&value)) return std::isnan(*real) ? Value() : std::move(value);
  return value;
}

absl::StatusOr<Value> FromSqlite(sqlite3_value* value, const SqlType& type) {
  const int form = sqlite3_value_type(value);
  if (form == SQLITE_NULL || type.is_null()) return Value();
  if (IsBlob(type)) {
    const auto* bytes = static_cast<const char*>(sqlite3_value_blob(value));
    const std::string_view view(bytes == nullptr ? "" : bytes, static_cast<size_t>(sqlite3_value_bytes(value)));
    if (form == SQLITE_BLOB || type.kind() == ValueKind::kBytes) return DecodeValue(type.InQuery(), view);
  } else if (type.kind() == ValueKind::kText) {
    const auto* text = reinterpret_cast<const char*>(sqlite3_value_text(value));
    const auto size = static_cast<size_t>(sqlite3_value_bytes(value));
    if (form == SQLITE_TEXT) return size == 0 ? Value() : Value(std::string(text, size));
  } else if (type.kind() == ValueKind::kReal) {
    if (form != SQLITE_BLOB && form != SQLITE_TEXT) return Value(sqlite3_value_double(value));
  } else if (form == SQLITE_INTEGER) {
    return Value(static_cast<int64_t>(sqlite3_value_int64(value)));
  }
  return SqlError(ErrorCode::kIllegalData, Concat("a result does not fit into ", type.Name()));
}

void SetResult(sqlite3_context* context, const SqlType& type, const Value& value) {
  const auto* text = std::get_if<std::string>(&value);
  if (value.is_null() || (text != nullptr && text->empty() && type.kind() == ValueKind::kText)) {
    sqlite3_result_null(context);
  } else if (HasNoRoom(sqlite3_context_db_handle(context), type, value)) {
    sqlite3_result_error_toobig(context);
  } else if (IsBlob(type)) {
    const std::string bytes = EncodeValue(type.InQuery(), value);
    sqlite3_result_blob64(context, bytes.data(), bytes.size(), SQLITE_TRANSIENT);
  } else if (type.kind() == ValueKind::kText) {
    sqlite3_result_text64(context, value.text().data(), value.text().size(), SQLITE_TRANSIENT, SQLITE_UTF8);
  } else if (type.kind() == ValueKind::kReal) {
    sqlite3_result_double(context, value.real());
  } else {
    sqlite3_result_int64(context, value.integer());
  }
}

int BindValue(sqlite3_stmt* statement, int number, const SqlType& type, const Value& value) {
  if (value.is_null()) return sqlite3_bind_null(statement, number);
  if (HasNoRoom(sqlite3_db_handle(statement), type, value)) return SQLITE_TOOBIG;
  if (IsBlob(type)) {
    const std::string bytes = EncodeValue(type.InQuery(), value);
    return sqlite3_bind_blob64(statement, number, bytes.data(), bytes.size(), SQLITE_TRANSIENT);
  }
  if (type.kind() == ValueKind::kText) {
    const std::string_view text = IsChar(type) ? WithoutBlanks(value.text()) : std::string_view(value.text());
    return sqlite3_bind_text64(statement, number, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
  }
  if (type.kind() == ValueKind::kReal) return sqlite3_bind_double(statement, number, value.real());
  return sqlite3_bind_int64(statement, number, value.integer());
}

absl::StatusOr<Value> ColumnValue(sqlite3_stmt* statement, int column, const SqlType& type) {
  return FromSqlite(sqlite3_column_value(statement, column), type);
}

std::string_view TextOf(sqlite3_value* value) {
  const auto* text = reinterpret_cast<const char*>(sqlite3_value_text(value));
  return text == nullptr ? std::string_view() : std::string_view(text, static_cast<size_t>(sqlite3_value_bytes(value)));
}

}  // namespace vaquita::sql
