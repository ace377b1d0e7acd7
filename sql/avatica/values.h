// sql/avatica/values.h: values in Avatica's wire form, and back.
//
// Threads: functions. Source: TypedValue, JdbcResultSet, ColumnMetaData.Rep (Avatica 1.26); PDataType (Phoenix 5.2).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "avatica/avatica.pb.h"
#include "sql/encoding/sql_type.h"
#include "sql/encoding/value.h"

namespace vaquita::sql {

// Returns the form that a signature announces for a column of the type.
avatica::Rep ColumnRep(const SqlType& type);

// Returns a text for a field of the type string: drivers take no message in which one is not UTF-8. Other bytes become
// U+FFFD, as java.lang.String has them.
std::string WireText(std::string_view text);

// Makes `*column` a value of a row.
void SetColumnValue(const SqlType& type, const Value& value, avatica::ColumnValue* column);

// Writes rows as messages Row. The messages are not made, but their bytes: a row of a result costs most by its small
// messages. Threads: one at a time.
class WireRows {
 public:
  // Appends a value to `*row`, which begins empty.
  void Append(const SqlType& type, const Value& value, std::string* row);

 private:
  std::string scalar_;  // these keep their memory
  std::string column_;
};

// Returns a parameter's value as a value of `type`. Returns TypeMismatch if its form does not fit the type; IllegalData
// if it cannot be read.
absl::StatusOr<Value> ParameterValue(const avatica::TypedValue& value, const SqlType& type);
// Returns the parameters of a statement, which has these types. Returns ParameterOutOfRange if there are more values;
// DataExceedsMaxCapacity if they take much more memory as values of CHAR(n), BINARY(n) and arrays of them than in the
// request.
absl::StatusOr<std::vector<Value>> ParameterValues(
    const google::protobuf::RepeatedPtrField<avatica::TypedValue>& values, const std::vector<SqlType>& types);

}  // namespace vaquita::sql
