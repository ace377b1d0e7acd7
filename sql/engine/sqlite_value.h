// sql/engine/sqlite_value.h: values in the forms that they have in SQLite (sql/plan/engine_text.h), and back.
//
// Threads: functions.
#pragma once

#include <optional>

#include "absl/status/statusor.h"
#include "sql/encoding/sql_type.h"
#include "sql/encoding/value.h"

struct sqlite3_context;
struct sqlite3_stmt;
struct sqlite3_value;

namespace vaquita::sql {

// Makes `value` the result of the function or column.
void SetResult(sqlite3_context* context, const SqlType& type, const Value& value);
// Binds the parameter with this number, from 1. Returns SQLite's code.
int BindValue(sqlite3_stmt* statement, int number, const SqlType& type, const Value& value);
// Returns a row's column as a value of the type. IllegalData if it is none: a sum that is no BIGINT any more, say.
absl::StatusOr<Value> ColumnValue(sqlite3_stmt* statement, int column, const SqlType& type);
// Returns what SQLite passes to a scan as a value of a column's type; nullopt if the type has no such value. Sets
// `*exact` to false if it had to be rounded.
std::optional<Value> ValueForColumn(sqlite3_value* value, const SqlType& type, bool* exact);

}  // namespace vaquita::sql
