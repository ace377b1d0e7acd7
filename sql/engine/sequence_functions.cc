#include "sql/engine/sequence_functions.h"

#include <string>

#include "sql/engine/function_tools.h"
#include "sql/engine/sqlite_value.h"

namespace vaquita::sql {
namespace {

// Returns the sequence that a function's first two arguments name.
TableIdent NameOf(sqlite3_value** arguments) {
  return {std::string(TextOf(arguments[0])), std::string(TextOf(arguments[1]))};
}

// Returns the values of the row. Drops those of the row before.
SequenceValues* Enter(sqlite3_context* context, int64_t row) {
  SequenceValues* values = SequencesOf(context);
  if (values->row != row) values->Reset();
  values->row = row;
  return values;
}

void Answer(sqlite3_context* context, SequenceValues* values, const TableIdent& name,
            const absl::StatusOr<int64_t>& value) {
  if (!value.ok()) return Fail(context, value.status());
  values->values[name] = *value;
  sqlite3_result_int64(context, *value);
}

// The arguments are the schema, the name, how many values the row takes, and the row.
void Next(sqlite3_context* context, int, sqlite3_value** arguments) {
  const TableIdent name = NameOf(arguments);
  SequenceValues* values = Enter(context, sqlite3_value_int64(arguments[3]));
  const auto known = values->values.find(name);
  Answer(
      context, values, name,
      known != values->values.end() ? known->second : values->sequences->Next(name, sqlite3_value_int64(arguments[2])));
}

// The arguments are the schema, the name and the row.
void Current(sqlite3_context* context, int, sqlite3_value** arguments) {
  const TableIdent name = NameOf(arguments);
  SequenceValues* values = Enter(context, sqlite3_value_int64(arguments[2]));
  Answer(context, values, name, values->sequences->Current(name));
}

constexpr NamedFunction kSequenceFunctions[] = {
    {"px_next", 4, Next, false},
    {"px_current", 3, Current, false},
};

}  // namespace

std::span<const NamedFunction> SequenceFunctions() { return kSequenceFunctions; }

}  // namespace vaquita::sql
