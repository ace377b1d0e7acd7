#include "tests/semantics/words.h"

#include <charconv>
#include <cstdio>
#include <cstdlib>

namespace vaquita::semantics {
namespace {

struct Unit {
  char letter;
  int64_t ms;
};
constexpr Unit kUnits[] = {{'d', 86'400'000}, {'h', 3'600'000}, {'m', 60'000}, {'s', 1'000}};

// A run of one byte that is at least this long prints as {a*N}.
constexpr size_t kLongRun = 32;

[[noreturn]] void Fail(std::string_view what, std::string_view line) {
  throw ScriptError(std::string(what) + ": " + std::string(line));
}

size_t EndOfGroup(std::string_view line, size_t at) {
  int depth = 0;
  bool quoted = false;
  for (size_t i = at; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '"') {
      quoted = !quoted;
    } else if (c == '\\') {
      ++i;
    } else if (!quoted && c == '(') {
      ++depth;
    } else if (!quoted && c == ')' && --depth == 0) {
      return i + 1;
    }
  }
  Fail("a parenthesis is not closed", line);
}

size_t ReadEscape(std::string_view line, size_t at, std::string* word) {
  const char kind = at + 1 < line.size() ? line[at + 1] : '\0';
  if (kind == 'x' && at + 4 <= line.size()) {
    uint8_t byte = 0;
    if (std::from_chars(line.data() + at + 2, line.data() + at + 4, byte, 16).ptr != line.data() + at + 4) {
      Fail("\\x without two hex digits", line);
    }
    word->push_back(static_cast<char>(byte));
    return at + 4;
  }
  if (kind != '\\' && kind != '"' && kind != '{' && kind != '(') Fail("unknown escape", line);
  word->push_back(kind);
  return at + 2;
}

size_t ReadWord(std::string_view line, size_t at, std::string* word);

size_t ReadRepeat(std::string_view line, size_t at, std::string* word) {
  const size_t end = line.find('}', at);
  const size_t star = line.rfind('*', end);
  if (end == line.npos || star == line.npos || star < at) Fail("{bytes*count} expected", line);
  std::string unit;
  ReadWord(line.substr(at + 1, star - at - 1), 0, &unit);
  for (int64_t i = ParseNumber(line.substr(star + 1, end - star - 1)); i > 0; --i) *word += unit;
  return end + 1;
}

size_t ReadWord(std::string_view line, size_t at, std::string* word) {
  bool quoted = false;
  while (at < line.size()) {
    const char c = line[at];
    if (c == '"') {
      quoted = !quoted;
      ++at;
    } else if (c == '\\') {
      at = ReadEscape(line, at, word);
    } else if (!quoted && c == ' ') {
      break;
    } else if (!quoted && c == '(' && (word->empty() || word->back() == '=')) {
      const size_t end = EndOfGroup(line, at);
      *word += line.substr(at, end - at);
      at = end;
    } else if (!quoted && c == '{') {
      at = ReadRepeat(line, at, word);
    } else {
      word->push_back(c);
      ++at;
    }
  }
  if (quoted) Fail("a quote is not closed", line);
  return at;
}

std::string BigEndian(int64_t number, int bytes) {
  std::string out;
  for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) out.push_back(static_cast<char>(number >> shift));
  return out;
}

std::string PrintSpan(int64_t ms) {
  for (const Unit& unit : kUnits) {
    if (ms % unit.ms == 0) return std::to_string(ms / unit.ms) + unit.letter;
  }
  return std::to_string(ms);
}

std::string PrintByte(unsigned char c) {
  if (c == '"' || c == '\\' || c == '{') return std::string("\\") + static_cast<char>(c);
  if (c >= 0x20 && c < 0x7f) return std::string(1, static_cast<char>(c));
  char text[5];
  std::snprintf(text, sizeof text, "\\x%02X", c);
  return text;
}

}  // namespace

std::vector<std::string> SplitWords(std::string_view line) {
  std::vector<std::string> words;
  size_t at = 0;
  while (true) {
    while (at < line.size() && line[at] == ' ') ++at;
    if (at == line.size()) return words;
    std::string word;
    at = ReadWord(line, at, &word);
    words.push_back(std::move(word));
  }
}

std::string LongBytes(int64_t number) { return BigEndian(number, 8); }

std::string DecimalBytes(std::string_view text) {
  const size_t dot = text.find('.');
  const int scale = dot == text.npos ? 0 : static_cast<int>(text.size() - dot - 1);
  std::string digits(text);
  if (dot != text.npos) digits.erase(dot, 1);
  const int64_t unscaled = ParseNumber(digits);
  int bytes = 1;
  while (bytes < 8 && (unscaled >> (8 * bytes - 1)) != 0 && (unscaled >> (8 * bytes - 1)) != -1) ++bytes;
  return BigEndian(scale, 4) + BigEndian(unscaled, bytes);
}

std::string ValueOf(std::string_view word) {
  const size_t open = word.find('(');
  if (open == word.npos || !word.ends_with(')')) return std::string(word);
  const std::string_view form = word.substr(0, open);
  const std::string_view inner = word.substr(open + 1, word.size() - open - 2);
  if (form == "long") return LongBytes(ParseNumber(inner));
  if (form == "int") return BigEndian(ParseNumber(inner), 4);
  if (form == "decimal") return DecimalBytes(inner);
  return std::string(word);
}

int64_t ParseNumber(std::string_view word) {
  int64_t number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error != std::errc() || end != word.data() + word.size()) Fail("not a number", word);
  return number;
}

int64_t ParseSpan(std::string_view word) {
  for (const Unit& unit : kUnits) {
    if (word.ends_with(unit.letter)) return ParseNumber(word.substr(0, word.size() - 1)) * unit.ms;
  }
  return ParseNumber(word);
}

int64_t ParseTimestamp(std::string_view word) {
  if (word == "max") return kMaxTimestamp;
  if (!word.starts_with('T')) return ParseNumber(word);
  if (word.size() == 1) return kStartMs;
  const int64_t span = ParseSpan(word.substr(2));
  return word[1] == '+' ? kStartMs + span : kStartMs - span;
}

TimeRange ParseTimeRange(std::string_view word) {
  const size_t dots = word.find("..");
  if (dots == word.npos) Fail("not a time range", word);
  const std::string_view end = word.substr(dots + 2);
  return {ParseTimestamp(word.substr(0, dots)), end.empty() ? kMaxTimestamp : ParseTimestamp(end)};
}

std::pair<std::string, std::string> SplitColumn(std::string_view word) {
  const size_t colon = word.find(':');
  if (colon == word.npos) Fail("not a column", word);
  return {std::string(word.substr(0, colon)), std::string(word.substr(colon + 1))};
}

std::pair<std::string, std::string> SplitOption(std::string_view word) {
  const size_t equals = word.find('=');
  if (equals == word.npos) return {std::string(word), ""};
  return {std::string(word.substr(0, equals)), std::string(word.substr(equals + 1))};
}

std::string PrintBytes(std::string_view bytes) {
  std::string out;
  bool quote = bytes.empty() || bytes[0] == '(' || bytes[0] == '@';
  for (size_t i = 0; i < bytes.size();) {
    size_t same = bytes.find_first_not_of(bytes[i], i);
    if (same == bytes.npos) same = bytes.size();
    const std::string one = PrintByte(static_cast<unsigned char>(bytes[i]));
    quote |= bytes[i] == ' ';
    if (same - i >= kLongRun) {
      out += "{" + one + "*" + std::to_string(same - i) + "}";
      i = same;
    } else {
      out += one;
      ++i;
    }
  }
  return quote ? "\"" + out + "\"" : out;
}

std::string PrintTimestamp(int64_t ms) {
  if (ms == kMaxTimestamp) return "max";
  const int64_t since = ms - kStartMs;
  if (std::abs(since) > 1'000 * kUnits[0].ms) return std::to_string(ms);
  if (since == 0) return "T";
  return (since < 0 ? "T-" : "T+") + PrintSpan(std::abs(since));
}

}  // namespace vaquita::semantics
