// tools/shell/ruby_text.h: the methods of Ruby's String. For the other ruby_*.cc alone.
//
// Threads: any. Source: Ruby 2.6's String.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "tools/shell/ruby_arguments.h"

namespace vaquita::shell {

// Calls a method that changes the text. Returns false if the method is none of these.
absl::StatusOr<bool> ChangeText(std::string* text, std::string_view method, const Arguments& arguments);
// Returns text.method(arguments) of the others. REQUIRES: the method takes these arguments (ruby_signatures.h).
Answer CallOnText(const std::string& text, std::string_view method, const Arguments& arguments);

// Returns whether the number is the code of a character: those of surrogates are not.
constexpr bool IsCharacterCode(int64_t code) {
  return code >= 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
}
// Returns the text with replace(at) in place of each `part`, which is found at the byte `at`. An empty part is found
// before each character and at the end. An error if the text becomes longer than kMostTextBytes.
absl::StatusOr<std::string> Replaced(std::string_view text, std::string_view part,
                                     const std::function<absl::StatusOr<std::string>(size_t at)>& replace);
// Returns the text with as many characters of `pad` as make it `width` characters wide; `method` is rjust, ljust or
// center.
std::string PaddedText(const std::string& text, std::string_view method, int64_t width, std::string_view pad = " ");
// Returns at most the first `count` characters.
std::string FirstCharacters(std::string_view text, size_t count);
// Returns the texts of the range first..last. kInvalidArgument if there are more than a million, or if there is no room
// for them.
absl::StatusOr<Array> TextsBetween(const std::string& first, const std::string& last, bool exclusive, ValueRoom room);

}  // namespace vaquita::shell
