// tools/shell/ruby_arguments.h: arguments of Ruby's methods, and the errors for wrong ones. For the other ruby_*.cc
// alone.
//
// Threads: any.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "tools/shell/ruby_methods.h"
#include "tools/shell/value.h"

namespace vaquita::shell {

// The result of a method; nullopt if there is no such method.
using Answer = absl::StatusOr<std::optional<Value>>;

// Returns an argument; nil if it was not given.
const Value& At(const Arguments& arguments, size_t i);

bool IsNumber(const Value& value);
// Returns a number as a double, 0 for other values.
double AsDouble(const Value& value);
// Returns a whole number as an integer. RangeError if it has more than 64 bits, FloatDomainError if it is none.
absl::StatusOr<int64_t> IntegerOf(double whole);
// Returns an argument that counts something, where a number beyond 64 bits means as much as the last within;
// `otherwise` if it is no number.
int64_t IntegerOr(const Value& value, int64_t otherwise);
// Returns the number's digits in a base of 2 to 36.
std::string InBase(int64_t number, int64_t base);

// Returns the ArgumentError of a wrong number of arguments.
absl::Status WrongArguments(size_t given, std::string_view expected);
// Returns the NoMethodError of a value that has no such method.
absl::Status UndefinedMethod(std::string_view name, const Value& receiver);
// Returns the TypeError of a value that is no `type`.
absl::Status NotOf(const Value& value, std::string_view type);
// The number has more than 64 bits.
absl::Status TooLarge();
// An array would have more than kMostParts.
absl::Status TooManyElements();

// Where a slice lies in something of `size` elements.
struct Slice {
  size_t from = 0;
  size_t count = 0;
  bool one = false;  // an element, not a part
};
// Returns the TypeError of an index that is neither a number nor a range.
absl::Status CheckIndex(const Arguments& arguments);
// Takes an index, an index and a length, or a range. Returns nullopt if that lies outside.
std::optional<Slice> SliceOf(const Arguments& arguments, size_t size);

}  // namespace vaquita::shell
