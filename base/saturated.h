// base/saturated.h: arithmetic that stops at the ends of int64_t where its exact result has no place.
//
// Threads: functions.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

namespace vaquita {

constexpr int64_t SaturatedProduct(int64_t a, int64_t b) {
  int64_t product = 0;
  if (!__builtin_mul_overflow(a, b, &product)) return product;
  return (a < 0) == (b < 0) ? std::numeric_limits<int64_t>::max() : std::numeric_limits<int64_t>::min();
}

constexpr int64_t SaturatedSum(int64_t a, int64_t b) {
  int64_t sum = 0;
  if (!__builtin_add_overflow(a, b, &sum)) return sum;
  return a < 0 ? std::numeric_limits<int64_t>::min() : std::numeric_limits<int64_t>::max();
}

// Drops the fraction. Not a number is 0, as where Java casts to long.
inline int64_t SaturatedInteger(double number) {
  constexpr double kLimit = 9223372036854775808.0;  // 2^63
  if (std::isnan(number)) return 0;
  if (number >= kLimit) return std::numeric_limits<int64_t>::max();
  return number < -kLimit ? std::numeric_limits<int64_t>::min() : static_cast<int64_t>(number);
}

}  // namespace vaquita
