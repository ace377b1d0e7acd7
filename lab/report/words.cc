#include "lab/report/words.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/unicode.h"
#include "lab/report/simulation_report.h"

namespace vaquita::lab {
namespace {

struct Word {
  double from;
  double size;
  const char* name;
};

// Returns whether the space at `space` is that of "1.20 x".
bool IsShare(std::string_view text, size_t space) {
  return space != std::string_view::npos && space > 0 && text.substr(space).starts_with(" x") &&
         absl::ascii_isdigit(text[space - 1]) && (space + 2 == text.size() || !absl::ascii_isalnum(text[space + 2]));
}

// Returns the number of bytes of the first `width` characters.
size_t BytesOf(std::string_view text, size_t width) {
  size_t bytes = 0;
  while (bytes < text.size() && (width > 0 || ContinuesUtf8(text[bytes]))) {
    if (!ContinuesUtf8(text[bytes])) --width;
    ++bytes;
  }
  return bytes;
}

}  // namespace

std::string CountInWords(double number) {
  constexpr Word kWords[] = {
      {999.5e12, 1e15, ""}, {999.5e9, 1e12, "trillion"}, {999.5e6, 1e9, "billion"}, {1e6, 1e6, "million"}};
  if (number >= kWords[0].from) return absl::StrFormat("%.3g", number);
  for (const Word& word : kWords) {
    if (number >= word.from) return absl::StrFormat("%.3g %s", number / word.size, word.name);
  }
  return WithCommas(static_cast<uint64_t>(std::llround(number)));
}

std::string DurationInWords(double ms) {
  constexpr double kSecond = 1000, kMinute = 60 * kSecond, kHour = 60 * kMinute, kDay = 24 * kHour;
  constexpr Word kWords[] = {{1.5 * kDay, kDay, "day"},
                             {1.5 * kHour, kHour, "hour"},
                             {1.5 * kMinute, kMinute, "minute"},
                             {0, kSecond, "second"}};
  for (const Word& word : kWords) {
    if (ms < word.from) continue;
    const double count = ms / word.size;
    const std::string text =
        count >= 1000 ? WithCommas(static_cast<uint64_t>(std::llround(count))) : absl::StrFormat("%.3g", count);
    return absl::StrCat(text, " ", word.name, text == "1" ? "" : "s");
  }
  return "";
}

std::vector<std::string> Wrapped(std::string_view text, size_t width) {
  constexpr std::string_view kCut = "...";
  std::vector<std::string> lines;
  while (!text.empty()) {
    if (lines.size() == kMostLines) {
      std::string& last = lines.back();
      last.resize(BytesOf(last, width - std::min(width, kCut.size())));
      last += kCut;
      break;
    }
    size_t end = BytesOf(text, width);
    if (end < text.size() && (text[end] != ' ' || IsShare(text, end))) {
      size_t space = text.rfind(' ', end);
      if (IsShare(text, space)) space = text.rfind(' ', space - 1);
      if (space != std::string_view::npos && space > 0) end = space;
    }
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end);
    if (text.starts_with(' ')) text.remove_prefix(1);
  }
  return lines;
}

}  // namespace vaquita::lab
