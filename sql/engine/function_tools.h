// sql/engine/function_tools.h: arguments, results and errors of the engine's functions in SQLite.
//
// A function is registered with an absl::Status as its data, which it sets when it fails. Threads: one at a time.
#pragma once

#include <sqlite3.h>

#include <span>
#include <string_view>

#include "absl/status/statusor.h"
#include "sql/encoding/decimal.h"
#include "sql/encoding/sql_type.h"
#include "sql/encoding/value.h"

namespace vaquita::sql {

using EngineFunction = void (*)(sqlite3_context*, int, sqlite3_value**);

struct NamedFunction {
  const char* name;
  int arguments;  // -1: any number
  EngineFunction function;
  bool deterministic = true;
};

std::span<const NamedFunction> TextFunctions();
std::span<const NamedFunction> NumberFunctions();
std::span<const NamedFunction> DateFunctions();
std::span<const NamedFunction> BinaryFunctions();
std::span<const NamedFunction> ArrayFunctions();
// Registers the aggregates that keep values: percentiles, FIRST_VALUE and their like. Returns SQLite's code.
int RegisterValueAggregates(sqlite3* database, absl::Status* error);

// Ends the function with the error.
void Fail(sqlite3_context* context, const absl::Status& status);
void SetStatusOr(sqlite3_context* context, const SqlType& type, const absl::StatusOr<Value>& value);

bool IsNull(sqlite3_value* value);
bool AnyNull(int count, sqlite3_value** values);
std::string_view BlobOf(sqlite3_value* value);
// Reads a number of any form: DECIMAL's is BLOB; text is read, too.
absl::StatusOr<Decimal> NumberOf(sqlite3_value* value);
// Reads an INTEGER argument. Returns IllegalData if it is too large for one.
absl::StatusOr<int32_t> SmallOf(sqlite3_value* value);
// Reads a type that sql/plan/functions.h wrote.
SqlType TypeArgument(sqlite3_value* value);

// A function of arguments that are not null, with a result of the type. It is null if an argument is.
using Scalar = absl::StatusOr<Value> (*)(int, sqlite3_value**);

template <Scalar function, TypeId type>
void Call(sqlite3_context* context, int count, sqlite3_value** values) {
  if (AnyNull(count, values)) {
    sqlite3_result_null(context);
  } else {
    SetStatusOr(context, type, function(count, values));
  }
}

}  // namespace vaquita::sql
