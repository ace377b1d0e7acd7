#include "tools/bench/row_values.h"

#include <algorithm>
#include <cstring>

#include "lab/records/random_number.h"

namespace vaquita::bench {
namespace {

constexpr size_t kTagBytes = 8;

uint64_t HashOf(std::string_view row) {
  uint64_t hash = row.size();
  while (row.size() >= 8) {
    uint64_t word = 0;
    std::memcpy(&word, row.data(), 8);
    hash = lab::RandomNumber(hash, word);
    row.remove_prefix(8);
  }
  for (const char c : row) hash = lab::RandomNumber(hash, static_cast<uint8_t>(c));
  return hash;
}

}  // namespace

uint64_t TagThatFits(uint64_t tag, size_t bytes) {
  return bytes >= kTagBytes ? tag : tag & ((uint64_t{1} << (8 * bytes)) - 1);
}

uint64_t TagOf(std::string_view value) {
  uint64_t tag = 0;
  for (size_t i = 0; i < std::min(value.size(), kTagBytes); ++i) {
    tag |= static_cast<uint64_t>(static_cast<uint8_t>(value[i])) << (8 * i);
  }
  return tag;
}

std::string MakeValue(std::string_view row, int column, uint64_t tag, size_t bytes, double compressible) {
  tag = TagThatFits(tag, bytes);
  std::string value(bytes, 'x');
  for (size_t i = 0; i < std::min(bytes, kTagBytes); ++i) value[i] = static_cast<char>(tag >> (8 * i));
  const auto equal = static_cast<size_t>(compressible * static_cast<double>(bytes));
  const size_t random_end = std::max(std::min(bytes, kTagBytes), bytes - std::min(bytes, equal));
  const uint64_t stream = HashOf(row) ^ lab::RandomNumber(static_cast<uint64_t>(column), tag);
  uint64_t number = 0;
  for (size_t at = kTagBytes; at < random_end; at += 8) {
    const uint64_t random = lab::RandomNumber(stream, number++);
    std::memcpy(value.data() + at, &random, std::min<size_t>(8, random_end - at));
  }
  return value;
}

}  // namespace vaquita::bench
