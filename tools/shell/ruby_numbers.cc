#include "tools/shell/ruby_numbers.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "base/absl_text.h"
#include "base/status.h"
#include "tools/shell/ruby_arguments.h"

namespace vaquita::shell {
namespace {

bool IsSpaceAt(std::string_view text, size_t at) {
  return at < text.size() && absl::ascii_isspace(static_cast<unsigned char>(text[at]));
}

int DigitOf(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const char lower = absl::ascii_tolower(static_cast<unsigned char>(c));
  return lower >= 'a' && lower <= 'z' ? lower - 'a' + 10 : 99;
}

// A number at the beginning of a text.
struct ScannedNumber {
  std::string digits;  // as from_chars and strtod take them; empty: none
  int base = 10;
  bool is_whole = false;  // nothing but space follows
};

// Appends the digits from `*at` on, without the '_' between two of them.
void ScanDigits(std::string_view text, int base, size_t* at, std::string* digits) {
  const auto is_digit = [&](size_t i) { return i < text.size() && DigitOf(text[i]) < base; };
  while (is_digit(*at) ||
         (!digits->empty() && *at < text.size() && text[*at] == '_' && is_digit(*at - 1) && is_digit(*at + 1))) {
    if (text[*at] != '_') digits->push_back(text[*at]);
    ++*at;
  }
}

void ScanSign(std::string_view text, size_t* at, std::string* digits) {
  while (IsSpaceAt(text, *at)) ++*at;
  if (*at < text.size() && (text[*at] == '-' || text[*at] == '+')) {
    if (text[*at] == '-') digits->push_back('-');
    ++*at;
  }
}

bool IsEndOfNumber(std::string_view text, size_t at) {
  while (IsSpaceAt(text, at)) ++at;
  return at == text.size();
}

// Returns the base of a prefix such as 0x at `at`; 0 if there is none.
int BaseOfPrefix(std::string_view text, size_t at) {
  if (at + 2 >= text.size() || text[at] != '0') return 0;
  const char letter = absl::ascii_tolower(static_cast<unsigned char>(text[at + 1]));
  const int base = letter == 'x' ? 16 : letter == 'b' ? 2 : letter == 'o' ? 8 : letter == 'd' ? 10 : 0;
  return base != 0 && DigitOf(text[at + 2]) < base ? base : 0;
}

ScannedNumber ScanInteger(std::string_view text, int base) {
  ScannedNumber number;
  size_t at = 0;
  std::string sign;
  ScanSign(text, &at, &sign);
  const int prefixed = BaseOfPrefix(text, at);
  number.base = base == 0 ? 10 : base;
  if (prefixed != 0 && (base == 0 || base == prefixed)) {
    number.base = prefixed;
    at += 2;
  } else if (base == 0 && at + 1 < text.size() && text[at] == '0' && !IsSpaceAt(text, at + 1)) {
    number.base = 8;
  }
  ScanDigits(text, number.base, &at, &number.digits);
  number.is_whole = !number.digits.empty() && IsEndOfNumber(text, at);
  if (!number.digits.empty()) number.digits.insert(0, sign);
  return number;
}

ScannedNumber ScanFloat(std::string_view text) {
  ScannedNumber number;
  size_t at = 0;
  std::string sign;
  ScanSign(text, &at, &sign);
  ScanDigits(text, 10, &at, &number.digits);
  const auto is_digit = [&](size_t i) { return i < text.size() && DigitOf(text[i]) < 10; };
  if (at < text.size() && text[at] == '.' && is_digit(at + 1)) {
    number.digits.push_back('.');
    ScanDigits(text, 10, &++at, &number.digits);
  }
  if (!number.digits.empty() && at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    const bool has_sign = at + 1 < text.size() && (text[at + 1] == '-' || text[at + 1] == '+');
    if (is_digit(at + (has_sign ? 2 : 1))) {
      number.digits.append(text.substr(at, has_sign ? 2 : 1));
      at += has_sign ? 2 : 1;
      ScanDigits(text, 10, &at, &number.digits);
    }
  }
  number.is_whole = !number.digits.empty() && IsEndOfNumber(text, at);
  if (!number.digits.empty()) number.digits.insert(0, sign);
  return number;
}

absl::StatusOr<int64_t> IntegerIn(const ScannedNumber& number) {
  if (number.digits.empty()) return 0;
  int64_t integer = 0;
  const char* const end = number.digits.data() + number.digits.size();
  const auto read = std::from_chars(number.digits.data(), end, integer, number.base);
  if (read.ec == std::errc::result_out_of_range) return TooLarge();
  return integer;
}

absl::Status InvalidFor(std::string_view what, std::string_view text) {
  return RubyError("ArgumentError",
                   absl::StrCat("invalid value for ", AbslText(what), "(): ", Value(std::string(text)).Inspect()));
}

absl::Status CannotConvert(const Value& value, std::string_view type) {
  return RubyError("TypeError", absl::StrCat("can't convert ", value.IsNil() ? "nil" : AbslText(value.ClassName()),
                                             " into ", AbslText(type)));
}

// Takes `exception: false` off the arguments behind the value. Returns whether it was there.
bool TakeNoException(Arguments* arguments) {
  const Hash* options = arguments->size() < 2 ? nullptr : arguments->back().AsHash();
  if (options == nullptr || options->size() != 1 || (*options)[0].key != Value(Symbol{"exception"})) return false;
  const bool none = !(*options)[0].value.IsTruthy();
  arguments->pop_back();
  return none;
}

absl::Status CheckCount(const Arguments& arguments, size_t most) {
  if (!arguments.empty() && arguments.size() <= most) return absl::OkStatus();
  return WrongArguments(arguments.size(), most > 1 ? "1..2" : "1");
}

absl::StatusOr<Value> IntegerOfArguments(const Arguments& arguments) {
  VAQUITA_RETURN_IF_ERROR(CheckCount(arguments, 2));
  const int64_t base = IntegerOr(At(arguments, 1), 0);
  const std::string* text = arguments[0].AsString();
  if (text == nullptr && base != 0) return RubyError("ArgumentError", "base specified for non string value");
  VAQUITA_ASSIGN_OR_RETURN(const int64_t integer,
                           text != nullptr ? WholeInteger(*text, base) : IntegerOfValue(arguments[0]));
  return Value(integer);
}

absl::StatusOr<Value> FloatOfArguments(const Arguments& arguments) {
  VAQUITA_RETURN_IF_ERROR(CheckCount(arguments, 1));
  VAQUITA_ASSIGN_OR_RETURN(const double number, FloatOfValue(arguments[0]));
  return Value(number);
}

// Rounds to a multiple of 10 to the power of `zeros`. From 20 zeros on no number is half of that power.
absl::StatusOr<Value> RoundedToZeros(int64_t number, std::string_view method, int64_t zeros) {
  __int128 unit = 1;
  for (int64_t i = 0; i < std::min<int64_t>(zeros, 20); ++i) unit *= 10;
  const __int128 whole = number;
  const __int128 rest = ((whole % unit) + unit) % unit;
  const __int128 below = whole - rest;
  const bool is_up = method == "ceil"       ? rest > 0
                     : method == "truncate" ? rest > 0 && number < 0
                     : method == "round"    ? 2 * rest > unit || (2 * rest == unit && number > 0)
                                            : false;
  const __int128 rounded = below + (is_up ? unit : 0);
  const auto result = static_cast<int64_t>(rounded);
  if (result != rounded) return TooLarge();
  return Value(result);
}

double RoundedHow(double number, std::string_view method) {
  return method == "floor"   ? std::floor(number)
         : method == "ceil"  ? std::ceil(number)
         : method == "round" ? std::round(number)
                             : std::trunc(number);
}

// Rounds to a multiple of 1 / unit. A half goes up that the product with the unit does not show: 5.015 * 100 is below
// 501.5, as in Ruby.
double RoundedToDigits(double number, std::string_view method, double unit) {
  double rounded = RoundedHow(number * unit, method);
  if (method == "round" && number > 0 && (rounded + 0.5) / unit <= number) rounded += 1;
  if (method == "round" && number < 0 && (rounded - 0.5) / unit >= number) rounded -= 1;
  return rounded / unit;
}

}  // namespace

absl::StatusOr<int64_t> LeadingInteger(std::string_view text, int64_t base) {
  if (base < 0 || base == 1 || base > 36) return RubyError("ArgumentError", absl::StrCat("invalid radix ", base));
  return IntegerIn(ScanInteger(text, static_cast<int>(base)));
}

double LeadingFloat(std::string_view text) { return std::strtod(ScanFloat(text).digits.c_str(), nullptr); }

absl::StatusOr<int64_t> WholeInteger(std::string_view text, int64_t base) {
  if (base < 0 || base == 1 || base > 36) return RubyError("ArgumentError", absl::StrCat("invalid radix ", base));
  const ScannedNumber number = ScanInteger(text, static_cast<int>(base));
  if (!number.is_whole) return InvalidFor("Integer", text);
  return IntegerIn(number);
}

absl::StatusOr<double> WholeFloat(std::string_view text) {
  const ScannedNumber number = ScanFloat(text);
  if (number.is_whole) return std::strtod(number.digits.c_str(), nullptr);
  const ScannedNumber integer = ScanInteger(text, 0);
  if (!integer.is_whole || integer.base != 16) return InvalidFor("Float", text);
  VAQUITA_ASSIGN_OR_RETURN(const int64_t hexadecimal, IntegerIn(integer));
  return static_cast<double>(hexadecimal);
}

absl::StatusOr<Value> ToInteger(const Arguments& arguments) {
  Arguments given = arguments;
  const bool none = TakeNoException(&given);
  absl::StatusOr<Value> integer = IntegerOfArguments(given);
  return !integer.ok() && none ? Value() : integer;
}

absl::StatusOr<Value> ToFloat(const Arguments& arguments) {
  Arguments given = arguments;
  const bool none = TakeNoException(&given);
  absl::StatusOr<Value> number = FloatOfArguments(given);
  return !number.ok() && none ? Value() : number;
}

absl::StatusOr<int64_t> IntegerOfValue(const Value& value) {
  if (const std::string* text = value.AsString()) return WholeInteger(*text);
  if (const int64_t* integer = value.AsInteger()) return *integer;
  if (!IsNumber(value)) return CannotConvert(value, "Integer");
  return IntegerOf(std::trunc(AsDouble(value)));
}

absl::StatusOr<double> FloatOfValue(const Value& value) {
  if (const std::string* text = value.AsString()) return WholeFloat(*text);
  if (!IsNumber(value)) return CannotConvert(value, "Float");
  return AsDouble(value);
}

std::optional<int> CompareNumbers(const Value& a, const Value& b) {
  const int64_t* left = a.AsInteger();
  const int64_t* right = b.AsInteger();
  if (left != nullptr && right != nullptr) return *left < *right ? -1 : *left > *right ? 1 : 0;
  if (left == nullptr && right != nullptr) {
    const std::optional<int> order = CompareNumbers(b, a);
    return order ? std::optional(-*order) : std::nullopt;
  }
  const double number = AsDouble(b);
  if (std::isnan(number) || std::isnan(AsDouble(a))) return std::nullopt;
  if (left == nullptr) return AsDouble(a) < number ? -1 : AsDouble(a) > number ? 1 : 0;
  // A double has not all integers beyond 2^53, but each double within 64 bits has its integer.
  if (number >= 0x1p63) return -1;
  if (number < -0x1p63) return 1;
  const double whole = std::trunc(number);
  const auto integer = static_cast<int64_t>(whole);
  if (*left != integer) return *left < integer ? -1 : 1;
  return number > whole ? -1 : number < whole ? 1 : 0;
}

absl::StatusOr<Value> RoundedBy(const Value& number, std::string_view method, int64_t digits) {
  if (const int64_t* integer = number.AsInteger()) {
    return digits >= 0 ? absl::StatusOr<Value>(number)
                       : RoundedToZeros(*integer, method, -std::max<int64_t>(digits, -100));
  }
  const double value = AsDouble(number);
  if (digits > 0) {
    // A double has no more than 17 digits that mean something, and at most 324 zeros before them.
    int exponent = 0;
    std::frexp(value, &exponent);
    if (digits >= 17 - (exponent > 0 ? exponent / 4 : exponent / 3 - 1)) return number;
    const double unit = std::pow(10, static_cast<double>(digits));
    if (!std::isfinite(value * unit)) return number;
    return Value(RoundedToDigits(value, method, unit));
  }
  // Zeros are counted in whole numbers: Ruby takes the fraction away first.
  VAQUITA_ASSIGN_OR_RETURN(const int64_t whole,
                           IntegerOf(RoundedHow(value, digits < 0 && method == "round" ? "truncate" : method)));
  return digits == 0 ? absl::StatusOr<Value>(Value(whole)) : RoundedBy(Value(whole), method, digits);
}

}  // namespace vaquita::shell
