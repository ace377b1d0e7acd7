// lab/report/words.h: numbers and times as people say them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace vaquita::lab {

// Returns "2,105", "10 million", "3.5 billion": three digits from a million on.
std::string CountInWords(double number);
// Returns "2 days", "2.8 hours", "45 minutes", "90 seconds": three digits.
std::string DurationInWords(double ms);

// Returns the text in lines of at most `width` characters, broken at spaces, and within a word that is longer. The x of
// a share, "1.20 x", stays with its number. A character of UTF-8 is one. A text of more than kMostLines lines is cut,
// and ends with "...".
inline constexpr size_t kMostLines = 20;
std::vector<std::string> Wrapped(std::string_view text, size_t width);

}  // namespace vaquita::lab
