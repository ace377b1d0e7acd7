// sql/encoding/value_text.h: values as Java prints them (toString), as answers and Phoenix's functions have them.
//
// Threads: functions. Source: java.lang.Double, java.sql.Timestamp, PhoenixArray (5.2).
#pragma once

#include <string>
#include <string_view>

#include "sql/encoding/sql_type.h"
#include "sql/encoding/value.h"

namespace vaquita::sql {

// Returns Double.toString, or Float.toString: "1.0", "2.30539333248E11", "NaN".
std::string JavaReal(double value, bool is_float = false);
// Returns the elements of an array as Phoenix prints them, with `between` between them: texts have quotes.
std::string JoinedElements(const SqlType& element, const ValueList& list, std::string_view between);
// Returns the text of a value that JDBC gives: "12:34:56" for a TIME, "[1, 2]" for an array, "x0aff" for bytes, "null".
std::string JavaText(const SqlType& type, const Value& value);

}  // namespace vaquita::sql
