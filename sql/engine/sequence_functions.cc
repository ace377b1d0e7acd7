#include "sql/engine/sequence_functions.h"

#include <sqlite3.h>

#include <string>

#include "sql/engine/exception_guard.h"
#include "sql/engine/sqlite_value.h"

namespace vaquita::sql {
namespace {

// Returns the sequence that a function's first two arguments name.
TableIdent NameOf(sqlite3_value** arguments) {
  return {std::string(TextOf(arguments[0])), std::string(TextOf(arguments[1]))};
}

// Drops the values of the row before.
void Enter(SequenceValues* values, int64_t row) {
  if (values->row == row) return;
  values->row = row;
  values->values.clear();
}

void Answer(sqlite3_context* context, SequenceValues* values, const TableIdent& name,
            const absl::StatusOr<int64_t>& value) {
  if (value.ok()) {
    values->values[name] = *value;
    sqlite3_result_int64(context, *value);
    return;
  }
  *values->error = value.status();
  sqlite3_result_error(context, "sequence", -1);
}

void Next(sqlite3_context* context, int, sqlite3_value** arguments) {
  GuardFunction(context, [&] {
    auto* values = static_cast<SequenceValues*>(sqlite3_user_data(context));
    const TableIdent name = NameOf(arguments);
    Enter(values, sqlite3_value_int64(arguments[3]));
    const auto known = values->values.find(name);
    Answer(context, values, name,
           known != values->values.end() ? known->second
                                         : values->sequences->Next(name, sqlite3_value_int64(arguments[2])));
  });
}

void Current(sqlite3_context* context, int, sqlite3_value** arguments) {
  GuardFunction(context, [&] {
    auto* values = static_cast<SequenceValues*>(sqlite3_user_data(context));
    const TableIdent name = NameOf(arguments);
    Enter(values, sqlite3_value_int64(arguments[2]));
    Answer(context, values, name, values->sequences->Current(name));
  });
}

}  // namespace

absl::Status RegisterSequenceFunctions(sqlite3* database, SequenceValues* values) {
  int code = sqlite3_create_function_v2(database, "px_next", 4, SQLITE_UTF8, values, Next, nullptr, nullptr, nullptr);
  if (code == SQLITE_OK) {
    code =
        sqlite3_create_function_v2(database, "px_current", 3, SQLITE_UTF8, values, Current, nullptr, nullptr, nullptr);
  }
  return code == SQLITE_OK ? absl::OkStatus() : absl::InternalError(sqlite3_errmsg(database));
}

}  // namespace vaquita::sql
