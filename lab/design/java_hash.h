// lab/design/java_hash.h: Java's hash codes, by which HBase's Java programs choose buckets.
//
// Arithmetic is Java's: 32 bits that wrap around. Threads: any.
#pragma once

#include <cstdint>
#include <string_view>

namespace vaquita::lab {

// Returns Long.hashCode(long).
constexpr int32_t JavaLongHash(int64_t value) {
  const auto bits = static_cast<uint64_t>(value);
  return static_cast<int32_t>(static_cast<uint32_t>(bits ^ (bits >> 32)));
}

// Returns String.hashCode(), which works on UTF-16 units: a character beyond U+FFFF counts as two. `text` is UTF-8;
// malformed bytes count as U+FFFD.
int32_t JavaStringHash(std::string_view text);

// Returns Arrays.hashCode(byte[]), which is also HBase's Bytes.hashCode(byte[]): bytes are signed.
int32_t JavaBytesHash(std::string_view bytes);

}  // namespace vaquita::lab
