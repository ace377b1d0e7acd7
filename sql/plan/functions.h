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

// Says how a function's result gets its type.
enum class ResultRule {
  kFixed,   // `result`
  kFirst,   // the type of the first argument
  kCommon,  // the type to which all arguments can be converted
  kSum,     // BIGINT of whole numbers, else as the first argument
  kAverage,
  kElement,  // for an array
};

struct FunctionRow {
  std::string_view name;
  std::string_view engine_name;  // its name in sql/engine/
  bool aggregate;
  int least_arguments;
  int most_arguments;
  ResultRule rule;
  TypeId result;
  TypeId argument;  // the type of parameters, and the kind of the first argument; kNull: any
};

// Returns null if no function has that name.
const FunctionRow* FindFunction(std::string_view name);
std::span<const FunctionRow> AllFunctions();

}  // namespace vaquita::sql
