// sql/plan/functions.h: the built-in functions of Phoenix's SQL that Vaquita has.
//
// Threads: functions of constants. Source: org.apache.phoenix.expression.function (5.2).
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sql/encoding/sql_type.h"

namespace vaquita::sql {

// How a function's type follows.
enum class ResultRule {
  kFixed,   // `result`
  kFirst,   // that of the first argument
  kCommon,  // that to which all arguments can be brought
  kSum,     // BIGINT of whole numbers, else as the first argument
  kAverage,
  kElement,  // for an array
};

struct FunctionRow {
  std::string_view name;
  std::string_view engine_name;  // under which sql/engine/ has it
  bool aggregate;
  int least_arguments;
  int most_arguments;
  ResultRule rule;
  TypeId result;
  TypeId argument;  // that of parameters, and the kind that the first argument must have; kNull: any
};

// Returns null if there is none of that name.
const FunctionRow* FindFunction(std::string_view name);
std::span<const FunctionRow> AllFunctions();

}  // namespace vaquita::sql
