// tests/semantics/words.h: the words of a script's line, and the text forms of bytes, timestamps and time spans.
//
// README.md describes the forms; confirm/src/Words.java reads and prints the same ones.
// Errors: a text that is not in the scripts' language is a mistake in a script and throws ScriptError, which ends the
// test.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/cell.h"

namespace vaquita::semantics {

struct ScriptError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The time at which every script starts.
inline constexpr int64_t kStartMs = 1'600'000'000'000;

// Words stand between blanks; quotes hold blanks together, \xNN is a byte, {a*300} is 300 times a. A group in
// parentheses stays as it is; its reader splits its content again.
std::vector<std::string> SplitWords(std::string_view line);

// Returns a value: long(5), int(5), decimal(1.5), or the word's own bytes.
std::string ValueOf(std::string_view word);
// HBase's Bytes.toBytes(BigDecimal): the scale in 4 bytes, then the unscaled number in as few bytes as it needs.
std::string DecimalBytes(std::string_view text);
std::string LongBytes(int64_t number);

// 5, T, T+10s, T-500, max.
int64_t ParseTimestamp(std::string_view word);
// 500, 10s, 5m, 2h, 3d; without a unit it is milliseconds.
int64_t ParseSpan(std::string_view word);
// 5..10, or 5.. without an end.
TimeRange ParseTimeRange(std::string_view word);
int64_t ParseNumber(std::string_view word);

// "f:q" at its first colon.
std::pair<std::string, std::string> SplitColumn(std::string_view word);
// "name=value" at its first equals sign; the value is empty without one.
std::pair<std::string, std::string> SplitOption(std::string_view word);

// Bytes and timestamps as a script writes them.
std::string PrintBytes(std::string_view bytes);
std::string PrintTimestamp(int64_t ms);

}  // namespace vaquita::semantics
