// tools/shell/ruby_numbers.h: reads, compares and rounds Ruby's numbers.
//
// Threads: any. Source: Ruby 2.6's Integer, Float, String#to_i, String#to_f and Kernel#Integer, Kernel#Float.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "absl/status/statusor.h"
#include "tools/shell/ruby_methods.h"
#include "tools/shell/value.h"

namespace vaquita::shell {

// Returns the number that the text begins with, as to_i and to_f read it; 0 if it begins with none.
absl::StatusOr<int64_t> LeadingInteger(std::string_view text, int64_t base);
double LeadingFloat(std::string_view text);
// Returns the number that the whole text is, as Integer() and Float() read it; else ArgumentError. Base 0: as the
// text's prefix says.
absl::StatusOr<int64_t> WholeInteger(std::string_view text, int64_t base = 0);
absl::StatusOr<double> WholeFloat(std::string_view text);
// Return Ruby's Integer(arguments) and Float(arguments): nil after `exception: false` if there is no such number.
absl::StatusOr<Value> ToInteger(const Arguments& arguments);
absl::StatusOr<Value> ToFloat(const Arguments& arguments);
// Return the number that sprintf prints of a value: an error if it is none, whatever the value holds.
absl::StatusOr<int64_t> IntegerOfValue(const Value& value);
absl::StatusOr<double> FloatOfValue(const Value& value);

// Compares two numbers exactly, also an integer with a float. Returns nullopt if one is not a number. REQUIRES: both
// are of Ruby's numbers.
std::optional<int> CompareNumbers(const Value& a, const Value& b);

// Returns number.method(digits); `method` is truncate, floor, ceil or round.
absl::StatusOr<Value> RoundedBy(const Value& number, std::string_view method, int64_t digits);

}  // namespace vaquita::shell
