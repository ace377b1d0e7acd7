#include "lab/records/utf8.h"

#include <cstdint>
#include <cstring>

namespace vaquita::lab {
namespace {

// The length of the character that begins at `at`; 0 if it is none.
size_t CharacterLength(const unsigned char* at, size_t left) {
  const unsigned char first = at[0];
  const auto continues = [&](size_t i) { return i < left && (at[i] & 0xC0) == 0x80; };
  if (first < 0x80) return 1;
  if (first < 0xC2) return 0;
  if (first < 0xE0) return continues(1) ? 2 : 0;
  if (first < 0xF0) {
    if (!continues(1) || !continues(2)) return 0;
    if (first == 0xE0 && at[1] < 0xA0) return 0;   // overlong
    if (first == 0xED && at[1] >= 0xA0) return 0;  // a surrogate
    return 3;
  }
  if (first > 0xF4 || !continues(1) || !continues(2) || !continues(3)) return 0;
  if ((first == 0xF0 && at[1] < 0x90) || (first == 0xF4 && at[1] >= 0x90)) return 0;
  return 4;
}

}  // namespace

size_t FindNotUtf8(std::string_view bytes) {
  const auto* data = reinterpret_cast<const unsigned char*>(bytes.data());
  for (size_t i = 0; i < bytes.size();) {
    if (i + 8 <= bytes.size()) {  // eight ASCII characters at once
      uint64_t eight;
      std::memcpy(&eight, data + i, 8);
      if ((eight & 0x8080808080808080) == 0) {
        i += 8;
        continue;
      }
    }
    const size_t length = CharacterLength(data + i, bytes.size() - i);
    if (length == 0) return i;
    i += length;
  }
  return std::string_view::npos;
}

}  // namespace vaquita::lab
