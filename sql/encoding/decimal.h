// sql/encoding/decimal.h: Phoenix's DECIMAL: up to 38 digits and a scale.
//
// A value is unscaled / 10^scale, without trailing zeros, as Phoenix keeps it: 20 is 2 with scale -1 and prints as
// "2E+1". Results with more than 38 digits are rounded half up. Threads: values.
// Source: PDecimal, PDataType.toBytes(BigDecimal, byte[], int) (5.2), java.math.BigDecimal.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

#include "absl/numeric/int128.h"
#include "absl/status/statusor.h"

namespace vaquita::sql {

inline constexpr int kMaxDecimalDigits = 38;

class Decimal {
 public:
  Decimal() = default;  // 0
  // `unscaled` has at most 38 digits.
  explicit Decimal(absl::int128 unscaled, int32_t scale = 0) : unscaled_(unscaled), scale_(scale) { Strip(); }

  // Reads "-12.50", "1e20". Returns IllegalData (sql_error.h), naming the text, if it is not a number, has more than
  // 400 digits, or is beyond 1E-400 and 1E+400. What it reads, it reads again from ToString.
  static absl::StatusOr<Decimal> Parse(std::string_view text);
  // Returns the decimal that Java's BigDecimal.valueOf gives: the shortest digits that are `value`.
  static absl::StatusOr<Decimal> FromDouble(double value);
  // Returns the same as a bound: an infinite number is beyond all finite ones. REQUIRES: it is not NaN.
  static Decimal BoundOf(double value);

  absl::int128 unscaled() const { return unscaled_; }
  int32_t scale() const { return scale_; }
  // Returns the number of digits: 1 for 0.
  int Digits() const;
  // Returns the exponent of the first digit: 1 for 20, -2 for 0.05, 0 for 0.
  int Exponent() const { return Digits() - 1 - scale_; }
  // Returns the number of digits before the point: 0 for 0.01.
  int IntegerDigits() const;

  // Returns BigDecimal.toString: "10.5", "2E+1".
  std::string ToString() const;
  // Returns the text without an exponent: "20".
  std::string ToPlainString() const;
  double ToDouble() const;
  // Sets `*value` to the part before the point. Returns false if that does not fit into an int64.
  bool ToInt64(int64_t* value) const;
  // Returns the number with at most `scale` digits after the point: rounded half up if `up`, else cut off.
  Decimal Rounded(int32_t scale, bool up = true) const;
  Decimal Negated() const { return Decimal(-unscaled_, scale_); }
  // Returns true if Phoenix's bytes can have the number: 0, or a size from 1E-126 to below 1E126. Phoenix itself stores
  // another number for all others.
  bool HasEncoding() const;

  friend Decimal operator+(const Decimal& a, const Decimal& b);
  friend Decimal operator-(const Decimal& a, const Decimal& b);
  friend Decimal operator*(const Decimal& a, const Decimal& b);
  // Returns a / b to 38 digits. REQUIRES: b is not 0.
  friend Decimal operator/(const Decimal& a, const Decimal& b);
  friend bool operator==(const Decimal& a, const Decimal& b) = default;
  friend std::strong_ordering operator<=>(const Decimal& a, const Decimal& b);

 private:
  void Strip();

  absl::int128 unscaled_ = 0;
  int32_t scale_ = 0;
};

// Returns Phoenix's bytes, at most 21. They compare as the numbers do. A number without an encoding gets bytes that
// compare so, too, but that are no value: they can be a bound, and must not be stored.
std::string EncodeDecimal(const Decimal& value);
// Returns IllegalData, naming the bytes, if they are not a decimal's; DataExceedsMaxCapacity if they are those of a
// number without an encoding.
absl::StatusOr<Decimal> DecodeDecimal(std::string_view bytes);

}  // namespace vaquita::sql
