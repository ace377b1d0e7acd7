// base/unicode.h: bytes as java.lang.String and Character see them, where HBase's rules go through text.
//
// Malformed UTF-8 reads as U+FFFD, as Java's decoder gives it. Classes of characters are Unicode's, from the C library.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace vaquita {

bool IsAscii(std::string_view text);

// The character of `text` at `*offset`, which moves past it. REQUIRES: *offset < text.size().
char32_t NextCharacter(std::string_view text, size_t* offset);

void AppendUtf8(char32_t c, std::string* out);

// `bytes` themselves if they are UTF-8; else `*scratch`, with what is malformed replaced.
std::string_view Utf8AsJavaReads(std::string_view bytes, std::string* scratch);

// String.toLowerCase(Locale.ROOT), appended to `*out`.
void AppendLowerCase(std::string_view text, std::string* out);

// Character.isAlphabetic or isDigit. Java looks at single UTF-16 units here, so nothing beyond U+FFFF is one.
bool IsLetterOrDigit(char32_t c);

}  // namespace vaquita
