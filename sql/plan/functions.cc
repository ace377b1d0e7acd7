#include "sql/plan/functions.h"

#include <algorithm>

namespace vaquita::sql {
namespace {

using enum ArgumentKind;
using enum ResultRule;

constexpr ArgumentRow Optional(ArgumentKind kind, std::string_view otherwise = "") {
  return {.kind = kind, .optional = true, .otherwise = otherwise};
}
constexpr ArgumentRow Constant(ArgumentKind kind) { return {.kind = kind, .constant = true}; }
constexpr ArgumentRow OptionalConstant(ArgumentKind kind, std::string_view otherwise = "") {
  return {.kind = kind, .optional = true, .constant = true, .otherwise = otherwise};
}

constexpr bool kAggregate = true;
constexpr bool kScalar = false;
constexpr bool kLabelsAll = true;
constexpr bool kTyped = true;

constexpr ArgumentRow kOneAny = {.kind = kAny};
constexpr ArgumentRow kOneText = {.kind = kText};
constexpr ArgumentRow kOneNumber = {.kind = kNumber};
constexpr ArgumentRow kOneReal = {.kind = kReal};
constexpr ArgumentRow kOneInteger = {.kind = kInteger};
constexpr ArgumentRow kOneMoment = {.kind = kMoment};
constexpr ArgumentRow kOneBytes = {.kind = kBytes};
constexpr ArgumentRow kOneArray = {.kind = kArray};
constexpr ArgumentRow kOneElement = {.kind = kElement};
constexpr ArgumentRow kAscending = Constant(kBoolean);

constexpr TypeId kNoType = TypeId::kNull;
constexpr TypeId kVarcharType = TypeId::kVarchar;
constexpr TypeId kIntegerType = TypeId::kInteger;
constexpr TypeId kDoubleType = TypeId::kDouble;
constexpr TypeId kDecimalType = TypeId::kDecimal;

using Arguments = std::array<ArgumentRow, 5>;
constexpr Arguments kRoundedArguments = {ArgumentRow{.kind = kMomentOrNumber}, OptionalConstant(kUnit),
                                         OptionalConstant(kInteger, "1")};
constexpr Arguments kTextAndPattern = {kOneText, OptionalConstant(kText), OptionalConstant(kText)};
constexpr Arguments kTwoTextsOrThree = {kOneText, kOneText, Optional(kText)};
constexpr Arguments kPercentile = {kOneNumber, kAscending, Constant(kNumber)};
constexpr Arguments kOrderedValue = {kOneAny, kAscending, kOneAny};
constexpr Arguments kOrderedAndPlace = {kOneAny, kAscending, kOneAny, Constant(kInteger)};

constexpr FunctionRow kFunctions[] = {
    {"COUNT", "count", kAggregate, kFixed, TypeId::kBigint, {Optional(kAny)}},
    {"DISTINCT_COUNT", "count", kAggregate, kFixed, TypeId::kBigint, {kOneAny}},
    {"APPROX_COUNT_DISTINCT", "count", kAggregate, kFixed, TypeId::kBigint, {kOneAny}},
    {"SUM", "px_sum", kAggregate, kSum, kNoType, {kOneNumber}},
    {"AVG", "px_avg", kAggregate, kFixed, kDecimalType, {kOneNumber}},
    {"MIN", "min", kAggregate, kFirst, kNoType, {kOneAny}},
    {"MAX", "max", kAggregate, kFirst, kNoType, {kOneAny}},
    {"STDDEV_POP", "px_stddev_pop", kAggregate, kFixed, kDecimalType, {kOneNumber}},
    {"STDDEV_SAMP", "px_stddev_samp", kAggregate, kFixed, kDecimalType, {kOneNumber}},
    {"PERCENTILE_CONT", "px_percentile_cont", kAggregate, kFixed, kDecimalType, kPercentile},
    {"PERCENTILE_DISC", "px_percentile_disc", kAggregate, kFirst, kNoType, kPercentile},
    {"PERCENT_RANK", "px_percent_rank", kAggregate, kFixed, kDecimalType, {kOneAny, kAscending, Constant(kAny)}},
    {"FIRST_VALUE", "px_first_value", kAggregate, kValue, kNoType, kOrderedValue},
    {"LAST_VALUE", "px_last_value", kAggregate, kValue, kNoType, kOrderedValue},
    {"NTH_VALUE", "px_nth_value", kAggregate, kValue, kNoType, kOrderedAndPlace},
    {"FIRST_VALUES", "px_first_values", kAggregate, kValues, kNoType, kOrderedAndPlace, !kLabelsAll, kTyped},
    {"LAST_VALUES", "px_last_values", kAggregate, kValues, kNoType, kOrderedAndPlace, !kLabelsAll, kTyped},
    {"COLLECTDISTINCT", "px_collect_distinct", kAggregate, kArrayOf, kNoType, {kOneAny}, !kLabelsAll, kTyped},

    {"UPPER", "px_upper", kScalar, kFirst, kNoType, {kOneText, OptionalConstant(kText)}, kLabelsAll},
    {"LOWER", "px_lower", kScalar, kFirst, kNoType, {kOneText, OptionalConstant(kText)}, kLabelsAll},
    {"LENGTH", "px_length", kScalar, kFixed, kIntegerType, {kOneText}},
    {"SUBSTR", "px_substr", kScalar, kPart, kVarcharType, {kOneText, {.kind = kBigint}, Optional(kBigint)}},
    {"TRIM", "trim", kScalar, kFixed, kVarcharType, {kOneText}},
    {"LTRIM", "ltrim", kScalar, kFixed, kVarcharType, {kOneText}},
    {"RTRIM", "rtrim", kScalar, kFixed, kVarcharType, {kOneText}},
    {"LPAD", "px_lpad", kScalar, kFixed, kVarcharType, {kOneText, kOneInteger, Optional(kText, "' '")}, kLabelsAll},
    {"INSTR", "px_instr", kScalar, kFixed, kIntegerType, {kOneText, kOneText}},
    {"REVERSE", "px_reverse", kScalar, kFixed, kVarcharType, {kOneText}},
    {"REGEXP_SUBSTR",
     "px_regexp_substr",
     kScalar,
     kFixed,
     kVarcharType,
     {kOneText, kOneText, Optional(kBigint, "1")},
     kLabelsAll},
    {"REGEXP_REPLACE", "px_regexp_replace", kScalar, kFixed, kVarcharType, kTwoTextsOrThree, kLabelsAll},
    {"REGEXP_SPLIT", "px_regexp_split", kScalar, kArrayOf, kVarcharType, {kOneText, kOneText}},

    {"COALESCE", "coalesce", kScalar, kFirst, kNoType, {kOneAny, kOneAny}},
    {"ABS", "px_abs", kScalar, kFirst, kNoType, {kOneNumber}},
    {"SIGN", "px_sign", kScalar, kFixed, kIntegerType, {kOneNumber}},
    {"SQRT", "px_sqrt", kScalar, kFixed, kDoubleType, {kOneReal}},
    {"CBRT", "px_cbrt", kScalar, kFixed, kDoubleType, {kOneReal}},
    {"EXP", "px_exp", kScalar, kFixed, kDoubleType, {kOneReal}},
    {"LN", "px_ln", kScalar, kFixed, kDoubleType, {kOneReal}},
    {"LOG", "px_log", kScalar, kFixed, kDoubleType, {kOneReal, Optional(kReal, "10.0")}, kLabelsAll},
    {"POWER", "px_power", kScalar, kFixed, kDoubleType, {kOneReal, kOneReal}},
    {"SIN", "px_sin", kScalar, kFixed, kDoubleType, {kOneReal}},
    {"COS", "px_cos", kScalar, kFixed, kDoubleType, {kOneReal}},
    {"TAN", "px_tan", kScalar, kFixed, kDoubleType, {kOneReal}},
    {"PI", "px_pi", kScalar, kFixed, kDoubleType, {}},
    {"RAND", "px_rand", kScalar, kFixed, kDoubleType, {OptionalConstant(kBigint)}},
    {"ROUND", "round", kScalar, kRounded, kNoType, kRoundedArguments, kLabelsAll},
    {"FLOOR", "floor", kScalar, kRounded, kNoType, kRoundedArguments, kLabelsAll},
    {"TRUNC", "floor", kScalar, kRounded, kNoType, kRoundedArguments, kLabelsAll},
    {"CEIL", "ceil", kScalar, kRounded, kNoType, kRoundedArguments, kLabelsAll},

    {"TO_NUMBER",
     "px_to_number",
     kScalar,
     kFixed,
     kDecimalType,
     {ArgumentRow{.kind = kTextOrMoment}, OptionalConstant(kText)}},
    {"TO_CHAR",
     "px_number_text",
     kScalar,
     kFixed,
     kVarcharType,
     {ArgumentRow{.kind = kMomentOrNumber}, OptionalConstant(kText)}},
    {"TO_DATE", "px_to_date", kScalar, kFixed, TypeId::kDate, kTextAndPattern, kLabelsAll},
    {"TO_TIME", "px_to_date", kScalar, kFixed, TypeId::kTime, kTextAndPattern, kLabelsAll},
    {"TO_TIMESTAMP", "px_to_timestamp", kScalar, kFixed, TypeId::kTimestamp, kTextAndPattern, kLabelsAll},
    {"CURRENT_DATE", "px_now", kScalar, kFixed, TypeId::kDate, {}},
    {"CURRENT_TIME", "px_now", kScalar, kFixed, TypeId::kTime, {}},
    {"NOW", "px_now", kScalar, kFixed, TypeId::kDate, {}},
    {"YEAR", "px_year", kScalar, kFixed, kIntegerType, {kOneMoment}},
    {"MONTH", "px_month", kScalar, kFixed, kIntegerType, {kOneMoment}},
    {"WEEK", "px_week", kScalar, kFixed, kIntegerType, {kOneMoment}},
    {"DAYOFMONTH", "px_day", kScalar, kFixed, kIntegerType, {kOneMoment}},
    {"DAYOFWEEK", "px_day_of_week", kScalar, kFixed, kIntegerType, {kOneMoment}},
    {"DAYOFYEAR", "px_day_of_year", kScalar, kFixed, kIntegerType, {kOneMoment}},
    {"HOUR", "px_hour", kScalar, kFixed, kIntegerType, {kOneMoment}},
    {"MINUTE", "px_minute", kScalar, kFixed, kIntegerType, {kOneMoment}},
    {"SECOND", "px_second", kScalar, kFixed, kIntegerType, {kOneMoment}},
    {"CONVERT_TZ", "px_convert_tz", kScalar, kFixed, TypeId::kDate, {kOneMoment, kOneText, kOneText}},
    {"TIMEZONE_OFFSET", "px_timezone_offset", kScalar, kFixed, kIntegerType, {kOneText, ArgumentRow{.kind = kDate}}},

    {"MD5", "px_md5", kScalar, kFixed, TypeId::kBinary, {kOneAny}, !kLabelsAll, kTyped},
    {"INVERT", "", kScalar, kFirst, kNoType, {kOneAny}},
    {"OCTET_LENGTH", "px_octet_length", kScalar, kFixed, kIntegerType, {kOneBytes}},
    {"GET_BYTE", "px_get_byte", kScalar, kFixed, kIntegerType, {kOneBytes, kOneInteger}},
    {"GET_BIT", "px_get_bit", kScalar, kFixed, kIntegerType, {kOneBytes, kOneInteger}},
    {"SET_BYTE", "px_set_byte", kScalar, kFirst, kNoType, {kOneBytes, kOneInteger, kOneInteger}},
    {"SET_BIT", "px_set_bit", kScalar, kFirst, kNoType, {kOneBytes, kOneInteger, kOneInteger}},
    {"ENCODE", "px_encode", kScalar, kFixed, kVarcharType, {ArgumentRow{.kind = kBigint}, {.kind = kFormat}}},
    {"DECODE", "px_decode", kScalar, kFixed, TypeId::kVarbinary, {kOneText, ArgumentRow{.kind = kFormat}}},

    {"ARRAY_LENGTH", "px_array_length", kScalar, kFixed, kIntegerType, {kOneArray}, !kLabelsAll, kTyped},
    {"ARRAY_ELEM", "px_array_elem", kScalar, kElementOf, kNoType, {kOneArray, kOneInteger}, !kLabelsAll, kTyped},
    {"ARRAY_APPEND", "px_array_append", kScalar, kSameArray, kNoType, {kOneArray, kOneElement}, !kLabelsAll, kTyped},
    {"ARRAY_PREPEND", "px_array_prepend", kScalar, kSameArray, kNoType, {kOneElement, kOneArray}, !kLabelsAll, kTyped},
    {"ARRAY_CAT", "px_array_cat", kScalar, kSameArray, kNoType, {kOneArray, kOneArray}, !kLabelsAll, kTyped},
    {"ARRAY_REMOVE", "px_array_remove", kScalar, kSameArray, kNoType, {kOneArray, kOneElement}, !kLabelsAll, kTyped},
    {"ARRAY_FILL", "px_array_fill", kScalar, kArrayOf, kNoType, {kOneAny, kOneInteger}, !kLabelsAll, kTyped},
    {"ARRAY_TO_STRING",
     "px_array_to_string",
     kScalar,
     kFixed,
     kVarcharType,
     {kOneArray, kOneText, Optional(kText)},
     kLabelsAll,
     kTyped},
    {"STRING_TO_ARRAY", "px_string_to_array", kScalar, kArrayOf, kVarcharType, kTwoTextsOrThree, kLabelsAll},

    {"ROWKEY_BYTES_STRING", "px_row_key_text", kScalar, kFixed, kVarcharType, {}},
    {"PHOENIX_ROW_TIMESTAMP", "", kScalar, kFixed, TypeId::kDate, {}},
    {"SQLTYPENAME", "px_sql_type_name", kScalar, kFixed, kVarcharType, {kOneInteger}},
    {"EXTERNALSQLTYPEID", "px_external_type", kScalar, kFixed, kIntegerType, {kOneInteger}},
    {"SQLTABLETYPE", "px_table_type", kScalar, kFixed, kVarcharType, {kOneText}},
    {"SQLINDEXTYPE", "px_index_type", kScalar, kFixed, kVarcharType, {ArgumentRow{.kind = kSmall}}},
    {"SQLVIEWTYPE", "px_view_type", kScalar, kFixed, kVarcharType, {ArgumentRow{.kind = kSmall}}},
    {"INDEXSTATENAME", "px_index_state", kScalar, kFixed, kVarcharType, {kOneText}},
};

// Returns Phoenix's PDataType.isCoercibleTo: whether all values of `from` are values of `to`.
bool IsWholeIn(const SqlType& from, TypeId to) {
  if (from.array) return false;
  const ValueKind kind = from.kind();
  switch (to) {
    case TypeId::kVarchar:
      return kind == ValueKind::kText;
    case TypeId::kDecimal:
      return IsNumber(kind);
    case TypeId::kDouble:
      return kind == ValueKind::kInteger || kind == ValueKind::kReal;
    case TypeId::kBigint:
      return kind == ValueKind::kInteger;
    case TypeId::kInteger:
    case TypeId::kUnsignedTinyint:
      return kind == ValueKind::kInteger && RowOf(from.id).min >= RowOf(to).min && RowOf(from.id).max <= RowOf(to).max;
    case TypeId::kBoolean:
      return kind == ValueKind::kBoolean;
    case TypeId::kDate:
      return kind == ValueKind::kMillis;
    case TypeId::kTimestamp:
      return kind == ValueKind::kMillis || kind == ValueKind::kTimestamp;
    default:
      return from.id == to;
  }
}

struct KindRow {
  ArgumentKind kind;
  std::array<TypeId, 2> types;
  std::array<std::string_view, 2> names;
  size_t count;
};

constexpr KindRow kKinds[] = {
    {kText, {TypeId::kVarchar}, {"VARCHAR"}, 1},
    {kNumber, {TypeId::kDecimal}, {"DECIMAL"}, 1},
    {kReal, {TypeId::kDouble, TypeId::kDecimal}, {"DOUBLE", "DECIMAL"}, 2},
    {kBigint, {TypeId::kBigint}, {"BIGINT"}, 1},
    {kInteger, {TypeId::kInteger}, {"INTEGER"}, 1},
    {kSmall, {TypeId::kUnsignedTinyint}, {"UNSIGNED_TINYINT"}, 1},
    {kBoolean, {TypeId::kBoolean}, {"BOOLEAN"}, 1},
    {kDate, {TypeId::kDate}, {"DATE"}, 1},
    {kMoment, {TypeId::kTimestamp}, {"TIMESTAMP"}, 1},
    {kMomentOrNumber, {TypeId::kTimestamp, TypeId::kDecimal}, {"TIMESTAMP", "DECIMAL"}, 2},
    {kTextOrMoment, {TypeId::kVarchar, TypeId::kTimestamp}, {"VARCHAR", "TIMESTAMP"}, 2},
    {kUnit, {TypeId::kVarchar, TypeId::kInteger}, {"VARCHAR", "INTEGER"}, 2},
    {kBytes, {TypeId::kBinary, TypeId::kVarbinary}, {"BINARY", "VARBINARY"}, 2},
    {kArray, {}, {"BINARY ARRAY", "VARBINARY ARRAY"}, 2},
    {kElement, {}, {"VARBINARY"}, 1},
    {kFormat, {}, {}, 0},
    {kAny, {}, {}, 0},
};

const KindRow& KindOf(ArgumentKind kind) {
  const auto* row = std::ranges::find(kKinds, kind, &KindRow::kind);
  return row == std::end(kKinds) ? kKinds[std::size(kKinds) - 1] : *row;
}

constexpr int64_t kCodeOfArray = 256;
constexpr int64_t kCodeOfLength = 512;

}  // namespace

const FunctionRow* FindFunction(std::string_view name) {
  for (const FunctionRow& row : kFunctions)
    if (row.name == name) return &row;
  return nullptr;
}

std::span<const FunctionRow> AllFunctions() { return kFunctions; }

std::span<const std::string_view> TypeNamesOf(ArgumentKind kind) {
  const KindRow& row = KindOf(kind);
  return {row.names.data(), row.count};
}

bool Accepts(ArgumentKind kind, const SqlType& type) {
  if (type.is_null()) return true;
  if (kind == kArray) return type.array;
  if (kind == kElement) return !type.array;
  const KindRow& row = KindOf(kind);
  if (row.count == 0) return true;
  return std::ranges::any_of(row.types, [&](TypeId to) { return to != TypeId::kNull && IsWholeIn(type, to); });
}

int64_t TypeCode(const SqlType& type) {
  return static_cast<int64_t>(type.id) + (type.array ? kCodeOfArray : 0) + type.length.value_or(0) * kCodeOfLength;
}

SqlType TypeOfCode(int64_t code) {
  SqlType type(static_cast<TypeId>(code % kCodeOfArray));
  type.array = code % kCodeOfLength >= kCodeOfArray;
  if (code >= kCodeOfLength) type.length = static_cast<int32_t>(code / kCodeOfLength);
  return type;
}

}  // namespace vaquita::sql
