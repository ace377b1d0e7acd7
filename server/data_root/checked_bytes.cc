#include "server/data_root/checked_bytes.h"

#include <array>
#include <cstdint>

namespace vaquita {
namespace {

constexpr std::string_view kTag = "\xC5\x0C";  // (200 << 3) | 5 as a varint
constexpr size_t kPrefix = 6;

constexpr std::array<uint32_t, 256> MakeTable() {
  std::array<uint32_t, 256> table{};
  for (uint32_t i = 0; i < 256; ++i) {
    uint32_t crc = i;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0xEDB88320u : 0u);
    table[i] = crc;
  }
  return table;
}

std::string Checksum(std::string_view bytes) {
  const uint32_t crc = Crc32(bytes);
  std::string little_endian;
  for (int i = 0; i < 4; ++i) little_endian += static_cast<char>(crc >> (8 * i));
  return little_endian;
}

}  // namespace

uint32_t Crc32(std::string_view bytes) {
  static constexpr std::array<uint32_t, 256> kTable = MakeTable();
  uint32_t crc = 0xFFFFFFFFu;
  for (const char c : bytes) crc = (crc >> 8) ^ kTable[(crc ^ static_cast<unsigned char>(c)) & 0xFF];
  return ~crc;
}

std::string WithChecksum(std::string_view message) {
  return std::string(kTag) + Checksum(message) + std::string(message);
}

std::optional<std::string_view> WithoutChecksum(std::string_view bytes) {
  if (bytes.size() < kPrefix || !bytes.starts_with(kTag)) return bytes;
  const std::string_view message = bytes.substr(kPrefix);
  if (bytes.substr(kTag.size(), kPrefix - kTag.size()) != Checksum(message)) return std::nullopt;
  return message;
}

}  // namespace vaquita
