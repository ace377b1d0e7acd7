#include "sql/encoding/decimal.h"

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "base/big_endian.h"
#include "sql/encoding/sql_error.h"
#include "sql/encoding/text.h"

namespace vaquita::sql {
namespace {

using Wide = boost::multiprecision::cpp_int;

constexpr int kMostDecimalBytes = 21;
constexpr int kMostParsedDigits = 400;  // a text's; its number's exponent has this limit, too
constexpr size_t kMostShortPairs = 9;   // so many pairs of digits fit into an int64
// The exponent counts the pairs of digits before the point. Seven bits have it with 64 added, of which Phoenix reads
// the two lowest values as other exponents.
constexpr int32_t kLeastExponent = -62;
constexpr int32_t kMostExponent = 63;
// A number beyond has the first byte and another byte, which no pair of digits has, and two bytes for its exponent.
constexpr int32_t kBeyondBias = 0x8000;

Wide Widen(absl::int128 value) {
  const bool negative = value < 0;
  const absl::uint128 size = negative ? absl::uint128(0) - absl::uint128(value) : absl::uint128(value);
  Wide wide = absl::Uint128High64(size);
  wide <<= 64;
  wide += absl::Uint128Low64(size);
  return negative ? Wide(-wide) : wide;
}

Wide Power10(int exponent) { return boost::multiprecision::pow(Wide(10), static_cast<unsigned>(exponent)); }

int DigitsOf(const Wide& value) { return static_cast<int>(Wide(abs(value)).str().size()); }

// Returns value / 10^digits, half up if `up`.
Wide DropDigits(const Wide& value, int digits, bool up) {
  const Wide divisor = Power10(digits);
  Wide quotient = value / divisor;
  const Wide rest = abs(Wide(value % divisor));
  if (up && rest * 2 >= divisor) quotient += value < 0 ? -1 : 1;
  return quotient;
}

absl::int128 Narrow(const Wide& value) {
  const Wide size = abs(value);
  const auto low = static_cast<uint64_t>(size & std::numeric_limits<uint64_t>::max());
  const auto high = static_cast<uint64_t>(size >> 64);
  const auto narrow = static_cast<absl::int128>(absl::MakeUint128(high, low));
  return value < 0 ? -narrow : narrow;
}

// Returns the decimal of these digits, rounded to 38 of them.
Decimal Fit(Wide value, int32_t scale) {
  const int excess = DigitsOf(value) - kMaxDecimalDigits;
  if (excess > 0) {
    value = DropDigits(value, excess, /*up=*/true);
    scale -= excess;
    if (DigitsOf(value) > kMaxDecimalDigits) {  // 99...9 became 100...0
      value /= 10;
      --scale;
    }
  }
  return Decimal(Narrow(value), scale);
}

// Sets `*x` and `*y` to the values at the larger of both scales, which it returns.
int32_t Align(const Decimal& a, const Decimal& b, Wide* x, Wide* y) {
  const int32_t scale = std::max(a.scale(), b.scale());
  *x = Widen(a.unscaled()) * Power10(scale - a.scale());
  *y = Widen(b.unscaled()) * Power10(scale - b.scale());
  return scale;
}

std::string DigitsText(absl::int128 value) {
  const absl::uint128 size = value < 0 ? absl::uint128(0) - absl::uint128(value) : absl::uint128(value);
  if (absl::Uint128High64(size) == 0) {
    char digits[20];
    const auto end = std::to_chars(digits, digits + sizeof(digits), absl::Uint128Low64(size));
    return {digits, end.ptr};
  }
  std::string text = Widen(value).str();
  return text.front() == '-' ? text.substr(1) : text;
}

// Returns the exponent of a number that is not 0.
int32_t ExponentOf(const Decimal& value) {
  const int32_t digits = value.Digits() - value.scale();  // before the point; below 0: zeros behind it
  return digits > 0 ? (digits + 1) / 2 : digits / 2;
}

bool HasExponent(int32_t exponent) { return exponent >= kLeastExponent && exponent <= kMostExponent; }

// Returns the bytes of a number without an encoding. `pairs` are its digits.
std::string BytesBeyond(int32_t exponent, bool negative, std::string_view pairs) {
  std::string bytes(1, exponent > 0 ? '\xff' : '\x80');
  bytes += '\xff';
  AppendBigEndian(static_cast<uint16_t>(exponent + kBeyondBias), &bytes);
  bytes += pairs;
  if (!negative) return bytes;
  for (char& byte : bytes) byte = static_cast<char>(~byte);
  return bytes + '\xff';
}

// Returns true if BytesBeyond made the bytes, or Phoenix, which cannot read them either.
bool AreBeyond(std::string_view bytes) {
  if (bytes.size() < 2) return false;
  const auto first = static_cast<unsigned char>(bytes[0]);
  const bool negative = first < 0x80;
  const auto second = static_cast<unsigned char>(bytes[1]);
  const int32_t exponent = ((negative ? ~first : first) & 0x7F) - 64;
  return exponent < kLeastExponent || (exponent == kMostExponent && second == (negative ? 0x00 : 0xFF));
}

}  // namespace

void Decimal::Strip() {
  if (unscaled_ == 0) {
    scale_ = 0;
    return;
  }
  if (unscaled_ <= std::numeric_limits<int64_t>::max() && unscaled_ >= std::numeric_limits<int64_t>::min()) {
    auto narrow = static_cast<int64_t>(unscaled_);  // a division of 128 bits is slow
    for (; narrow % 10 == 0; narrow /= 10) --scale_;
    unscaled_ = narrow;
    return;
  }
  while (unscaled_ % 10 == 0) {
    unscaled_ /= 10;
    --scale_;
  }
}

absl::StatusOr<Decimal> Decimal::Parse(std::string_view text) {
  const absl::Status bad = SqlError(ErrorCode::kIllegalData, Concat("\"", text, "\" is not a number"));
  size_t at = 0;
  const bool negative = !text.empty() && text[0] == '-';
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) ++at;
  std::string digits;
  int32_t scale = 0;
  bool point = false;
  for (; at < text.size() && text[at] != 'e' && text[at] != 'E'; ++at) {
    if (text[at] == '.' && !point) {
      point = true;
    } else if (IsDigit(text[at])) {
      digits += text[at];
      scale += point ? 1 : 0;
    } else {
      return bad;
    }
  }
  if (digits.empty() || static_cast<int>(digits.size()) > kMostParsedDigits) return bad;
  int32_t exponent = 0;
  if (at < text.size() && !ReadNumber(text.substr(at + 1), &exponent)) return bad;
  if (std::abs(int64_t{exponent}) > 2 * kMostParsedDigits) return bad;  // digits can make up for as many at most
  const size_t first = digits.find_first_not_of('0');
  const Wide value(first == std::string::npos ? std::string("0") : digits.substr(first));
  const Decimal decimal = Fit(negative ? Wide(-value) : value, scale - exponent);
  if (std::abs(decimal.Exponent()) > kMostParsedDigits) return bad;
  return decimal;
}

absl::StatusOr<Decimal> Decimal::FromDouble(double value) {
  if (!std::isfinite(value)) {
    return SqlError(ErrorCode::kIllegalData, Concat(value, " is not a DECIMAL"));
  }
  char text[64];
  const auto end = std::to_chars(text, text + sizeof(text), value);
  return Parse(std::string_view(text, static_cast<size_t>(end.ptr - text)));
}

Decimal Decimal::BoundOf(double value) {
  constexpr int32_t kBeyondAll = 400;
  return FromDouble(value).value_or(Decimal(value < 0 ? -1 : 1, -kBeyondAll));
}

int Decimal::Digits() const { return static_cast<int>(DigitsText(unscaled_).size()); }

int Decimal::IntegerDigits() const { return unscaled_ == 0 ? 0 : std::max(0, Digits() - scale_); }

std::string Decimal::ToString() const {
  const std::string digits = DigitsText(unscaled_);
  const std::string sign = unscaled_ < 0 ? "-" : "";
  const int exponent = static_cast<int>(digits.size()) - 1 - scale_;  // Exponent() would make the digits again
  if (scale_ >= 0 && exponent >= -6) return ToPlainString();
  std::string text = Concat(sign, digits.substr(0, 1));
  if (digits.size() > 1) AppendText(&text, ".", digits.substr(1));
  return Concat(text, "E", exponent > 0 ? "+" : "", exponent);
}

std::string Decimal::ToPlainString() const {
  std::string digits = DigitsText(unscaled_);
  if (scale_ < 0) digits.append(static_cast<size_t>(-scale_), '0');
  if (scale_ > 0) {
    if (static_cast<int>(digits.size()) <= scale_) {
      digits.insert(0, static_cast<size_t>(scale_) + 1 - digits.size(), '0');
    }
    digits.insert(digits.size() - static_cast<size_t>(scale_), ".");
  }
  return unscaled_ < 0 ? "-" + digits : digits;
}

double Decimal::ToDouble() const {
  double value = 0;
  (void)ReadNumber(ToString(), &value);
  return value;
}

bool Decimal::ToInt64(int64_t* value) const {
  if (IntegerDigits() > 19) return false;
  const Decimal cut = Rounded(0, /*up=*/false);
  const absl::int128 whole = cut.scale_ == 0 ? cut.unscaled_ : Narrow(Widen(cut.unscaled_) * Power10(-cut.scale_));
  if (whole > std::numeric_limits<int64_t>::max() || whole < std::numeric_limits<int64_t>::min()) return false;
  *value = static_cast<int64_t>(whole);
  return true;
}

Decimal Decimal::Rounded(int32_t scale, bool up) const {
  if (scale_ <= scale) return *this;
  if (scale_ - scale > kMaxDecimalDigits + 1) return {};
  return Decimal(Narrow(DropDigits(Widen(unscaled_), scale_ - scale, up)), scale);
}

Decimal operator+(const Decimal& a, const Decimal& b) {
  Wide x;
  Wide y;
  const int32_t scale = Align(a, b, &x, &y);
  return Fit(x + y, scale);
}

Decimal operator-(const Decimal& a, const Decimal& b) { return a + b.Negated(); }

std::strong_ordering operator<=>(const Decimal& a, const Decimal& b) {
  const absl::int128 difference = (a - b).unscaled_;
  return difference < 0   ? std::strong_ordering::less
         : difference > 0 ? std::strong_ordering::greater
                          : std::strong_ordering::equal;
}

Decimal operator*(const Decimal& a, const Decimal& b) {
  return Fit(Widen(a.unscaled_) * Widen(b.unscaled_), a.scale_ + b.scale_);
}

Decimal operator/(const Decimal& a, const Decimal& b) {
  // Two digits more than are kept, so that the rounding sees what is cut off; a rest makes the last of them odd.
  const int shift = kMaxDecimalDigits + 2 + b.Digits();
  const Wide dividend = Widen(a.unscaled_) * Power10(shift);
  const Wide divisor = Widen(b.unscaled_);
  Wide quotient = dividend / divisor;
  const bool rest = dividend % divisor != 0;
  quotient *= 10;
  if (rest) quotient += (a.unscaled_ < 0) == (b.unscaled_ < 0) ? 1 : -1;
  return Fit(quotient, a.scale_ - b.scale_ + shift + 1);
}

bool Decimal::HasEncoding() const { return unscaled_ == 0 || HasExponent(ExponentOf(*this)); }

std::string EncodeDecimal(const Decimal& value) {
  if (value.unscaled() == 0) return "\x80";
  // The scale becomes even, so that the digits fall into pairs at the point.
  const bool odd = value.scale() % 2 != 0;
  std::string digits = DigitsText(value.unscaled());
  if (odd) digits += '0';
  if (digits.size() % 2 != 0) digits.insert(0, "0");
  const bool negative = value.unscaled() < 0;
  const int32_t exponent = ExponentOf(value);
  if (!HasExponent(exponent)) {
    std::string pairs;
    for (size_t i = 0; i < digits.size(); i += 2) {
      pairs += static_cast<char>((digits[i] - '0') * 10 + digits[i + 1] - '0' + 1);
    }
    return BytesBeyond(exponent, negative, pairs);
  }
  std::string bytes(1, static_cast<char>(((64 + exponent) | 0x80) & 0xFF));
  if (negative) bytes[0] = static_cast<char>(~static_cast<unsigned char>(bytes[0]) & 0x7F);
  for (size_t i = 0; i < digits.size(); i += 2) {
    const int pair = (digits[i] - '0') * 10 + digits[i + 1] - '0';
    bytes += static_cast<char>(negative ? 101 - pair : pair + 1);
  }
  if (negative && bytes.size() < kMostDecimalBytes) bytes += static_cast<char>(102);
  return bytes;
}

absl::StatusOr<Decimal> DecodeDecimal(std::string_view bytes) {
  const auto bad = [bytes] {
    return SqlError(ErrorCode::kIllegalData, Concat("the bytes ", Hex(bytes), " are not a DECIMAL"));
  };
  const auto beyond = [] {
    return SqlError(ErrorCode::kDataExceedsMaxCapacity, "DECIMAL has numbers from 1E-126 to below 1E126");
  };
  if (AreBeyond(bytes)) return beyond();
  if (bytes.empty() || bytes.size() > kMostDecimalBytes) return bad();
  if (bytes == "\x80") return Decimal();
  auto first = static_cast<unsigned char>(bytes[0]);
  const bool negative = (first & 0x80) == 0;
  if (negative) first = static_cast<unsigned char>(~first);
  const int32_t exponent = static_cast<int32_t>(first & 0x7F) - 64;
  std::string_view pairs = bytes.substr(1);
  if (negative && !pairs.empty() && pairs.back() == 102) pairs.remove_suffix(1);
  const int32_t scale = 2 * (static_cast<int32_t>(pairs.size()) - exponent);
  if (pairs.empty()) return bad();
  Wide value = 0;
  int64_t short_value = 0;
  const bool is_short = pairs.size() <= kMostShortPairs;
  for (const char byte : pairs) {
    const int pair = negative ? 101 - static_cast<unsigned char>(byte) : static_cast<unsigned char>(byte) - 1;
    if (pair < 0 || pair > 99) return bad();
    if (is_short) {
      short_value = short_value * 100 + pair;
    } else {
      value = value * 100 + pair;
    }
  }
  const Decimal number =
      is_short ? Decimal(negative ? -short_value : short_value, scale) : Fit(negative ? Wide(-value) : value, scale);
  // With zeros at its front it is smaller than its exponent says.
  const bool has_zeros = static_cast<unsigned char>(pairs[0]) == (negative ? 101 : 1);
  if (has_zeros && !number.HasEncoding()) return beyond();
  return number;
}

}  // namespace vaquita::sql
