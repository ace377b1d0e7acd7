#include "model/cell_block_reader.h"

#include <cstdint>

#include "base/big_endian.h"

namespace vaquita {
namespace {

constexpr uint64_t kKeyAndValueLengthsSize = 8;  // the key's and the value's length
constexpr uint64_t kKeySuffixSize = 9;           // timestamp and type
constexpr uint8_t kTtlTagType = 8;               // TagType.TTL_TAG_TYPE

// Reads the tags that follow a cell's value, their length included. Empty bytes mean no tags.
bool ReadTags(std::string_view bytes, int64_t* ttl_ms) {
  if (bytes.empty()) return true;
  if (bytes.size() < 2 || GetBigEndian<uint16_t>(bytes.data()) != bytes.size() - 2) return false;
  bytes.remove_prefix(2);
  while (!bytes.empty()) {
    if (bytes.size() < 3) return false;
    const size_t length = GetBigEndian<uint16_t>(bytes.data());  // counts type and value
    if (length < 1 || length > bytes.size() - 2) return false;
    if (static_cast<uint8_t>(bytes[2]) == kTtlTagType) {
      if (length != 1 + sizeof(uint64_t)) return false;
      *ttl_ms = static_cast<int64_t>(GetBigEndian<uint64_t>(bytes.data() + 3));
    }
    bytes.remove_prefix(2 + length);
  }
  return true;
}

}  // namespace

bool CellBlockReader::Next(CellView* cell) {
  if (rest_.empty() || failed_) return false;
  if (rest_.size() < 4) return Fail();
  const uint64_t length = GetBigEndian<uint32_t>(rest_.data());
  if (length < kKeyAndValueLengthsSize || length > rest_.size() - 4) return Fail();
  const char* lengths = rest_.data() + 4;
  const uint64_t key_length = GetBigEndian<uint32_t>(lengths);
  const uint64_t value_length = GetBigEndian<uint32_t>(lengths + 4);
  if (key_length + value_length > length - kKeyAndValueLengthsSize) return Fail();

  const std::string_view key(lengths + kKeyAndValueLengthsSize, key_length);
  if (key.size() < 2) return Fail();
  const uint64_t row_length = GetBigEndian<uint16_t>(key.data());
  if (key.size() < 2 + row_length + 1) return Fail();
  const uint64_t family_length = GetBigEndian<uint8_t>(key.data() + 2 + row_length);
  const uint64_t columns_begin = 2 + row_length + 1;
  if (key.size() < columns_begin + family_length + kKeySuffixSize) return Fail();
  const char* suffix = key.data() + key.size() - kKeySuffixSize;
  if (!IsCellType(GetBigEndian<uint8_t>(suffix + 8))) return Fail();

  cell->row = key.substr(2, row_length);
  cell->family = key.substr(columns_begin, family_length);
  cell->qualifier =
      key.substr(columns_begin + family_length, key.size() - kKeySuffixSize - columns_begin - family_length);
  cell->timestamp_ms = static_cast<int64_t>(GetBigEndian<uint64_t>(suffix));
  cell->type = static_cast<CellType>(GetBigEndian<uint8_t>(suffix + 8));
  cell->value = {key.data() + key.size(), value_length};
  cell->ttl_ms = kNoTtl;
  const uint64_t untagged = kKeyAndValueLengthsSize + key_length + value_length;
  if (!ReadTags({lengths + untagged, length - untagged}, &cell->ttl_ms)) return Fail();
  rest_.remove_prefix(4 + length);
  return true;
}

}  // namespace vaquita
