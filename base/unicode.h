// base/unicode.h: bytes as java.lang.String and Character see them, for HBase's rules that go through text.
//
// Malformed UTF-8 reads as U+FFFD, as Java's decoder gives it. Classes of characters are Unicode's, from the C library.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace vaquita {

bool IsAscii(std::string_view text);

// Returns the character of `text` at `*offset`, and moves the offset past it. REQUIRES: *offset < text.size().
char32_t NextCharacter(std::string_view text, size_t* offset);

void AppendUtf8(char32_t c, std::string* out);

// Returns the length of the well-formed character that `text` begins with (RFC 3629: no surrogates, nothing overlong,
// nothing above U+10FFFF), or 0. REQUIRES: `text` is not empty.
size_t Utf8Length(std::string_view text);
bool IsUtf8(std::string_view text);
// Returns whether a byte of UTF-8 continues the character of the byte before.
inline bool ContinuesUtf8(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

// Returns `bytes` if they are UTF-8; else `*scratch`, in which malformed bytes are replaced.
std::string_view Utf8AsJavaReads(std::string_view bytes, std::string* scratch);

// Appends String.toLowerCase(Locale.ROOT) to `*out`.
void AppendLowerCase(std::string_view text, std::string* out);
// Appends String.toUpperCase(Locale.ROOT) to `*out`. Only \u00DF becomes two letters.
void AppendUpperCase(std::string_view text, std::string* out);

// Returns Character.isAlphabetic or isDigit. Java looks at single UTF-16 units here, so characters beyond U+FFFF do not
// count.
bool IsLetterOrDigit(char32_t c);

}  // namespace vaquita
