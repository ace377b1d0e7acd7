// sql/encoding/index_value.h: values of a table's columns as the key of an index has them.
//
// A key column of fixed width cannot be null, so an index has such a column in another type: a number, BOOLEAN or date
// as DECIMAL, CHAR as VARCHAR, BINARY as VARBINARY. Threads: functions. Source: IndexUtil.getIndexColumnDataType (5.2).
#pragma once

#include "absl/status/statusor.h"
#include "sql/encoding/sql_type.h"
#include "sql/encoding/value.h"

namespace vaquita::sql {

// Returns the type that a column has in the key of an index.
SqlType TypeInIndex(const SqlType& type, bool nullable);
// Returns the value of a column in its type there. A DOUBLE may give a DECIMAL without an encoding (decimal.h), which
// can be a bound, but not stored.
Value ToIndexValue(const SqlType& type, const SqlType& in_index, const Value& value);
// Returns the column's value. Returns IllegalData if the index has one that the column cannot have.
absl::StatusOr<Value> FromIndexValue(const SqlType& type, const SqlType& in_index, const Value& value);

}  // namespace vaquita::sql
