// lab/records/expression.h: the syntax that key designs and generated fields share.
//
// clang-format off
//   joined     := difference ('+' difference)*      + joins, so it binds least: 'a' + MAX_LONG - ts is 'a' + (MAX_LONG - ts)
//   difference := product ('-' product)*
//   product    := signed (('*' | '/' | '%') signed)*
//   signed     := '-' signed | operand
//   operand    := number | decimal | duration | date | text | name | name '(' argument, ... ')' | '(' joined ')'
//   argument   := joined [':' number]               the number is a weight, as in choice('web1':3, 'web2')
//   number     := 123 | 0x1F; decimal := 0.99; duration := 500ms, 10s, 5m, 1h, 1d, 2w (a number of milliseconds)
//   date       := 2026-01-31 [T10:30[:15[.250]]] (UTC)
//   text       := '...' or "...", with \\, \', \", \n, \t and \xNN
//   name       := letters, digits, _ and . ; any other name in backquotes: `start time`
// clang-format on
//
// This file knows no operations and no types: see lab/design/key_compiler.h and lab/records/record_generator.h.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace vaquita::lab {

struct Expression {
  enum class Kind { kNumber, kDecimal, kTime, kText, kName, kCall, kJoin, kSubtract, kMultiply, kDivide, kRemainder };

  Kind kind = Kind::kNumber;
  int64_t number = 0;                 // kNumber; kTime: milliseconds since 1970
  double decimal = 0;                 // kDecimal
  std::string text;                   // kText: the bytes; kName and kCall: the name
  std::vector<Expression> arguments;  // kCall; the operators' operands: two, and for kJoin two or more
  std::optional<int64_t> weight;      // for an argument
  size_t begin = 0;                   // its place in the parsed text
  size_t end = 0;

  std::string_view Source(std::string_view parsed) const { return parsed.substr(begin, end - begin); }

  // Returns what this expression joins: the operands of its +, or itself alone.
  std::span<const Expression> Joined() const { return kind == Kind::kJoin ? arguments : std::span(this, 1); }
};

absl::StatusOr<Expression> ParseExpression(std::string_view text);

// A list of "name = expression", separated by commas; the name is in `name`, its place in `name_begin`.
struct NamedExpression {
  std::string name;
  size_t name_begin = 0;
  Expression expression;
};
absl::StatusOr<std::vector<NamedExpression>> ParseNamedExpressions(std::string_view text);

// Returns the name as an expression has it: in backquotes, unless it is of letters, digits, _ and '.'. Returns
// InvalidArgument if it has a backquote, so that no expression can have it.
absl::StatusOr<std::string> NameSource(std::string_view name);

// Returns InvalidArgument with `message`, `text` on a line of its own, and a caret below its byte `place`.
absl::Status ExpressionError(std::string_view message, std::string_view text, size_t place);

}  // namespace vaquita::lab
