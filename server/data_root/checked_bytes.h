// server/data_root/checked_bytes.h: a protobuf message on the disk with a checksum before it.
//
// Disk: the checksum is a field of its own (number 200, fixed32, little-endian) at the message's beginning, which older
// releases pass over: C5 0C, then the CRC-32 (IEEE 802.3) of all bytes behind it. A message of an older release has
// none.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace vaquita {

uint32_t Crc32(std::string_view bytes);
std::string WithChecksum(std::string_view message);
// The message; nullopt if its checksum says that it is damaged. What begins otherwise is returned as it is.
std::optional<std::string_view> WithoutChecksum(std::string_view bytes);

}  // namespace vaquita
