#include "server/frontend/hbase/endpoint/big_decimal.h"

#include <algorithm>
#include <utility>

#include "base/big_endian.h"

namespace vaquita::hbase {
namespace {

// OpenSSL's scratch space, one of each thread.
BN_CTX* Scratch() {
  struct FreeContext {
    void operator()(BN_CTX* context) const { BN_CTX_free(context); }
  };
  thread_local const std::unique_ptr<BN_CTX, FreeContext> scratch(BN_CTX_new());
  return scratch.get();
}

const unsigned char* Unsigned(std::string_view bytes) { return reinterpret_cast<const unsigned char*>(bytes.data()); }

}  // namespace

BigDecimal::BigDecimal(const BigDecimal& other) : unscaled_(BN_dup(other.unscaled_.get())), scale_(other.scale_) {}

BigDecimal& BigDecimal::operator=(const BigDecimal& other) {
  if (this != &other) *this = BigDecimal(other);
  return *this;
}

std::optional<BigDecimal> BigDecimal::Read(std::string_view bytes) {
  if (bytes.size() < sizeof(int32_t) + 1 || bytes.size() > sizeof(int32_t) + kMostIntegerBytes) return std::nullopt;
  const auto scale = static_cast<int32_t>(GetBigEndian<uint32_t>(bytes.data()));
  if (scale > kMostScale || scale < -kMostScale) return std::nullopt;
  bytes.remove_prefix(sizeof(int32_t));
  Number number(BN_bin2bn(Unsigned(bytes), static_cast<int>(bytes.size()), nullptr));
  if (static_cast<signed char>(bytes[0]) < 0) {
    const Number modulus(BN_new());
    BN_set_bit(modulus.get(), static_cast<int>(8 * bytes.size()));
    BN_sub(number.get(), number.get(), modulus.get());
  }
  return BigDecimal(std::move(number), scale);
}

std::string BigDecimal::Bytes() const {
  std::string bytes;
  AppendBigEndian(static_cast<uint32_t>(scale_), &bytes);
  const Number number(BN_dup(unscaled_.get()));
  const bool negative = BN_is_negative(number.get());
  // Two's complement of -n is the complement of n - 1; a bit more than the number has is its sign.
  if (negative) BN_add_word(number.get(), 1);
  std::string magnitude(static_cast<size_t>(BN_num_bits(number.get()) / 8 + 1), '\0');
  BN_bn2binpad(number.get(), reinterpret_cast<unsigned char*>(magnitude.data()), static_cast<int>(magnitude.size()));
  if (negative) {
    for (char& byte : magnitude) byte = static_cast<char>(~byte);
  }
  return bytes + magnitude;
}

BigDecimal::Number BigDecimal::TenTo(int32_t power) {
  Number result(BN_new());
  const Number ten(BN_new());
  const Number exponent(BN_new());
  BN_set_word(ten.get(), 10);
  BN_set_word(exponent.get(), static_cast<BN_ULONG>(power));
  BN_exp(result.get(), ten.get(), exponent.get(), Scratch());
  return result;
}

BigDecimal::Number BigDecimal::UnscaledAt(int32_t scale) const {
  Number result(BN_dup(unscaled_.get()));
  if (scale > scale_) BN_mul(result.get(), unscaled_.get(), TenTo(scale - scale_).get(), Scratch());
  return result;
}

BigDecimal BigDecimal::Plus(const BigDecimal& other) const {
  const int32_t scale = std::max(scale_, other.scale_);
  Number sum = UnscaledAt(scale);
  BN_add(sum.get(), sum.get(), other.UnscaledAt(scale).get());
  return {std::move(sum), scale};
}

BigDecimal BigDecimal::Times(const BigDecimal& other) const {
  Number product(BN_new());
  BN_mul(product.get(), unscaled_.get(), other.unscaled_.get(), Scratch());
  return {std::move(product), scale_ + other.scale_};
}

BigDecimal BigDecimal::WithScale(int32_t scale) const {
  if (scale >= scale_) return {UnscaledAt(scale), scale};
  const Number divisor = TenTo(scale_ - scale);
  Number quotient(BN_new());
  const Number rest(BN_new());
  BN_div(quotient.get(), rest.get(), unscaled_.get(), divisor.get(), Scratch());
  // Toward zero so far.
  const Number twice(BN_new());
  BN_lshift1(twice.get(), rest.get());
  const int order = BN_ucmp(twice.get(), divisor.get());
  if (order > 0 || (order == 0 && BN_is_odd(quotient.get()))) {
    BN_is_negative(unscaled_.get()) ? BN_sub_word(quotient.get(), 1) : BN_add_word(quotient.get(), 1);
  }
  return {std::move(quotient), scale};
}

int BigDecimal::Compare(const BigDecimal& other) const {
  const int32_t scale = std::max(scale_, other.scale_);
  return BN_cmp(UnscaledAt(scale).get(), other.UnscaledAt(scale).get());
}

}  // namespace vaquita::hbase
