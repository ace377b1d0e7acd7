#include "lab/design/java_hash.h"

#include "base/unicode.h"

namespace vaquita::lab {

int32_t JavaStringHash(std::string_view text) {
  uint32_t hash = 0;
  for (size_t i = 0; i < text.size();) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte < 0x80) {
      hash = 31 * hash + byte;
      ++i;
      continue;
    }
    const char32_t c = NextCharacter(text, &i);
    if (c > 0xFFFF) {
      hash = 31 * hash + (0xD800 + ((c - 0x10000) >> 10));
      hash = 31 * hash + (0xDC00 + ((c - 0x10000) & 0x3FF));
    } else {
      hash = 31 * hash + c;
    }
  }
  return static_cast<int32_t>(hash);
}

int32_t JavaBytesHash(std::string_view bytes) {
  uint32_t hash = 1;
  for (const char c : bytes) hash = 31 * hash + static_cast<uint32_t>(static_cast<signed char>(c));
  return static_cast<int32_t>(hash);
}

}  // namespace vaquita::lab
