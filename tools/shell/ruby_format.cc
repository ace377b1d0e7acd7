// The text of sprintf. Source: Ruby 2.6's Kernel#format.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "tools/shell/ruby_arguments.h"
#include "tools/shell/ruby_methods.h"
#include "tools/shell/ruby_numbers.h"
#include "tools/shell/ruby_text.h"

namespace vaquita::shell {
namespace {

constexpr int64_t kWidestField = 100'000;

// A field of the format: %[flags][width][.precision]kind.
struct FormatField {
  bool left = false;
  bool zeros = false;
  bool plus = false;
  bool space = false;
  bool alternative = false;
  int64_t width = 0;
  std::optional<int64_t> precision;
  char kind = '\0';
};

absl::Status IncompleteField() {
  return RubyError("ArgumentError", "incomplete format specifier; use %% (double %) instead");
}

absl::StatusOr<int64_t> FieldDigits(std::string_view format, size_t* at) {
  int64_t number = 0;
  for (; *at < format.size() && format[*at] >= '0' && format[*at] <= '9'; ++*at) {
    number = number * 10 + (format[*at] - '0');
    if (number > kWidestField) return RubyError("ArgumentError", "a width of the format is too large");
  }
  return number;
}

// Reads the field behind the % before `*at`, which is then behind the field.
absl::StatusOr<FormatField> ReadField(std::string_view format, size_t* at) {
  FormatField field;
  for (; *at < format.size(); ++*at) {
    const char c = format[*at];
    field.left |= c == '-';
    field.zeros |= c == '0';
    field.plus |= c == '+';
    field.space |= c == ' ';
    field.alternative |= c == '#';
    if (std::string_view("-0+ #").find(c) == std::string_view::npos) break;
  }
  VAQUITA_ASSIGN_OR_RETURN(field.width, FieldDigits(format, at));
  if (*at < format.size() && format[*at] == '.') {
    ++*at;
    VAQUITA_ASSIGN_OR_RETURN(field.precision, FieldDigits(format, at));
  }
  if (*at == format.size()) return IncompleteField();
  field.kind = format[(*at)++];
  if (std::string_view("%spdiuxXobBfeEgGaA").find(field.kind) == std::string_view::npos) {
    return RubyError("ArgumentError", absl::StrCat("malformed format string - %", std::string(1, field.kind)));
  }
  return field;
}

std::string InField(const FormatField& field, const std::string& text) {
  return PaddedText(text, field.left ? "ljust" : "rjust", field.width);
}

// A negative number without a sign is that of endless digits: ..f for -1.
std::string FormattedInteger(const FormatField& field, int64_t number) {
  const int base = field.kind == 'o'                        ? 8
                   : field.kind == 'b' || field.kind == 'B' ? 2
                   : field.kind == 'x' || field.kind == 'X' ? 16
                                                            : 10;
  const bool endless = number < 0 && base != 10 && !field.plus && !field.space;
  const char last_digit = base == 16 ? 'f' : static_cast<char>('0' + base - 1);
  std::string digits;
  if (endless) {
    for (__int128 rest = number; rest != -1; rest >>= base == 16 ? 4 : base == 8 ? 3 : 1) {
      digits.insert(0, 1, "0123456789abcdef"[static_cast<int>(rest & (base - 1))]);
    }
    if (digits.empty() || digits[0] != last_digit) digits.insert(0, 1, last_digit);
  } else {
    digits = InBase(number, base);
    if (number < 0) digits.erase(0, 1);
  }
  std::string before = number < 0 && !endless ? "-" : field.plus ? "+" : field.space ? " " : "";
  if (field.alternative && number != 0 && base != 10) {
    before += base == 8 ? (endless ? "" : "0") : absl::StrCat("0", std::string(1, field.kind));
  }
  const bool fills = field.precision || (field.zeros && !field.left);
  const int64_t wanted = field.precision.value_or(field.width - static_cast<int64_t>(before.size()));
  if (fills) digits = PaddedText(digits, "rjust", wanted, endless ? std::string(1, last_digit) : "0");
  if (endless && !fills) before += "..";
  if (field.kind == 'X') {
    std::transform(digits.begin(), digits.end(), digits.begin(), [](char c) { return c >= 'a' ? c - 'a' + 'A' : c; });
  }
  return InField(field, before + digits);
}

std::string FormattedReal(const FormatField& field, double number) {
  if (std::isnan(number) || std::isinf(number)) {
    const char* const sign = number < 0 ? "-" : field.plus ? "+" : field.space ? " " : "";
    return InField(field, absl::StrCat(sign, std::isnan(number) ? "NaN" : "Inf"));
  }
  const std::string spec =
      absl::StrCat("%", field.left ? "-" : "", field.zeros ? "0" : "", field.plus ? "+" : "", field.space ? " " : "",
                   field.alternative ? "#" : "", field.width > 0 ? std::to_string(field.width) : "",
                   field.precision ? absl::StrCat(".", *field.precision) : "", std::string(1, field.kind));
  std::string text(static_cast<size_t>(std::snprintf(nullptr, 0, spec.c_str(), number)), '\0');
  std::snprintf(text.data(), text.size() + 1, spec.c_str(), number);
  return text;
}

absl::StatusOr<std::string> FormattedField(const FormatField& field, const Value& value) {
  if (field.kind == 's' || field.kind == 'p') {
    std::string shown = field.kind == 's' ? value.ToText() : value.Inspect();
    if (field.precision) shown = FirstCharacters(shown, static_cast<size_t>(*field.precision));
    return InField(field, shown);
  }
  if (std::string_view("diuxXobB").find(field.kind) != std::string_view::npos) {
    VAQUITA_ASSIGN_OR_RETURN(const int64_t number, IntegerOfValue(value));
    return FormattedInteger(field, number);
  }
  VAQUITA_ASSIGN_OR_RETURN(const double number, FloatOfValue(value));
  return FormattedReal(field, number);
}

}  // namespace

absl::StatusOr<std::string> Format(std::string_view format, const Arguments& arguments) {
  std::string out;
  size_t next = 0;
  for (size_t at = 0; at < format.size();) {
    if (out.size() > kMostTextBytes) return TextTooLong();
    const char c = format[at++];
    if (c != '%') {
      out.push_back(c);
      continue;
    }
    VAQUITA_ASSIGN_OR_RETURN(const FormatField field, ReadField(format, &at));
    if (field.kind == '%') {
      out.push_back('%');
      continue;
    }
    if (next >= arguments.size()) return RubyError("ArgumentError", "too few arguments");
    VAQUITA_ASSIGN_OR_RETURN(const std::string text, FormattedField(field, arguments[next++]));
    out += text;
  }
  return out;
}

}  // namespace vaquita::shell
