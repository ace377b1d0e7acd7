// sql/plan/functions.h: the built-in functions of Phoenix's SQL that Vaquita has.
//
// Threads: functions of constants. Source: org.apache.phoenix.expression.function (5.2).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "sql/encoding/sql_type.h"

namespace vaquita::sql {

// Says how a function's result gets its type.
enum class ResultRule : uint8_t {
  kFixed,      // `result`
  kFirst,      // the type of the first argument
  kSum,        // BIGINT of whole numbers, else as the first argument
  kRounded,    // DECIMAL or a date; a whole number stays what it is
  kPart,       // a text; CHAR if the part of a CHAR has a constant place
  kElementOf,  // an array's element
  kSameArray,  // the array that is among the arguments; if it is NULL, an array of the other argument
  kArrayOf,    // an array of the first argument
  kValue,      // the type of the third argument, which is behind ORDER BY
  kValues,     // an array of that
};

// Says which values an argument may have, and in which form the engine's function gets it.
enum class ArgumentKind : uint8_t {
  kNone,  // there is no such argument
  kAny,
  kText,
  kNumber,
  kReal,
  kBigint,
  kInteger,
  kSmall,
  kBoolean,
  kDate,
  kMoment,  // DATE, TIME, TIMESTAMP, as ms
  kMomentOrNumber,
  kTextOrMoment,
  kUnit,  // a unit of time, or a number of digits
  kBytes,
  kArray,
  kElement,  // fits into the array among the arguments
  kFormat,   // HEX, BASE62, BASE64, ASCII
};

struct ArgumentRow {
  ArgumentKind kind = ArgumentKind::kNone;
  bool optional = false;
  bool constant = false;
  std::string_view otherwise = "";  // what a label has in its place if it is left out
};

struct FunctionRow {
  std::string_view name;
  std::string_view engine_name;  // its name in sql/engine/
  bool aggregate;
  ResultRule rule;
  TypeId result;
  std::array<ArgumentRow, 5> arguments;
  // Arguments that may be left out are in labels, too, as Phoenix has them.
  bool labels_all = false;
  // The engine's function gets the type of the first argument, or of the array, as a last argument.
  bool typed = false;
};

// Returns null if no function has that name.
const FunctionRow* FindFunction(std::string_view name);
std::span<const FunctionRow> AllFunctions();

// Returns the types that Phoenix's errors name for the argument. None: any.
std::span<const std::string_view> TypeNamesOf(ArgumentKind kind);
// Returns whether the argument may have the type.
bool Accepts(ArgumentKind kind, const SqlType& type);

// A type as one number, for the engine's functions.
int64_t TypeCode(const SqlType& type);
SqlType TypeOfCode(int64_t code);

}  // namespace vaquita::sql
