// server/data_root/checked_bytes.h: a protobuf message on the disk with a checksum before it.
//
// Disk: the checksum is a field of its own (number 200, fixed32, little-endian) at the message's beginning, which older
// releases skip: C5 0C, then the CRC-32 (IEEE 802.3) of all bytes behind it. A message of an older release has no
// checksum.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace vaquita {

uint32_t Crc32(std::string_view bytes);
std::string WithChecksum(std::string_view message);
// Returns the message, or nullopt if its checksum does not match. Bytes without a checksum are returned as they are.
std::optional<std::string_view> WithoutChecksum(std::string_view bytes);

}  // namespace vaquita
