#include "sql/plan/functions.h"

namespace vaquita::sql {
namespace {

constexpr TypeId kText = TypeId::kVarchar;
constexpr TypeId kInt = TypeId::kInteger;
constexpr TypeId kAny = TypeId::kNull;

constexpr FunctionRow kFunctions[] = {
    {"COUNT", "count", true, 0, 1, ResultRule::kFixed, TypeId::kBigint, kAny},
    {"SUM", "px_sum", true, 1, 1, ResultRule::kSum, kAny, TypeId::kDecimal},
    {"AVG", "px_avg", true, 1, 1, ResultRule::kAverage, TypeId::kDecimal, TypeId::kDecimal},
    {"MIN", "min", true, 1, 1, ResultRule::kFirst, kAny, kAny},
    {"MAX", "max", true, 1, 1, ResultRule::kFirst, kAny, kAny},
    {"UPPER", "upper", false, 1, 1, ResultRule::kFixed, kText, kText},
    {"LOWER", "lower", false, 1, 1, ResultRule::kFixed, kText, kText},
    {"LENGTH", "length", false, 1, 1, ResultRule::kFixed, kInt, kText},
    {"SUBSTR", "px_substr", false, 2, 3, ResultRule::kFixed, kText, kText},
    {"TRIM", "trim", false, 1, 1, ResultRule::kFixed, kText, kText},
    {"LTRIM", "ltrim", false, 1, 1, ResultRule::kFixed, kText, kText},
    {"RTRIM", "rtrim", false, 1, 1, ResultRule::kFixed, kText, kText},
    {"INSTR", "instr", false, 2, 2, ResultRule::kFixed, kInt, kText},
    {"COALESCE", "coalesce", false, 2, 2, ResultRule::kCommon, kAny, kAny},
    {"ABS", "px_abs", false, 1, 1, ResultRule::kFirst, kAny, TypeId::kDecimal},
    {"SIGN", "px_sign", false, 1, 1, ResultRule::kFixed, kInt, TypeId::kDecimal},
    {"TO_NUMBER", "px_decimal", false, 1, 1, ResultRule::kFixed, TypeId::kDecimal, kText},
    {"TO_CHAR", "px_text", false, 1, 2, ResultRule::kFixed, kText, kAny},
    {"TO_DATE", "px_to_date", false, 1, 2, ResultRule::kFixed, TypeId::kDate, kText},
    {"TO_TIME", "px_to_date", false, 1, 2, ResultRule::kFixed, TypeId::kTime, kText},
    {"TO_TIMESTAMP", "px_to_timestamp", false, 1, 2, ResultRule::kFixed, TypeId::kTimestamp, kText},
    {"CURRENT_DATE", "px_now", false, 0, 0, ResultRule::kFixed, TypeId::kDate, kAny},
    {"CURRENT_TIME", "px_now", false, 0, 0, ResultRule::kFixed, TypeId::kTime, kAny},
    {"NOW", "px_now", false, 0, 0, ResultRule::kFixed, TypeId::kDate, kAny},
    {"YEAR", "px_year", false, 1, 1, ResultRule::kFixed, kInt, TypeId::kDate},
    {"MONTH", "px_month", false, 1, 1, ResultRule::kFixed, kInt, TypeId::kDate},
    {"DAYOFMONTH", "px_day", false, 1, 1, ResultRule::kFixed, kInt, TypeId::kDate},
    {"HOUR", "px_hour", false, 1, 1, ResultRule::kFixed, kInt, TypeId::kDate},
    {"MINUTE", "px_minute", false, 1, 1, ResultRule::kFixed, kInt, TypeId::kDate},
    {"SECOND", "px_second", false, 1, 1, ResultRule::kFixed, kInt, TypeId::kDate},
};

}  // namespace

const FunctionRow* FindFunction(std::string_view name) {
  for (const FunctionRow& row : kFunctions)
    if (row.name == name) return &row;
  return nullptr;
}

std::span<const FunctionRow> AllFunctions() { return kFunctions; }

}  // namespace vaquita::sql
