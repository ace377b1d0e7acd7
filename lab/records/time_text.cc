#include "lab/records/time_text.h"

#include <chrono>
#include <cstring>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/absl_text.h"
#include "base/zone_database.h"

namespace vaquita::lab {
namespace {

constexpr int64_t kMsPerDay = 86'400'000;
constexpr int64_t kYear0 = -62'167'219'200'000;
constexpr int64_t kYear10000 = 253'402'300'800'000;

// A civil time, and its parts by a pattern's letter.
struct Civil {
  int year = 1970;
  int month = 1;
  int day = 1;
  int day_of_year = -1;  // -1: not given
  int hour = 0;
  int minute = 0;
  int second = 0;
  int ms = 0;

  int* Part(char letter) {
    switch (letter) {
      case 'y':
        return &year;
      case 'M':
        return &month;
      case 'd':
        return &day;
      case 'D':
        return &day_of_year;
      case 'H':
        return &hour;
      case 'm':
        return &minute;
      case 's':
        return &second;
      case 'S':
        return &ms;
      default:
        return nullptr;
    }
  }
};

// Returns whether a pattern may have so many of a letter.
bool IsPart(char letter, int width) {
  switch (letter) {
    case 'y':
      return width == 4 || width == 2;
    case 'D':
    case 'S':
      return width == 3;
    default:
      return width == 2 && Civil().Part(letter) != nullptr;
  }
}

std::chrono::year_month_day Date(const Civil& civil) {
  return std::chrono::year(civil.year) / static_cast<unsigned>(civil.month) / static_cast<unsigned>(civil.day);
}

// REQUIRES: a year from 0 to 9999.
Civil FromUtc(int64_t ms) {
  const bool before = ms % kMsPerDay < 0;  // divisions go towards zero
  const int64_t day = ms / kMsPerDay - before;
  const int in_day = static_cast<int>(ms % kMsPerDay + before * kMsPerDay);
  const std::chrono::sys_days days{std::chrono::days(day)};
  const std::chrono::year_month_day date(days);
  const std::chrono::sys_days new_year{date.year() / 1 / 1};
  return {.year = static_cast<int>(date.year()),
          .month = static_cast<int>(static_cast<unsigned>(date.month())),
          .day = static_cast<int>(static_cast<unsigned>(date.day())),
          .day_of_year = static_cast<int>((days - new_year).count()) + 1,
          .hour = in_day / 3'600'000,
          .minute = in_day / 60'000 % 60,
          .second = in_day / 1000 % 60,
          .ms = in_day % 1000};
}

// Returns false if the time does not exist (a 30th of February, a day 366 of a year that has none).
bool ToUtc(const Civil& civil, int64_t* ms) {
  const std::chrono::year_month_day date = Date(civil);
  if (!date.ok() || civil.hour > 23 || civil.minute > 59 || civil.second > 59) return false;
  std::chrono::sys_days days(date);
  if (civil.day_of_year >= 0) {
    days = std::chrono::sys_days(date.year() / 1 / 1) + std::chrono::days(civil.day_of_year - 1);
    if (std::chrono::year_month_day(days).year() != date.year()) return false;
  }
  *ms = days.time_since_epoch().count() * kMsPerDay + civil.hour * 3'600'000 + civil.minute * 60'000 +
        civil.second * 1000 + civil.ms;
  return true;
}

// Takes exactly `width` digits off the front of `*text`.
bool TakeDigits(std::string_view* text, size_t width, int* number) {
  if (text->size() < width) return false;
  *number = 0;
  for (size_t i = 0; i < width; ++i) {
    if (!absl::ascii_isdigit((*text)[i])) return false;
    *number = *number * 10 + ((*text)[i] - '0');
  }
  text->remove_prefix(width);
  return true;
}

bool Take(std::string_view* text, char c) {
  if (!text->starts_with(c)) return false;
  text->remove_prefix(1);
  return true;
}

// A fraction of a second of any length; what is finer than milliseconds is dropped.
bool TakeFraction(std::string_view* text, int* ms) {
  int scale = 100;
  size_t digits = 0;
  for (; digits < text->size() && absl::ascii_isdigit((*text)[digits]); ++digits, scale /= 10) {
    *ms += ((*text)[digits] - '0') * scale;
  }
  text->remove_prefix(digits);
  return digits > 0;
}

// Z, +01:00, +0100 or nothing.
bool TakeOffset(std::string_view* text, int64_t* offset_ms) {
  *offset_ms = 0;
  if (text->empty() || Take(text, 'Z')) return true;
  const int sign = text->front() == '-' ? -1 : 1;
  if (!Take(text, '+') && !Take(text, '-')) return false;
  int hours, minutes;
  if (!TakeDigits(text, 2, &hours)) return false;
  Take(text, ':');
  if (!TakeDigits(text, 2, &minutes) || hours > 18 || minutes > 59) return false;
  *offset_ms = sign * (hours * 60 + minutes) * 60'000LL;
  return true;
}

absl::StatusOr<absl::TimeZone> LoadZone(std::string_view name) {
  if (name.starts_with('+') || name.starts_with('-')) {
    std::string_view rest = name;
    int64_t offset_ms;
    if (TakeOffset(&rest, &offset_ms) && rest.empty()) return absl::FixedTimeZone(static_cast<int>(offset_ms / 1000));
  }
  absl::TimeZone zone;
  if (FindZone(name, &zone)) return zone;
  return absl::InvalidArgumentError(absl::StrCat(
      "unknown time zone '", AbslText(name), "'; use a name such as 'Europe/Berlin' or an offset such as '+01:00'"));
}

// Takes the quoted text that begins at `*at` of a pattern: 'text', where '' is a quote, as it is alone. Returns false
// if it has no end.
bool TakeQuoted(std::string_view pattern, size_t* at, std::string* text) {
  text->clear();
  for (size_t i = *at + 1; i < pattern.size(); ++i) {
    if (pattern[i] == '\'' && (*at + 1 == i || i + 1 == pattern.size() || pattern[i + 1] != '\'')) {
      if (i == *at + 1) text->push_back('\'');
      *at = i + 1;
      return true;
    }
    if (pattern[i] == '\'') ++i;
    text->push_back(pattern[i]);
  }
  return false;
}

void PutPaddedNumber(int number, int width, char* to) {
  for (int i = width - 1; i >= 0; --i, number /= 10) to[i] = static_cast<char>('0' + number % 10);
}

}  // namespace

bool ParseIsoTime(std::string_view text, int64_t* ms) {
  Civil civil;
  int64_t offset_ms = 0;
  if (!TakeDigits(&text, 4, &civil.year) || !Take(&text, '-') || !TakeDigits(&text, 2, &civil.month) ||
      !Take(&text, '-') || !TakeDigits(&text, 2, &civil.day)) {
    return false;
  }
  if (Take(&text, 'T') || Take(&text, ' ')) {
    if (!TakeDigits(&text, 2, &civil.hour) || !Take(&text, ':') || !TakeDigits(&text, 2, &civil.minute)) return false;
    if (Take(&text, ':')) {
      if (!TakeDigits(&text, 2, &civil.second)) return false;
      if (Take(&text, '.') && !TakeFraction(&text, &civil.ms)) return false;
    }
    if (!TakeOffset(&text, &offset_ms)) return false;
  }
  if (!text.empty() || !ToUtc(civil, ms)) return false;
  *ms -= offset_ms;
  return true;
}

bool HasDate(int64_t ms) { return ms >= kYear0 && ms < kYear10000; }

TimeUnit UnitWithin(int64_t ms) {
  return ms >= kMsPerDay ? TimeUnit::kDay
         : ms >= 60'000  ? TimeUnit::kMinute
         : ms >= 1000    ? TimeUnit::kSecond
                         : TimeUnit::kMillisecond;
}

std::string TimeText(int64_t ms, TimeUnit unit) {
  if (!HasDate(ms)) return absl::StrCat(ms);
  const Civil civil = FromUtc(ms);
  std::string text = absl::StrFormat("%04d-%02d-%02d", civil.year, civil.month, civil.day);
  if (unit >= TimeUnit::kMinute) absl::StrAppendFormat(&text, " %02d:%02d", civil.hour, civil.minute);
  if (unit >= TimeUnit::kSecond) absl::StrAppendFormat(&text, ":%02d", civil.second);
  if (unit == TimeUnit::kMillisecond) absl::StrAppendFormat(&text, ".%03d", civil.ms);
  return text;
}

absl::StatusOr<TimePattern> TimePattern::Parse(std::string_view pattern, std::string_view zone) {
  TimePattern parsed;
  if (!zone.empty()) {
    absl::StatusOr<absl::TimeZone> loaded = LoadZone(zone);
    if (!loaded.ok()) return loaded.status();
    parsed.zone_ = *loaded;
  }
  for (size_t i = 0; i < pattern.size();) {
    size_t end = i;
    if (!absl::ascii_isalpha(pattern[i])) {
      std::string literal(pattern.substr(i, 1));
      if (literal != "'") {
        ++i;
      } else if (!TakeQuoted(pattern, &i, &literal)) {
        return absl::InvalidArgumentError("a quote in the pattern is not closed");
      }
      parsed.width_ += literal.size();
      parsed.pieces_.push_back({0, 0, std::move(literal)});
      continue;
    }
    while (end < pattern.size() && pattern[end] == pattern[i]) ++end;
    const int width = static_cast<int>(end - i);
    if (!IsPart(pattern[i], width)) {
      return absl::InvalidArgumentError(absl::StrCat("the pattern's '", AbslText(pattern.substr(i, end - i)),
                                                     "' is unknown; use yyyy, yy, MM, dd, DDD, HH, mm, ss or SSS, "
                                                     "and put other letters into 'quotes'"));
    }
    parsed.pieces_.push_back({pattern[i], width, {}});
    parsed.width_ += width;
    i = end;
  }
  return parsed;
}

bool TimePattern::Format(int64_t ms, char* to) const {
  if (!HasDate(ms)) return false;
  if (zone_) ms += zone_->At(absl::FromUnixMillis(ms)).offset * 1000LL;
  if (!HasDate(ms)) return false;
  Civil civil = FromUtc(ms);
  for (const Piece& piece : pieces_) {
    if (piece.letter == 0) {
      std::memcpy(to, piece.literal.data(), piece.literal.size());
      to += piece.literal.size();
    } else {
      PutPaddedNumber(*civil.Part(piece.letter), piece.width, to);
      to += piece.width;
    }
  }
  return true;
}

bool TimePattern::Parse(std::string_view text, int64_t* ms) const {
  Civil civil;
  for (const Piece& piece : pieces_) {
    if (piece.letter == 0) {
      if (!text.starts_with(piece.literal)) return false;
      text.remove_prefix(piece.literal.size());
    } else if (!TakeDigits(&text, piece.width, civil.Part(piece.letter))) {
      return false;
    } else if (piece.letter == 'y' && piece.width == 2) {
      civil.year += 2000;
    }
  }
  if (!text.empty() || !ToUtc(civil, ms)) return false;
  if (zone_) {
    const Civil date = FromUtc(*ms);  // the day of the year's month, too
    const absl::CivilSecond local(date.year, date.month, date.day, date.hour, date.minute, date.second);
    // As Java: a time that a change of the clock leaves out counts on from before it, and one that comes twice is the
    // second.
    const absl::TimeZone::TimeInfo times = zone_->At(local);
    const bool twice = times.kind == absl::TimeZone::TimeInfo::REPEATED;
    *ms = absl::ToUnixMillis(twice ? times.post : times.pre) + date.ms;
  }
  return true;
}

}  // namespace vaquita::lab
