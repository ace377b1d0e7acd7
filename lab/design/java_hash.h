// lab/design/java_hash.h: the hash codes that HBase's Java programs take buckets from.
//
// Arithmetic is Java's: 32 bits that wrap around. Threads: any.
#pragma once

#include <cstdint>
#include <string_view>

namespace vaquita::lab {

// Long.hashCode(long).
constexpr int32_t JavaLongHash(int64_t value) {
  const auto bits = static_cast<uint64_t>(value);
  return static_cast<int32_t>(static_cast<uint32_t>(bits ^ (bits >> 32)));
}

// String.hashCode(), which is over UTF-16 units: a character beyond U+FFFF counts as two. `text` is UTF-8; what is
// malformed in it counts as U+FFFD.
int32_t JavaStringHash(std::string_view text);

// Arrays.hashCode(byte[]) = Bytes.hashCode(byte[]) of HBase: its bytes have signs.
int32_t JavaBytesHash(std::string_view bytes);

}  // namespace vaquita::lab
