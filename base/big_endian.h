// base/big_endian.h: integers in network byte order, as HBase's formats and the cell's key have them.
#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstring>
#include <string>

namespace vaquita {

template <std::unsigned_integral T>
constexpr T SwapUnlessBig(T value) {
  if constexpr (std::endian::native == std::endian::big || sizeof(T) == 1) return value;
  if constexpr (sizeof(T) == 2) return __builtin_bswap16(value);
  if constexpr (sizeof(T) == 4) return __builtin_bswap32(value);
  if constexpr (sizeof(T) == 8) return __builtin_bswap64(value);
}

// Writes `value` to the sizeof(T) bytes at `to`, and returns the byte after them.
template <std::unsigned_integral T>
char* PutBigEndian(T value, char* to) {
  value = SwapUnlessBig(value);
  std::memcpy(to, &value, sizeof(T));
  return to + sizeof(T);
}

// Reads the sizeof(T) bytes at `from`.
template <std::unsigned_integral T>
T GetBigEndian(const char* from) {
  T value;
  std::memcpy(&value, from, sizeof(T));
  return SwapUnlessBig(value);
}

template <std::unsigned_integral T>
void AppendBigEndian(T value, std::string* out) {
  char bytes[sizeof(T)];
  PutBigEndian(value, bytes);
  out->append(bytes, sizeof(T));
}

}  // namespace vaquita
