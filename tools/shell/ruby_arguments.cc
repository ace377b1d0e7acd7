#include "tools/shell/ruby_arguments.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "base/absl_text.h"
#include "base/saturated.h"

namespace vaquita::shell {

const Value& At(const Arguments& arguments, size_t i) {
  static const Value kNil;
  return i < arguments.size() ? arguments[i] : kNil;
}

bool IsNumber(const Value& value) { return value.AsInteger() != nullptr || std::holds_alternative<double>(value.kind); }
double AsDouble(const Value& value) {
  if (const int64_t* integer = value.AsInteger()) return static_cast<double>(*integer);
  const double* number = std::get_if<double>(&value.kind);
  return number == nullptr ? 0 : *number;
}
absl::Status TooLarge() { return RubyError("RangeError", "the number does not fit into 64 bits"); }
absl::Status TooManyElements() { return RubyError("RangeError", "an array has at most a million elements here"); }

// 2^63 is the first number that does not fit, and a double has it exactly.
absl::StatusOr<int64_t> IntegerOf(double whole) {
  if (std::isnan(whole) || std::isinf(whole)) return RubyError("FloatDomainError", Value(whole).Inspect());
  if (whole < -0x1p63 || whole >= 0x1p63) return TooLarge();
  return static_cast<int64_t>(whole);
}
int64_t IntegerOr(const Value& value, int64_t otherwise) {
  if (const int64_t* integer = value.AsInteger()) return *integer;
  if (!std::holds_alternative<double>(value.kind) || std::isnan(AsDouble(value))) return otherwise;
  return SaturatedInteger(AsDouble(value));
}

absl::Status NotOf(const Value& value, std::string_view type) {
  return RubyError("TypeError",
                   absl::StrCat("no implicit conversion of ", value.IsNil() ? "nil" : AbslText(value.ClassName()),
                                " into ", AbslText(type)));
}

absl::Status WrongArguments(size_t given, std::string_view expected) {
  return RubyError("ArgumentError",
                   absl::StrCat("wrong number of arguments (given ", given, ", expected ", AbslText(expected), ")"));
}

absl::Status UndefinedMethod(std::string_view name, const Value& receiver) {
  return RubyError("NoMethodError", absl::StrCat("undefined method `", AbslText(name), "' for ", receiver.Inspect(),
                                                 ":", AbslText(receiver.ClassName())));
}

std::string InBase(int64_t number, int64_t base) {
  char text[80];
  const auto end = std::to_chars(text, text + sizeof text, number, static_cast<int>(base)).ptr;
  return {text, end};
}

absl::Status CheckIndex(const Arguments& arguments) {
  const Value& index = At(arguments, 0);
  return IsNumber(index) || std::holds_alternative<Range>(index.kind) ? absl::OkStatus() : NotOf(index, "Integer");
}

std::optional<Slice> SliceOf(const Arguments& arguments, size_t size) {
  const auto n = static_cast<int64_t>(size);
  int64_t from = 0;
  int64_t count = 1;
  const Range* range = std::get_if<Range>(&At(arguments, 0).kind);
  if (range != nullptr) {
    from = range->first < 0 ? range->first + n : range->first;
    if (from < 0 || from > n) return std::nullopt;
    const int64_t last = std::min(range->last < 0 ? range->last + n : range->last, n);
    count = from > last ? 0 : last - from + (range->exclusive ? 0 : 1);
  } else if (IsNumber(At(arguments, 0))) {
    from = IntegerOr(arguments[0], 0);
    if (from < 0) from += n;
    if (arguments.size() > 1) count = IntegerOr(arguments[1], 0);
  } else {
    return std::nullopt;
  }
  const bool one = range == nullptr && arguments.size() < 2;
  if (from < 0 || from > n || count < 0 || (one && from == n)) return std::nullopt;
  return Slice{static_cast<size_t>(from), static_cast<size_t>(std::min(count, n - from)), one};
}

}  // namespace vaquita::shell
