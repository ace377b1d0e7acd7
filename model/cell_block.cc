#include "model/cell_block.h"

#include <algorithm>
#include <cassert>
#include <cstring>

#include "base/big_endian.h"

namespace vaquita {
namespace {

constexpr size_t kLengthsSize = 12;         // the cell's, the key's and the value's length
constexpr size_t kKeyOverhead = 2 + 1 + 9;  // the row's and the family's length; timestamp and type

constexpr uint8_t kTtlTag = 8;                           // TagType.TTL_TAG_TYPE
constexpr size_t kTtlTagSize = 2 + 1 + sizeof(int64_t);  // its length, its type, the milliseconds

char* PutBytes(std::string_view bytes, char* to) {
  if (!bytes.empty()) std::memcpy(to, bytes.data(), bytes.size());
  return to + bytes.size();
}

}  // namespace

void CellBlock::Append(const CellView& cell) {
  const size_t key_length = kKeyOverhead + cell.row.size() + cell.family.size() + cell.qualifier.size();
  const bool tagged = carries_ttls_ && cell.ttl_ms != kNoTtl;
  const size_t tags_length = tagged ? 2 + kTtlTagSize : 0;
  const size_t begin = bytes_.size();
  offsets_.push_back(begin);
  const size_t end = begin + kLengthsSize + key_length + cell.value.size() + tags_length;
  if (bytes_.capacity() < end) bytes_.reserve(std::max(end, 2 * bytes_.capacity()));
  bytes_.resize(begin + kLengthsSize + key_length);
  char* to = bytes_.data() + begin;
  to = PutBigEndian(static_cast<uint32_t>(kLengthsSize - 4 + key_length + cell.value.size() + tags_length), to);
  to = PutBigEndian(static_cast<uint32_t>(key_length), to);
  to = PutBigEndian(static_cast<uint32_t>(cell.value.size()), to);
  to = PutBigEndian(static_cast<uint16_t>(cell.row.size()), to);
  to = PutBytes(cell.row, to);
  to = PutBigEndian(static_cast<uint8_t>(cell.family.size()), to);
  to = PutBytes(cell.family, to);
  to = PutBytes(cell.qualifier, to);
  to = PutBigEndian(static_cast<uint64_t>(cell.timestamp_ms), to);
  PutBigEndian(static_cast<uint8_t>(cell.type), to);
  bytes_.append(cell.value);  // a resize would write these bytes twice
  if (!tagged) return;
  AppendBigEndian<uint16_t>(kTtlTagSize, &bytes_);
  bytes_.append(TtlTag(cell.ttl_ms));
}

void CellBlock::AppendFrom(const CellBlock& other, size_t index) {
  assert(&other != this);
  offsets_.push_back(bytes_.size());
  bytes_.append(other.Encoded(index, 1));
}

CellView CellBlock::operator[](size_t index) const {
  assert(index < size());
  const char* from = bytes_.data() + offsets_[index];
  const size_t key_length = GetBigEndian<uint32_t>(from + 4);
  const size_t value_length = GetBigEndian<uint32_t>(from + 8);
  const char* key = from + kLengthsSize;
  const char* key_end = key + key_length;

  CellView cell;
  cell.row = {key + 2, GetBigEndian<uint16_t>(key)};
  const char* family = key + 2 + cell.row.size();
  cell.family = {family + 1, GetBigEndian<uint8_t>(family)};
  const char* qualifier = family + 1 + cell.family.size();
  cell.qualifier = {qualifier, static_cast<size_t>(key_end - 9 - qualifier)};
  cell.timestamp_ms = static_cast<int64_t>(GetBigEndian<uint64_t>(key_end - 9));
  cell.type = static_cast<CellType>(GetBigEndian<uint8_t>(key_end - 1));
  cell.value = {key_end, value_length};
  return cell;
}

std::string_view CellBlock::Encoded(size_t first, size_t count) const {
  assert(first + count <= size());
  if (count == 0) return {};
  const size_t begin = offsets_[first];
  const size_t end = first + count < size() ? offsets_[first + count] : bytes_.size();
  return std::string_view(bytes_).substr(begin, end - begin);
}

void CellBlock::Truncate(size_t size) {
  if (size >= offsets_.size()) return;
  bytes_.resize(offsets_[size]);
  offsets_.resize(size);
}

void CellBlock::Retain(size_t first, const std::vector<bool>& keep) {
  assert(first + keep.size() == size());
  size_t kept = first;
  size_t to = first < size() ? offsets_[first] : bytes_.size();
  for (size_t i = first; i < size(); ++i) {
    if (!keep[i - first]) continue;
    const std::string_view cell = Encoded(i, 1);
    std::memmove(bytes_.data() + to, cell.data(), cell.size());  // kept <= i, so the offsets read next are still whole
    offsets_[kept++] = to;
    to += cell.size();
  }
  offsets_.resize(kept);
  bytes_.resize(to);
}

std::string TtlTag(int64_t ttl_ms) {
  std::string tag;
  AppendBigEndian<uint16_t>(kTtlTagSize - 2, &tag);
  AppendBigEndian<uint8_t>(kTtlTag, &tag);
  AppendBigEndian<uint64_t>(static_cast<uint64_t>(ttl_ms), &tag);
  return tag;
}

}  // namespace vaquita
