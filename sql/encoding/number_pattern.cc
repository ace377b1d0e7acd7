#include "sql/encoding/number_pattern.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "base/status.h"
#include "sql/encoding/sql_error.h"
#include "sql/encoding/text.h"

namespace vaquita::sql {
namespace {

constexpr std::string_view kPerMille = "\u2030";
constexpr std::string_view kCurrency = "\u00A4";

absl::Status Malformed(std::string_view pattern) {
  return SqlError(ErrorCode::kIllegalData, Concat("Malformed pattern \"", pattern, "\""));
}

// Reads a part of a pattern that is no digits: quotes are taken away, and % and the per mille sign set `*shift`.
// Stops before a character of `stop`. Returns nullopt if a quote is not closed.
std::optional<std::string> TakeAffix(std::string_view* rest, std::string_view stop, int* shift) {
  std::string affix;
  bool quoted = false;
  while (!rest->empty()) {
    const char c = rest->front();
    if (c == '\'') {
      const bool doubled = rest->size() > 1 && (*rest)[1] == '\'';
      if (doubled) affix += '\'';
      quoted = doubled ? quoted : !quoted;
      rest->remove_prefix(doubled ? 2 : 1);
      continue;
    }
    if (!quoted && stop.find(c) != std::string_view::npos) return affix;
    if (!quoted && c == '%') *shift = 2;
    if (!quoted && rest->starts_with(kPerMille)) *shift = 3;
    if (!quoted && rest->starts_with(kCurrency)) {
      affix += '$';
      rest->remove_prefix(kCurrency.size());
      continue;
    }
    affix += c;
    rest->remove_prefix(1);
  }
  if (quoted) return std::nullopt;
  return affix;
}

// The digits of a pattern: "#,##0.0##E0".
struct Digits {
  int hashes = 0;  // # before the first 0
  int zeros = 0;
  int hashes_behind = 0;
  int point = -1;  // digits before it
  int group = -1;  // digits since the last comma
  int exponent = 0;
};

std::optional<Digits> TakeDigits(std::string_view* rest) {
  Digits digits;
  for (; !rest->empty(); rest->remove_prefix(1)) {
    const char c = rest->front();
    const bool digit = c == '#' || c == '0';
    if (c == '#' && digits.zeros == 0) {
      ++digits.hashes;
    } else if (c == '#') {
      ++digits.hashes_behind;
    } else if (c == '0') {
      if (digits.hashes_behind > 0) return std::nullopt;
      ++digits.zeros;
    } else if (c == ',') {
      if (digits.point >= 0) return std::nullopt;
      digits.group = 0;
      continue;
    } else if (c == '.') {
      if (digits.point >= 0) return std::nullopt;
      digits.point = digits.hashes + digits.zeros + digits.hashes_behind;
    } else {
      break;
    }
    if (digit && digits.group >= 0 && digits.point < 0) ++digits.group;
  }
  if (rest->starts_with('E')) {
    rest->remove_prefix(1);
    for (; rest->starts_with('0'); rest->remove_prefix(1)) ++digits.exponent;
    if (digits.exponent == 0 || digits.hashes + digits.zeros == 0) return std::nullopt;
  }
  if (digits.group == 0 || (digits.point < 0 && digits.hashes_behind > 0)) return std::nullopt;
  // DecimalFormat has the point among the zeros or at their ends, so it refuses ".#0".
  const int first_zero = digits.hashes, end = digits.hashes + digits.zeros;
  if (digits.zeros > 0 && digits.point >= 0 && (digits.point < first_zero || digits.point > end)) return std::nullopt;
  return digits;
}

bool IsOdd(const Decimal& number, int32_t scale) { return number.scale() == scale && number.unscaled() % 2 != 0; }

void Group(int size, std::string* digits) {
  if (size == 0) return;
  const auto step = static_cast<size_t>(size);
  std::string grouped;
  for (size_t i = 0; i < digits->size(); ++i) {
    if (i > 0 && (digits->size() - i) % step == 0) grouped += ',';
    grouped += (*digits)[i];
  }
  *digits = std::move(grouped);
}

}  // namespace

Decimal FloorOf(const Decimal& number, int32_t scale) {
  const Decimal cut = number.Rounded(scale, /*up=*/false);
  return number < cut ? cut - Decimal(1, scale) : cut;
}

Decimal RoundedHalfEven(const Decimal& number, int32_t scale) {
  const Decimal cut = number.Rounded(scale, /*up=*/false);
  const Decimal rest = number - cut;
  const Decimal twice = rest + rest;
  const Decimal unit(1, scale);
  const bool tie = twice == unit || twice == unit.Negated();
  return tie && !IsOdd(cut, scale) ? cut : number.Rounded(scale);
}

absl::StatusOr<Decimal> ExactDecimal(double value) {
  if (!std::isfinite(value)) return SqlError(ErrorCode::kIllegalData, "Infinite or NaN");
  std::array<char, 64> text{};
  snprintf(text.data(), text.size(), "%.37e", value);
  return Decimal::Parse(text.data());
}

absl::StatusOr<NumberPattern> NumberPattern::Parse(std::string_view pattern) {
  constexpr std::string_view kEndOfPrefix = "#0,.;";
  NumberPattern parsed;
  std::string_view rest = pattern;
  const auto prefix = TakeAffix(&rest, kEndOfPrefix, &parsed.shift_);
  std::optional<Digits> digits = TakeDigits(&rest);
  if (!prefix.has_value() || !digits.has_value()) return Malformed(pattern);
  // Java reads "#.##" as "0.##".
  if (digits->zeros == 0 && digits->hashes > 0 && digits->point >= 0) {
    const int before = std::max(digits->point, 1);
    digits->hashes_behind = digits->hashes - before;
    digits->hashes = before - 1;
    digits->zeros = 1;
  }
  const auto suffix = TakeAffix(&rest, kEndOfPrefix, &parsed.shift_);
  if (!suffix.has_value() || (!rest.empty() && rest.front() != ';')) return Malformed(pattern);
  parsed.positive_ = {*prefix, *suffix};
  parsed.negative_ = {"-" + *prefix, *suffix};
  const int total = digits->hashes + digits->zeros + digits->hashes_behind;
  const int before = digits->point >= 0 ? digits->point : total;
  parsed.least_integer_ = before - digits->hashes;
  parsed.most_integer_ = before;
  parsed.most_fraction_ = digits->point >= 0 ? total - digits->point : 0;
  parsed.least_fraction_ = digits->point >= 0 ? std::max(digits->hashes + digits->zeros - digits->point, 0) : 0;
  parsed.exponent_digits_ = digits->exponent;
  parsed.group_ = std::max(digits->group, 0);
  if (rest.empty()) return parsed;
  rest.remove_prefix(1);
  int ignored = 0;
  const auto negative = TakeAffix(&rest, kEndOfPrefix, &ignored);
  if (!negative.has_value() || !TakeDigits(&rest).has_value()) return Malformed(pattern);
  const auto behind = TakeAffix(&rest, kEndOfPrefix, &ignored);
  if (!behind.has_value() || !rest.empty()) return Malformed(pattern);
  if (*negative != parsed.positive_.prefix || *behind != parsed.positive_.suffix) {
    parsed.negative_ = {*negative, *behind};
  }
  return parsed;
}

std::string NumberPattern::Plain(const Decimal& size) const {
  const std::string text = RoundedHalfEven(size, most_fraction_).ToPlainString();
  const size_t point = std::min(text.find('.'), text.size());
  std::string integer = text.substr(0, point);
  std::string fraction = point < text.size() ? text.substr(point + 1) : "";
  if (integer == "0") integer.clear();
  if (integer.size() < static_cast<size_t>(least_integer_)) {
    integer.insert(0, static_cast<size_t>(least_integer_) - integer.size(), '0');
  }
  fraction.resize(std::max(fraction.size(), static_cast<size_t>(least_fraction_)), '0');
  if (integer.empty() && fraction.empty()) integer = "0";
  Group(group_, &integer);
  return fraction.empty() ? integer : Concat(integer, ".", fraction);
}

std::string NumberPattern::Scientific(const Decimal& size) const {
  // The point stands behind the first `before` digits.
  const int first = size.unscaled() == 0 ? 0 : size.Digits() - size.scale();
  const bool multiple = most_integer_ > 1 && most_integer_ > least_integer_;
  int before = std::max(least_integer_, 1);
  int exponent = size.unscaled() == 0 ? 0 : first - before;
  if (multiple && size.unscaled() != 0) {
    const int step = most_integer_;
    exponent = (first - 1 >= 0 ? (first - 1) / step : -((step - first) / step)) * step;
    before = first - exponent;
  }
  const int kept = multiple ? std::max(most_fraction_ + most_integer_ - before, 0) : most_fraction_;
  const Decimal scaled = RoundedHalfEven(Decimal(size.unscaled(), size.scale() + exponent), kept);
  const std::string text = scaled.ToPlainString();
  const size_t point = std::min(text.find('.'), text.size());
  std::string fraction = point < text.size() ? text.substr(point + 1) : "";
  fraction.resize(std::max(fraction.size(), static_cast<size_t>(least_fraction_)), '0');
  std::string power = Concat(exponent < 0 ? -exponent : exponent);
  if (static_cast<int>(power.size()) < exponent_digits_) {
    power.insert(0, static_cast<size_t>(exponent_digits_) - power.size(), '0');
  }
  return Concat(text.substr(0, point), fraction.empty() ? "" : ".", fraction, "E", exponent < 0 ? "-" : "", power);
}

std::string NumberPattern::Format(const Decimal& number) const {
  const bool is_negative = number.unscaled() < 0;
  const Decimal shifted(number.unscaled(), number.scale() - shift_);
  const Decimal size = is_negative ? shifted.Negated() : shifted;
  const Affixes& affixes = is_negative ? negative_ : positive_;
  return Concat(affixes.prefix, exponent_digits_ > 0 ? Scientific(size) : Plain(size), affixes.suffix);
}

std::optional<Decimal> NumberPattern::Read(std::string_view text) const {
  bool plus = text.starts_with(positive_.prefix);
  bool minus = text.starts_with(negative_.prefix);
  if (plus && minus) (negative_.prefix.size() > positive_.prefix.size() ? plus : minus) = false;
  if (!plus && !minus) return std::nullopt;
  text.remove_prefix(plus ? positive_.prefix.size() : negative_.prefix.size());
  std::string digits;
  bool point = false;
  for (; !text.empty(); text.remove_prefix(1)) {
    const char c = text.front();
    if (c == ',' && group_ > 0 && !point) continue;
    const bool exponent = c == 'E' && !digits.empty() && text.size() > 1 &&
                          (IsDigit(text[1]) || (text[1] == '-' && text.size() > 2 && IsDigit(text[2])));
    if (exponent) {
      const size_t end = std::min(text.find_first_not_of("0123456789", 2), text.size());
      digits += text.substr(0, end);
      text.remove_prefix(end);
      break;
    }
    if (!IsDigit(c) && (c != '.' || point)) break;
    point = point || c == '.';
    digits += c;
  }
  if (!text.starts_with(plus ? positive_.suffix : negative_.suffix)) return std::nullopt;
  const auto number = Decimal::Parse(digits);
  if (!number.ok()) return std::nullopt;
  const Decimal shifted(number->unscaled(), number->scale() + shift_);
  return minus ? shifted.Negated() : shifted;
}

}  // namespace vaquita::sql
