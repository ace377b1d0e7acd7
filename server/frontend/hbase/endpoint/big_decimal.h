// server/frontend/hbase/endpoint/big_decimal.h: java.math.BigDecimal, as much of it as BigDecimalColumnInterpreter
// does.
//
// Threads: as a plain value. Source: java.math.BigDecimal, Bytes.toBytes(BigDecimal) (2.6).
#pragma once

#include <openssl/bn.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace vaquita::hbase {

// An integer of any size times 10 to the power of -scale.
class BigDecimal {
 public:
  // More than any number that people keep has; one with more would take memory without end to add.
  static constexpr int32_t kMostScale = 10'000;
  static constexpr size_t kMostIntegerBytes = 4096;  // about as many digits

  BigDecimal(const BigDecimal& other);
  BigDecimal& operator=(const BigDecimal& other);
  BigDecimal(BigDecimal&&) = default;
  BigDecimal& operator=(BigDecimal&&) = default;

  // Reads 4 bytes of scale and the integer in two's complement; nothing if the bytes are too few, the scale is beyond
  // kMostScale or the integer has more than kMostIntegerBytes.
  static std::optional<BigDecimal> Read(std::string_view bytes);
  std::string Bytes() const;

  BigDecimal Plus(const BigDecimal& other) const;
  BigDecimal Times(const BigDecimal& other) const;
  // Returns the number with so many digits behind the point; RoundingMode.HALF_EVEN.
  BigDecimal WithScale(int32_t scale) const;
  // Below 0 if this is smaller, above 0 if it is larger.
  int Compare(const BigDecimal& other) const;

 private:
  struct Free {
    void operator()(BIGNUM* number) const { BN_free(number); }
  };
  using Number = std::unique_ptr<BIGNUM, Free>;

  BigDecimal(Number unscaled, int32_t scale) : unscaled_(std::move(unscaled)), scale_(scale) {}
  static Number TenTo(int32_t power);
  // The integer at a scale that is not smaller than the number's own.
  Number UnscaledAt(int32_t scale) const;

  Number unscaled_;
  int32_t scale_;
};

}  // namespace vaquita::hbase
