#include "sql/engine/function_tools.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <string>

#include "base/status.h"
#include "sql/encoding/sql_error.h"
#include "sql/encoding/text.h"
#include "sql/engine/exception_guard.h"
#include "sql/engine/sqlite_value.h"
#include "sql/plan/functions.h"

namespace vaquita::sql {
namespace {

// SQLite keeps this with each function.
struct Registered {
  FunctionHost* host;
  EngineFunction function;
  EngineFinish finish;
};

const Registered& RegisteredOf(sqlite3_context* context) {
  return *static_cast<const Registered*>(sqlite3_user_data(context));
}

void CallFunction(sqlite3_context* context, int count, sqlite3_value** values) {
  GuardFunction(context, [&] { RegisteredOf(context).function(context, count, values); });
}

void CallFinish(sqlite3_context* context) {
  GuardFunction(context, [&] { RegisteredOf(context).finish(context); });
}

void FreeRegistered(void* registered) { delete static_cast<Registered*>(registered); }

}  // namespace

int RegisterFunction(sqlite3* database, FunctionHost* host, const NamedFunction& named) {
  const int flags = SQLITE_UTF8 | (named.deterministic ? SQLITE_DETERMINISTIC : 0);
  auto registered = std::make_unique<Registered>(Registered{host, named.function, nullptr});
  return sqlite3_create_function_v2(database, named.name, named.arguments, flags, registered.release(), CallFunction,
                                    nullptr, nullptr, FreeRegistered);
}

int RegisterAggregate(sqlite3* database, FunctionHost* host, const NamedAggregate& named) {
  auto registered = std::make_unique<Registered>(Registered{host, named.step, named.finish});
  return sqlite3_create_function_v2(database, named.name, named.arguments, SQLITE_UTF8, registered.release(), nullptr,
                                    CallFunction, CallFinish, FreeRegistered);
}

void Fail(sqlite3_context* context, const absl::Status& status) {
  *RegisteredOf(context).host->error = status;
  sqlite3_result_error(context, std::string(StdText(status.message())).c_str(), -1);
}

void SetStatusOr(sqlite3_context* context, const SqlType& type, const absl::StatusOr<Value>& value) {
  if (value.ok()) {
    SetResult(context, type, *value);
  } else {
    Fail(context, value.status());
  }
}

bool HasToEnd(sqlite3_context* context) {
  const absl::Status due = RegisteredOf(context).host->due();
  if (due.ok()) return false;
  Fail(context, due);
  return true;
}

int64_t StartOfQueryMs(sqlite3_context* context) { return RegisteredOf(context).host->now_ms; }

SequenceValues* SequencesOf(sqlite3_context* context) { return RegisteredOf(context).host->sequences; }

QueryMemory* MemoryOf(sqlite3_context* context) { return RegisteredOf(context).host->memory; }

size_t MostValueBytes(sqlite3_context* context) {
  return static_cast<size_t>(sqlite3_limit(sqlite3_context_db_handle(context), SQLITE_LIMIT_LENGTH, -1));
}

void FailTooLarge(sqlite3_context* context) { sqlite3_result_error_toobig(context); }

void FailTooManyElements(sqlite3_context* context) {
  Fail(context, SqlError(ErrorCode::kDataExceedsMaxCapacity,
                         Concat("A function makes an array of at most ", kMostElements, " elements")));
}

bool IsNull(sqlite3_value* value) { return sqlite3_value_type(value) == SQLITE_NULL; }

bool AnyNull(int count, sqlite3_value** values) { return std::any_of(values, values + count, IsNull); }

std::string_view BlobOf(sqlite3_value* value) {
  const auto* bytes = static_cast<const char*>(sqlite3_value_blob(value));
  return bytes == nullptr ? std::string_view()
                          : std::string_view(bytes, static_cast<size_t>(sqlite3_value_bytes(value)));
}

absl::StatusOr<Decimal> NumberOf(sqlite3_value* value) {
  switch (sqlite3_value_type(value)) {
    case SQLITE_INTEGER:
      return Decimal(static_cast<int64_t>(sqlite3_value_int64(value)));
    case SQLITE_FLOAT:
      return Decimal::FromDouble(sqlite3_value_double(value));
    case SQLITE_BLOB:
      return DecodeDecimal(BlobOf(value));
    default:
      return Decimal::Parse(TextOf(value));
  }
}

absl::StatusOr<int32_t> SmallOf(sqlite3_value* value) {
  const int64_t number = sqlite3_value_int64(value);
  if (number < std::numeric_limits<int32_t>::min() || number > std::numeric_limits<int32_t>::max()) {
    return SqlError(ErrorCode::kIllegalData,
                    Concat("Value ", number, " cannot be cast to Integer without changing its value"));
  }
  return static_cast<int32_t>(number);
}

SqlType TypeArgument(sqlite3_value* value) { return TypeOfCode(sqlite3_value_int64(value)); }

}  // namespace vaquita::sql
