// sql/encoding/number_pattern.h: numbers by the patterns of java.text.DecimalFormat: "#,##0.00", "0%", "0.00E0".
//
// Threads: values. Source: java.text.DecimalFormat with the symbols of Locale.US.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "sql/encoding/decimal.h"

namespace vaquita::sql {

inline constexpr std::string_view kNumberPattern = "#,##0.###";  // Phoenix's default

class NumberPattern {
 public:
  // Returns IllegalData, naming the pattern, if it is malformed.
  static absl::StatusOr<NumberPattern> Parse(std::string_view pattern);

  // Prints the number, rounded half to even. -0.3 may print as "-0".
  std::string Format(const Decimal& number) const;
  // Reads the number that `text` begins with. Returns nullopt if there is none.
  std::optional<Decimal> Read(std::string_view text) const;

 private:
  struct Affixes {
    std::string prefix;
    std::string suffix;
  };

  std::string Plain(const Decimal& size) const;
  std::string Scientific(const Decimal& size) const;

  Affixes positive_;
  Affixes negative_;
  int group_ = 0;  // digits of a group; 0: none
  int least_integer_ = 0;
  int most_integer_ = 0;  // with an exponent
  int least_fraction_ = 0;
  int most_fraction_ = 0;
  int exponent_digits_ = 0;  // 0: no exponent
  int shift_ = 0;            // 2 for percent, 3 for per mille
};

// Returns the number with at most `scale` digits after the point, half to even.
Decimal RoundedHalfEven(const Decimal& number, int32_t scale);
// Returns the largest number with `scale` digits after the point that is not above `number`.
Decimal FloorOf(const Decimal& number, int32_t scale);
// Returns all digits of the double, as java.math.BigDecimal's constructor does, rounded to 38. Returns IllegalData, in
// Java's words, if it is infinite or NaN.
absl::StatusOr<Decimal> ExactDecimal(double value);

}  // namespace vaquita::sql
