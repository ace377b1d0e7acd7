// sql/engine/function_tools.h: arguments, results and errors of the engine's functions in SQLite.
//
// Threads: one at a time.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/statusor.h"
#include "sql/encoding/array_codec.h"
#include "sql/encoding/decimal.h"
#include "sql/encoding/sql_type.h"
#include "sql/encoding/value.h"
#include "sql/engine/query_memory.h"

namespace vaquita::sql {

using EngineFunction = void (*)(sqlite3_context*, int, sqlite3_value**);
using EngineFinish = void (*)(sqlite3_context*);

struct SequenceValues;

// The functions of a connection share this. It must outlive the connection.
struct FunctionHost {
  absl::Status* error = nullptr;        // set by a function that fails
  std::function<absl::Status()> due;    // returns an error if the query has to end
  QueryMemory* memory = nullptr;        // counts what aggregates keep; null: nobody counts
  int64_t now_ms = 0;                   // NOW() in all rows
  SequenceValues* sequences = nullptr;  // in the row that is computed
};

struct NamedFunction {
  const char* name;
  int arguments;  // -1: any number
  EngineFunction function;
  bool deterministic = true;
};
struct NamedAggregate {
  const char* name;
  int arguments;
  EngineFunction step;
  EngineFinish finish;
};
// These return SQLite's code.
int RegisterFunction(sqlite3* database, FunctionHost* host, const NamedFunction& named);
int RegisterAggregate(sqlite3* database, FunctionHost* host, const NamedAggregate& named);

std::span<const NamedFunction> TextFunctions();
std::span<const NamedFunction> NumberFunctions();
std::span<const NamedFunction> DateFunctions();
std::span<const NamedFunction> BinaryFunctions();
std::span<const NamedFunction> ArrayFunctions();
std::span<const NamedFunction> SequenceFunctions();
// The aggregates that keep values: percentiles, FIRST_VALUE and their like.
std::span<const NamedAggregate> ValueAggregates();

// Ends the function with the error.
void Fail(sqlite3_context* context, const absl::Status& status);
void SetStatusOr(sqlite3_context* context, const SqlType& type, const absl::StatusOr<Value>& value);
// Returns true, and has ended the function, if the query has to end. Functions that take long ask now and then.
bool HasToEnd(sqlite3_context* context);

// Returns when the query was started.
int64_t StartOfQueryMs(sqlite3_context* context);

// Returns what the query's rows have of sequences.
SequenceValues* SequencesOf(sqlite3_context* context);

// Returns the counter of the query's memory; null if nobody counts.
QueryMemory* MemoryOf(sqlite3_context* context);

// Returns how many bytes a value may have (query_limits.h).
size_t MostValueBytes(sqlite3_context* context);
// Ends the function because its value would have more bytes.
void FailTooLarge(sqlite3_context* context);

// Functions make arrays of at most so many elements: some 50 MB of memory for each array.
inline constexpr size_t kMostElements = kMostArrayElements;
void FailTooManyElements(sqlite3_context* context);

// A text that a function puts together, at most as long as a value may be.
class ResultText {
 public:
  explicit ResultText(sqlite3_context* context) : context_(context), most_(MostValueBytes(context)) {}
  // Returns false, and has ended the function, if the text would be too long.
  bool Append(std::string_view part) {
    if (part.size() > most_ - text_.size()) return FailTooLarge(context_), false;
    text_ += part;
    return true;
  }
  std::string Take() && { return std::move(text_); }

 private:
  sqlite3_context* context_;
  size_t most_;
  std::string text_;
};

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
