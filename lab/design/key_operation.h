// lab/design/key_operation.h: the operations of the key design language: names, arguments, results. docs/lab.md shows
// each one.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "lab/design/key_compiler.h"
#include "lab/design/key_program.h"

namespace vaquita::lab {

// The kind of an argument. Constants are known when the design is parsed, and become part of the operation.
enum class KeyParameter {
  kNumber,     // text is parsed as digits
  kTime,       // text is parsed as ISO 8601 or milliseconds
  kText,       // a number gives its digits
  kBytes,      // as it would stand in a key
  kCount,      // constant above 0 -> number
  kBuckets,    // constant 1 to 256 -> number
  kDuration,   // constant above 0, in milliseconds -> number
  kWidth,      // constant 1 to 32,767 -> a
  kWhich,      // constant above 0 -> b
  kCharacter,  // constant text of one byte -> number
  kPattern,    // for a time; constant -> a
  kZone,       // after a pattern; constant
  kTable,      // a lookup table's name -> a
  kDefault,    // result of a lookup that does not find its key
};

// The rule for the result's type.
enum class KeyResult {
  kNumber,
  kTime,
  kByte,
  kInt16,
  kInt32,
  kInt64,
  kText,
  kBytes,
  kSame,     // the first argument's
  kByTable,  // a number if all of the table's values are numbers, else text
};

struct KeyOperation {
  std::string_view name;
  std::string_view usage;
  std::vector<KeyParameter> parameters;
  size_t required = 0;  // number of required parameters, which come first
  KeyResult result = KeyResult::kText;
  std::vector<KeyOp> ops;  // applied after the arguments; constants are filled into the first
  std::string_view meaning;
};

// Returns all operations, in the order of docs/lab.md.
const std::vector<KeyOperation>& KeyOperations();
const KeyOperation* FindKeyOperation(std::string_view name);

}  // namespace vaquita::lab
