// sql/encoding/text.h: joins and reads text as std::string_view, which Abseil's functions do not take in Debian 12.
//
// Threads: functions.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <type_traits>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "base/absl_text.h"
#include "base/unicode.h"

namespace vaquita::sql {

template <typename Part>
const Part& ForAbsl(const Part& part) {
  return part;
}
inline absl::string_view ForAbsl(std::string_view part) { return AbslText(part); }

// Joins the parts, as absl::StrCat does.
template <typename... Parts>
std::string Concat(const Parts&... parts) {
  return absl::StrCat(ForAbsl(parts)...);
}

template <typename... Parts>
void AppendText(std::string* text, const Parts&... parts) {
  absl::StrAppend(text, ForAbsl(parts)...);
}

inline std::string Hex(std::string_view bytes) { return absl::BytesToHexString(AbslText(bytes)); }
inline bool SameIgnoringCase(std::string_view a, std::string_view b) {
  return absl::EqualsIgnoreCase(AbslText(a), AbslText(b));
}
inline std::string_view WithoutBlanks(std::string_view text) { return text.substr(0, text.find_last_not_of(' ') + 1); }
// Returns the number of characters in UTF-8.
inline size_t Characters(std::string_view text) {
  return static_cast<size_t>(std::ranges::count_if(text, [](char c) { return !ContinuesUtf8(c); }));
}
inline bool IsDigit(char c) { return absl::ascii_isdigit(static_cast<unsigned char>(c)); }
// Reads `text` as a decimal number. The whole text must be one.
template <typename Number>
bool ReadNumber(std::string_view text, Number* number) {
  if constexpr (std::is_floating_point_v<Number>)
    return absl::SimpleAtod(AbslText(text), number);
  else
    return absl::SimpleAtoi(AbslText(text), number);
}

}  // namespace vaquita::sql
