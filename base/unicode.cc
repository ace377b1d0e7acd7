#include "base/unicode.h"

#include <algorithm>
#include <clocale>
#include <cstdint>
#include <cstring>
#include <cwctype>

namespace vaquita {
namespace {

constexpr char32_t kReplacement = 0xFFFD;
constexpr std::string_view kReplacementUtf8 = "\xEF\xBF\xBD";

// Returns a locale that is never freed. Null if the system has no such locale; only ASCII is known in that case.
locale_t Unicode() {
  static const locale_t locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
  return locale;
}

// Returns the length of the ASCII text that `text` begins with. Reads eight bytes at a time.
size_t AsciiLength(std::string_view text) {
  size_t i = 0;
  for (; i + sizeof(uint64_t) <= text.size(); i += sizeof(uint64_t)) {
    uint64_t word;
    std::memcpy(&word, text.data() + i, sizeof(word));
    if ((word & 0x8080808080808080) != 0) return i;
  }
  while (i < text.size() && static_cast<unsigned char>(text[i]) < 0x80) ++i;
  return i;
}

// Returns the position of the first byte that is not UTF-8, or the text's size.
size_t WellFormedLength(std::string_view text) {
  size_t i = AsciiLength(text);
  while (i < text.size()) {
    const size_t length = Utf8Length(text.substr(i));
    if (length == 0) return i;
    i += length;
    if (length > 1) i += AsciiLength(text.substr(i));
  }
  return i;
}

// Returns the number of bytes of a character whose first byte is `lead`; 0 if no character starts with it.
size_t SequenceLength(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return 2;
  if (lead >= 0xE0 && lead <= 0xEF) return 3;
  if (lead >= 0xF0 && lead <= 0xF4) return 4;
  return 0;
}

// Returns whether `second` may follow `lead`: overlong forms and characters beyond U+10FFFF are refused.
bool MayFollow(unsigned char lead, unsigned char second) {
  if (!ContinuesUtf8(static_cast<char>(second))) return false;
  if (lead == 0xE0) return second >= 0xA0;
  if (lead == 0xF0) return second >= 0x90;
  if (lead == 0xF4) return second <= 0x8F;
  return true;
}

}  // namespace

bool IsAscii(std::string_view text) { return AsciiLength(text) == text.size(); }

char32_t NextCharacter(std::string_view text, size_t* offset) {
  const auto lead = static_cast<unsigned char>(text[(*offset)++]);
  const size_t length = SequenceLength(lead);
  if (length == 0) return kReplacement;
  char32_t c = length == 1 ? lead : lead & (0x7F >> length);
  for (size_t i = 1; i < length; ++i) {
    if (*offset >= text.size()) return kReplacement;
    const auto byte = static_cast<unsigned char>(text[*offset]);
    if (i == 1 ? !MayFollow(lead, byte) : !ContinuesUtf8(text[*offset])) return kReplacement;
    c = c << 6 | (byte & 0x3F);
    ++*offset;
  }
  return c >= 0xD800 && c <= 0xDFFF ? kReplacement : c;
}

void AppendUtf8(char32_t c, std::string* out) {
  if (c < 0x80) {
    out->push_back(static_cast<char>(c));
    return;
  }
  const int following = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
  static constexpr unsigned char kLeads[] = {0, 0xC0, 0xE0, 0xF0};
  out->push_back(static_cast<char>(kLeads[following] | c >> (6 * following)));
  for (int i = following - 1; i >= 0; --i) out->push_back(static_cast<char>(0x80 | (c >> (6 * i) & 0x3F)));
}

size_t Utf8Length(std::string_view text) {
  size_t length = 0;
  const bool is_replacement = NextCharacter(text, &length) == kReplacement;
  return is_replacement && text.substr(0, length) != kReplacementUtf8 ? 0 : length;
}

bool IsUtf8(std::string_view text) { return WellFormedLength(text) == text.size(); }

std::string_view Utf8AsJavaReads(std::string_view bytes, std::string* scratch) {
  size_t offset = WellFormedLength(bytes);
  if (offset == bytes.size()) return bytes;
  scratch->assign(bytes.substr(0, offset));
  while (offset < bytes.size()) AppendUtf8(NextCharacter(bytes, &offset), scratch);
  return *scratch;
}

void AppendLowerCase(std::string_view text, std::string* out) {
  if (IsAscii(text)) {
    const auto start = static_cast<std::ptrdiff_t>(out->size());
    out->append(text);
    std::for_each(out->begin() + start, out->end(), [](char& c) { c = c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c; });
    return;
  }
  for (size_t offset = 0; offset < text.size();) {
    char32_t c = NextCharacter(text, &offset);
    if (c < 0x80) {
      if (c >= 'A' && c <= 'Z') c += 'a' - 'A';
    } else if (Unicode() != nullptr) {
      c = static_cast<char32_t>(towlower_l(static_cast<wint_t>(c), Unicode()));
    }
    AppendUtf8(c, out);
  }
}

void AppendUpperCase(std::string_view text, std::string* out) {
  for (size_t offset = 0; offset < text.size();) {
    char32_t c = NextCharacter(text, &offset);
    if (c < 0x80) {
      if (c >= 'a' && c <= 'z') c -= 'a' - 'A';
    } else if (c == 0xDF) {
      out->append("SS");
      continue;
    } else if (Unicode() != nullptr) {
      c = static_cast<char32_t>(towupper_l(static_cast<wint_t>(c), Unicode()));
    }
    AppendUtf8(c, out);
  }
}

bool IsLetterOrDigit(char32_t c) {
  if (c < 0x80) return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
  return c <= 0xFFFF && Unicode() != nullptr && iswalnum_l(static_cast<wint_t>(c), Unicode());
}

}  // namespace vaquita
