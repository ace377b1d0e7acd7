#include "sql/encoding/value_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "sql/encoding/date_text.h"
#include "sql/encoding/text.h"

namespace vaquita::sql {
namespace {

// Returns the shortest digits that are the number.
Decimal Shortest(double value, bool is_float) {
  std::array<char, 64> text{};
  const auto end = is_float ? std::to_chars(text.data(), text.data() + text.size(), static_cast<float>(value))
                            : std::to_chars(text.data(), text.data() + text.size(), value);
  return Decimal::Parse(std::string_view(text.data(), static_cast<size_t>(end.ptr - text.data()))).value_or(Decimal());
}

// Returns Timestamp.toString, which has at least one digit of the second's fraction.
std::string TimestampText(const Timestamp& moment) {
  std::string text = FormatByPattern(moment.ms, kDatePattern).value_or("");
  if (moment.nanos != 0) {
    const std::string nanos = Concat(moment.nanos);
    text += std::string(6 - nanos.size(), '0') + nanos;
  }
  while (text.ends_with('0') && !text.ends_with(".0")) text.pop_back();
  return text;
}

std::string ElementText(const SqlType& element, const Value& value) {
  if (value.is_null()) return "null";
  switch (element.kind()) {
    case ValueKind::kText: {
      const size_t blanks = element.FixedWidth() > 0 ? static_cast<size_t>(element.FixedWidth()) : 0;
      return Concat("'", value.text(), std::string(blanks - std::min(blanks, value.text().size()), ' '), "'");
    }
    case ValueKind::kMillis:
      return Concat("'", FormatByPattern(value.integer(), kDatePattern).value_or(""), "'");
    case ValueKind::kTimestamp:
      return Concat("'", FormatByPattern(value.timestamp().ms, kDatePattern).value_or(""), "'");
    case ValueKind::kBytes:
      return Concat("X'", Hex(value.text()), "'");
    case ValueKind::kDecimal:
      return value.decimal().ToPlainString();
    default:
      return JavaText(element, value);
  }
}

}  // namespace

std::string JavaReal(double value, bool is_float) {
  if (std::isnan(value)) return "NaN";
  const std::string sign = std::signbit(value) ? "-" : "";
  if (std::isinf(value)) return sign + "Infinity";
  const double size = std::fabs(value);
  if (size == 0) return sign + "0.0";
  const Decimal decimal = Shortest(size, is_float);
  if (size >= 1e-3 && size < 1e7) {
    const std::string plain = decimal.ToPlainString();
    return Concat(sign, plain, plain.find('.') == std::string::npos ? ".0" : "");
  }
  const std::string digits = Decimal(decimal.unscaled()).ToPlainString();
  const int exponent = static_cast<int>(digits.size()) - 1 - decimal.scale();
  const size_t significant = digits.find_last_not_of('0') + 1;
  return Concat(sign, digits.substr(0, 1), ".", significant > 1 ? digits.substr(1, significant - 1) : "0", "E",
                exponent);
}

std::string JoinedElements(const SqlType& element, const ValueList& list, std::string_view between) {
  std::string text;
  for (size_t i = 0; i < list.size(); ++i) AppendText(&text, i == 0 ? "" : between, ElementText(element, list[i]));
  return text;
}

std::string JavaText(const SqlType& type, const Value& value) {
  if (value.is_null()) return "null";
  if (type.array) return Concat("[", JoinedElements(type.Element(), value.list(), ", "), "]");
  switch (type.kind()) {
    case ValueKind::kReal:
      return JavaReal(value.real(), RowOf(type.id).width == 4);
    case ValueKind::kDecimal:
      return value.decimal().ToString();
    case ValueKind::kBoolean:
      return value.integer() != 0 ? "true" : "false";
    case ValueKind::kMillis: {
      const bool time = type.id == TypeId::kTime || type.id == TypeId::kUnsignedTime;
      return FormatByPattern(value.integer(), time ? "HH:mm:ss" : "yyyy-MM-dd").value_or("");
    }
    case ValueKind::kTimestamp:
      return TimestampText(value.timestamp());
    case ValueKind::kText:
      return value.text();
    case ValueKind::kBytes:
      return "x" + Hex(value.text());
    default:
      return Concat(value.integer());
  }
}

}  // namespace vaquita::sql
