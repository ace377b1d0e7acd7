// sql/engine/sqlite_value.h: converts values to their forms in SQLite (sql/plan/engine_text.h), and back.
//
// Threads: functions.
#pragma once

#include <string_view>

#include "absl/status/statusor.h"
#include "sql/encoding/sql_type.h"
#include "sql/encoding/value.h"

struct sqlite3_context;
struct sqlite3_stmt;
struct sqlite3_value;

namespace vaquita::sql {

// Returns the value that comes back when SQLite gets this one: it has neither NaN nor, for SQL, empty texts.
Value AsInSqlite(Value value);
// Makes `value` the result of the function or column. An empty text is null.
void SetResult(sqlite3_context* context, const SqlType& type, const Value& value);
// Binds the parameter with this number, from 1. Returns SQLite's code.
int BindValue(sqlite3_stmt* statement, int number, const SqlType& type, const Value& value);
// Returns a row's column as a value of the type. Returns IllegalData if it does not fit: a sum too large for a BIGINT.
absl::StatusOr<Value> ColumnValue(sqlite3_stmt* statement, int column, const SqlType& type);
// Returns a function's argument as a value of the type. Returns IllegalData if it has not the type's form.
absl::StatusOr<Value> FromSqlite(sqlite3_value* value, const SqlType& type);
// Returns a function's argument as text, empty for NULL. It is valid until SQLite converts or frees the argument.
std::string_view TextOf(sqlite3_value* value);

}  // namespace vaquita::sql
