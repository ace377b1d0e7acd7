// sql/encoding/value_codec.h: encodes a value as Phoenix's bytes, and decodes it.
//
// A type's bytes compare as its values do. They are the value of a cell, or a part of a row key
// (sql/encoding/row_key.h). Threads: functions. Source: org.apache.phoenix.schema.types.P*.toBytes, toObject,
// PArrayDataTypeEncoder (5.2).
#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "sql/encoding/sql_type.h"
#include "sql/encoding/value.h"

namespace vaquita::sql {

// Returns the bytes of a value that CoerceValue() has brought into the type; empty for null. CHAR and BINARY are padded
// to their length.
std::string EncodeValue(const SqlType& type, const Value& value);
// Returns the value; null for no bytes. Returns IllegalData, naming the bytes, if they are not a value of the type.
absl::StatusOr<Value> DecodeValue(const SqlType& type, std::string_view bytes);

// Returns `value`, of type `from`, as a value of type `to`, as an UPSERT has it: a number of another type, text as a
// date, the milliseconds since 1970 as a time and the other way round, a DECIMAL cut off to the column's scale. Returns
// TypeMismatch if no value of `from` can be one of `to`; DataExceedsMaxCapacity, naming `column` and its type, if a
// text or a DECIMAL is too long; IllegalData if the value is not in range, or a CHAR's and not ASCII.
absl::StatusOr<Value> CoerceValue(const SqlType& from, const SqlType& to, const Value& value, std::string_view column);
// Returns whether the type has a number that is so large, or a time so early. `value` can be coerced to it.
bool IsInRange(const SqlType& to, const Value& value);
// Returns DataExceedsMaxCapacity if an array of the type cannot have so many elements, or they would be too wide
// together.
absl::Status CheckArraySize(const SqlType& array, size_t elements, std::string_view column);
// Returns the value of a CHAR as a column of another type keeps it: with the blanks behind it. Other values stay.
Value WithBlanks(const SqlType& from, const SqlType& to, Value value);

// Returns whether any value of `from` may be stored as one of `to`; CheckCoercible returns TypeMismatch if not.
bool IsCoercible(const SqlType& from, const SqlType& to);
absl::Status CheckCoercible(const SqlType& from, const SqlType& to);

// Returns "CHAR(3)", "DECIMAL(10,2)", "BIGINT".
std::string DeclarationOf(const SqlType& type);

}  // namespace vaquita::sql
