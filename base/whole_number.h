// base/whole_number.h: reads a whole number from text.
//
// Threads: functions.
#pragma once

#include <charconv>
#include <string_view>
#include <system_error>

namespace vaquita {

// Reads all of `text` as a decimal number: digits, with a minus if the type has a sign. Returns false if the text is
// anything else (empty, blanks, a plus), or if the number does not fit; `*number` may have changed then.
template <typename Number>
bool ReadWholeNumber(std::string_view text, Number* number) {
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, *number);
  return error == std::errc() && stop == end;
}

}  // namespace vaquita
