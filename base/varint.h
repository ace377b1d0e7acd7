// base/varint.h: numbers in LEB128, as protobuf's messages and RocksDB's files have them.
//
// Threads: functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace vaquita {

// Takes a number of at most `most_bytes` off the front. Returns false, and takes nothing, if there is none.
inline bool TakeVarint(std::string_view* bytes, uint64_t* number, size_t most_bytes = 10) {
  *number = 0;
  for (size_t i = 0; i < most_bytes && i < bytes->size(); ++i) {
    const auto byte = static_cast<uint8_t>((*bytes)[i]);
    *number |= static_cast<uint64_t>(byte & 0x7f) << (7 * i);
    if (byte >= 0x80) continue;
    bytes->remove_prefix(i + 1);
    return true;
  }
  return false;
}

}  // namespace vaquita
