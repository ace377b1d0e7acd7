// engine/crc32c.h: the checksum CRC-32C (Castagnoli), which RocksDB's logs carry.
//
// Threads: any.
#pragma once

#include <cstdint>
#include <string_view>

namespace vaquita {

// Returns the CRC-32C of earlier bytes followed by `bytes`. `crc` is that of the earlier bytes, 0 at the beginning.
uint32_t ExtendCrc32c(uint32_t crc, std::string_view bytes);
inline uint32_t Crc32c(std::string_view bytes) { return ExtendCrc32c(0, bytes); }

}  // namespace vaquita
