// This file has the engine's functions of arrays. An array is its bytes (sql/encoding/array_codec.h); an argument of a
// function is the type of its elements.
#include <algorithm>
#include <compare>
#include <string>
#include <utility>

#include "base/status.h"
#include "sql/encoding/array_codec.h"
#include "sql/encoding/sql_error.h"
#include "sql/encoding/text.h"
#include "sql/encoding/value_codec.h"
#include "sql/encoding/value_text.h"
#include "sql/engine/function_tools.h"
#include "sql/engine/sqlite_value.h"

namespace vaquita::sql {
namespace {

SqlType ArrayOf(SqlType element) {
  element.array = true;
  return element;
}

// Returns the elements; none for NULL.
absl::StatusOr<ValueList> ListOf(sqlite3_value* value, const SqlType& element) {
  if (IsNull(value)) return ValueList();
  VAQUITA_ASSIGN_OR_RETURN(Value array, FromSqlite(value, ArrayOf(element)));
  if (array.is_null()) return ValueList();
  return std::move(std::get<ValueList>(array));
}

// An array without elements is NULL.
void SetList(sqlite3_context* context, const SqlType& element, ValueList list) {
  if (list.empty()) return sqlite3_result_null(context);
  if (list.size() > kMostElements) return FailTooManyElements(context);
  SetResult(context, ArrayOf(element), Value(std::move(list)));
}

// Leaves out nulls of types that have a fixed width: arrays of these have no nulls.
void AddElement(const SqlType& element, Value value, ValueList* list) {
  if (value.is_null() && element.FixedWidth() > 0) return;
  list->push_back(std::move(value));
}

// Returns an element that is to become one of an array, and so must not be longer than the others.
absl::StatusOr<Value> NewElement(sqlite3_value* value, const SqlType& element) {
  VAQUITA_ASSIGN_OR_RETURN(Value read, FromSqlite(value, element));
  const auto* text = std::get_if<std::string>(&read);
  if (text != nullptr && element.FixedWidth() > 0 && text->size() > static_cast<size_t>(element.FixedWidth())) {
    return SqlError(ErrorCode::kDataExceedsMaxCapacity, "Values are not size compatible");
  }
  return read;
}

// Arguments: the type, and the elements.
void MakeArray(sqlite3_context* context, int count, sqlite3_value** values) {
  const SqlType element = TypeArgument(values[0]);
  ValueList list;
  for (int i = 1; i < count; ++i) {
    auto value = NewElement(values[i], element);
    if (!value.ok()) return Fail(context, value.status());
    AddElement(element, *std::move(value), &list);
  }
  SetList(context, element, std::move(list));
}

void ArrayLength(sqlite3_context* context, int, sqlite3_value** values) {
  if (IsNull(values[0])) return sqlite3_result_null(context);
  const auto list = ListOf(values[0], TypeArgument(values[1]));
  if (!list.ok()) return Fail(context, list.status());
  sqlite3_result_int64(context, static_cast<int64_t>(list->size()));
}

void ArrayElement(sqlite3_context* context, int count, sqlite3_value** values) {
  if (AnyNull(count, values)) return sqlite3_result_null(context);
  const SqlType element = TypeArgument(values[2]);
  const auto list = ListOf(values[0], element);
  if (!list.ok()) return Fail(context, list.status());
  const int64_t index = sqlite3_value_int64(values[1]);
  if (index < 0) return Fail(context, SqlError(ErrorCode::kIllegalData, Concat("Index cannot be negative :", index)));
  if (index < 1 || index > static_cast<int64_t>(list->size())) return sqlite3_result_null(context);
  SetResult(context, element, (*list)[static_cast<size_t>(index - 1)]);
}

// A NULL in place of an array adds nothing.
void ConcatenateArrays(sqlite3_context* context, int, sqlite3_value** values) {
  const SqlType element = TypeArgument(values[2]);
  auto joined = ListOf(values[0], element);
  auto more = ListOf(values[1], element);
  if (!joined.ok() || !more.ok()) return Fail(context, joined.ok() ? more.status() : joined.status());
  std::ranges::move(*more, std::back_inserter(*joined));
  SetList(context, element, *std::move(joined));
}

// Phoenix appends no NULL, but puts one first.
void AppendElement(sqlite3_context* context, int, sqlite3_value** values) {
  const SqlType element = TypeArgument(values[2]);
  auto list = ListOf(values[0], element);
  auto value = NewElement(values[1], element);
  if (!list.ok() || !value.ok()) return Fail(context, list.ok() ? value.status() : list.status());
  if (!value->is_null()) list->push_back(*std::move(value));
  SetList(context, element, *std::move(list));
}

void PrependElement(sqlite3_context* context, int, sqlite3_value** values) {
  const SqlType element = TypeArgument(values[2]);
  ValueList joined;
  auto value = NewElement(values[0], element);
  auto list = ListOf(values[1], element);
  if (!list.ok() || !value.ok()) return Fail(context, list.ok() ? value.status() : list.status());
  AddElement(element, *std::move(value), &joined);
  std::ranges::move(*list, std::back_inserter(joined));
  SetList(context, element, std::move(joined));
}

void RemoveElement(sqlite3_context* context, int, sqlite3_value** values) {
  const SqlType element = TypeArgument(values[2]);
  auto list = ListOf(values[0], element);
  const auto value = FromSqlite(values[1], element);
  if (!list.ok() || !value.ok()) return Fail(context, list.ok() ? value.status() : list.status());
  if (!value->is_null()) std::erase(*list, *value);
  SetList(context, element, *std::move(list));
}

void FillArray(sqlite3_context* context, int, sqlite3_value** values) {
  if (IsNull(values[1])) return sqlite3_result_null(context);
  const SqlType element = TypeArgument(values[2]);
  const int64_t count = sqlite3_value_int64(values[1]);
  if (count < 1) return Fail(context, SqlError(ErrorCode::kIllegalData, "Array length should be greater than 0"));
  if (count > static_cast<int64_t>(kMostElements)) return FailTooManyElements(context);
  const auto value = NewElement(values[0], element);
  if (!value.ok()) return Fail(context, value.status());
  if (value->is_null() && element.FixedWidth() > 0) return sqlite3_result_null(context);
  const auto times = static_cast<size_t>(count);
  if (EncodeValue(element, *value).size() > MostValueBytes(context) / times) return FailTooLarge(context);
  SetList(context, element, ValueList(times, *value));
}

// Arguments: the array, the delimiter, the text for nulls (may be left out), and the type.
void ArrayText(sqlite3_context* context, int count, sqlite3_value** values) {
  if (AnyNull(2, values)) return sqlite3_result_null(context);
  const SqlType element = TypeArgument(values[count - 1]);
  const auto list = ListOf(values[0], element);
  if (!list.ok()) return Fail(context, list.status());
  const bool with_nulls = count > 3 && !IsNull(values[2]);
  ResultText text(context);
  bool any = false;
  for (const Value& value : *list) {
    if (value.is_null() && !with_nulls) continue;
    if (any && !text.Append(TextOf(values[1]))) return;
    any = true;
    std::string part = value.is_null() ? std::string(TextOf(values[2])) : JavaText(element, value);
    if (element.id == TypeId::kChar) part.resize(std::max(part.size(), static_cast<size_t>(element.FixedWidth())), ' ');
    if (!text.Append(part)) return;
  }
  std::string whole = std::move(text).Take();
  SetResult(context, TypeId::kVarchar, whole.empty() ? Value() : Value(std::move(whole)));
}

// Arguments: the array, the type of its elements, and the type that they get.
void CastArray(sqlite3_context* context, int, sqlite3_value** values) {
  if (IsNull(values[0])) return sqlite3_result_null(context);
  const SqlType from = TypeArgument(values[1]);
  const SqlType to = TypeArgument(values[2]);
  const auto list = ListOf(values[0], from);
  if (!list.ok()) return Fail(context, list.status());
  ValueList cast;
  for (const Value& value : *list) {
    auto coerced = CoerceValue(from, to, value, "");
    if (!coerced.ok()) return Fail(context, coerced.status());
    cast.push_back(*std::move(coerced));
  }
  SetList(context, to, std::move(cast));
}

// Returns how two values of one type compare.
std::partial_ordering CompareValues(const Value& a, const Value& b) {
  if (const auto* integer = std::get_if<int64_t>(&a)) return *integer <=> b.integer();
  if (const auto* real = std::get_if<double>(&a)) return *real <=> b.real();
  if (const auto* text = std::get_if<std::string>(&a)) return *text <=> b.text();
  if (const auto* decimal = std::get_if<Decimal>(&a)) return *decimal <=> b.decimal();
  if (const auto* moment = std::get_if<Timestamp>(&a)) return *moment <=> b.timestamp();
  return std::partial_ordering::unordered;
}

bool Holds(std::string_view op, std::partial_ordering order) {
  if (op == "=") return order == 0;
  if (op == "!=") return order != 0;
  if (op == "<") return order < 0;
  if (op == "<=") return order <= 0;
  if (op == ">") return order > 0;
  return order >= 0;
}

// Compares a value with the elements. Arguments: the comparison, whether all have to fit, the value, the array, the
// type of the elements, and the type in which they are compared.
void CompareWithElements(sqlite3_context* context, int, sqlite3_value** values) {
  if (IsNull(values[2]) || IsNull(values[3])) return sqlite3_result_null(context);
  const SqlType element = TypeArgument(values[4]);
  const SqlType common = TypeArgument(values[5]);
  const std::string_view op = TextOf(values[0]);
  const bool all = sqlite3_value_int64(values[1]) != 0;
  const auto value = FromSqlite(values[2], common);
  const auto list = ListOf(values[3], element);
  if (!value.ok() || !list.ok()) return Fail(context, value.ok() ? list.status() : value.status());
  bool has_null = false;
  for (const Value& one : *list) {
    const auto coerced = CoerceValue(element, common, one, "");
    if (!coerced.ok()) return Fail(context, coerced.status());
    has_null = has_null || coerced->is_null();
    if (coerced->is_null()) continue;
    if (Holds(op, CompareValues(*value, *coerced)) != all) return sqlite3_result_int64(context, all ? 0 : 1);
  }
  if (has_null) return sqlite3_result_null(context);
  sqlite3_result_int64(context, all ? 1 : 0);
}

constexpr NamedFunction kArrayFunctions[] = {
    {"px_array", -1, MakeArray},
    {"px_array_length", 2, ArrayLength},
    {"px_array_elem", 3, ArrayElement},
    {"px_array_append", 3, AppendElement},
    {"px_array_prepend", 3, PrependElement},
    {"px_array_cat", 3, ConcatenateArrays},
    {"px_array_remove", 3, RemoveElement},
    {"px_array_fill", 3, FillArray},
    {"px_array_to_string", -1, ArrayText},
    {"px_array_cast", 3, CastArray},
    {"px_quantified", 6, CompareWithElements},
};

}  // namespace

std::span<const NamedFunction> ArrayFunctions() { return kArrayFunctions; }

}  // namespace vaquita::sql
