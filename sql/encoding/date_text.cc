#include "sql/encoding/date_text.h"

#include "absl/strings/str_format.h"
#include "absl/time/civil_time.h"
#include "base/status.h"
#include "sql/encoding/sql_error.h"
#include "sql/encoding/text.h"

namespace vaquita::sql {
namespace {

constexpr int64_t kDayMs = 86'400'000;
constexpr std::string_view kMonths[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                        "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
constexpr std::string_view kWeekdays[] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};

absl::Status BadDate(std::string_view text) {
  return SqlError(ErrorCode::kIllegalData, Concat("Invalid format: \"", text, "\""));
}

// Reads up to `most` digits. Returns false if the text begins with none.
bool TakeNumber(std::string_view* text, size_t most, int64_t* number) {
  size_t digits = 0;
  while (digits < most && digits < text->size() && IsDigit((*text)[digits])) {
    ++digits;
  }
  if (digits == 0 || !ReadNumber(text->substr(0, digits), number)) return false;
  text->remove_prefix(digits);
  return true;
}

bool TakeCharacter(std::string_view* text, std::string_view any_of) {
  if (text->empty() || any_of.find(text->front()) == std::string_view::npos) return false;
  text->remove_prefix(1);
  return true;
}

// Returns the time if its parts exist: the 30th of February does not.
absl::StatusOr<int64_t> Checked(const CivilTime& time, std::string_view text) {
  const absl::CivilDay day(time.year, time.month, time.day);
  if (day.month() != time.month || day.day() != time.day || time.hour > 23 || time.minute > 59 || time.second > 59) {
    return SqlError(ErrorCode::kIllegalData, Concat("Cannot parse \"", text, "\": there is no such time"));
  }
  return MillisOf(time);
}

// Takes the optional " 12:34:56.789123".
bool TakeTimeOfDay(std::string_view* rest, CivilTime* time, int64_t* nanos) {
  int64_t part = 0;
  if (!TakeNumber(rest, 2, &part)) return false;
  time->hour = static_cast<int>(part);
  if (!TakeCharacter(rest, ":")) return true;
  if (!TakeNumber(rest, 2, &part)) return false;
  time->minute = static_cast<int>(part);
  if (!TakeCharacter(rest, ":")) return true;
  if (!TakeNumber(rest, 2, &part)) return false;
  time->second = static_cast<int>(part);
  if (!TakeCharacter(rest, ".")) return true;
  const size_t before = rest->size();
  if (!TakeNumber(rest, 9, nanos)) return false;
  for (size_t digits = before - rest->size(); digits < 9; ++digits) *nanos *= 10;
  return true;
}

std::string Pad(int64_t value, size_t width) { return absl::StrFormat("%0*d", static_cast<int>(width), value); }

}  // namespace

CivilTime CivilTimeOf(int64_t ms) {
  int64_t days = ms / kDayMs;
  int64_t of_day = ms % kDayMs;
  if (of_day < 0) {
    of_day += kDayMs;
    --days;
  }
  const absl::CivilDay day = absl::CivilDay(1970, 1, 1) + days;
  CivilTime time;
  time.year = day.year();
  time.month = day.month();
  time.day = day.day();
  time.hour = static_cast<int>(of_day / 3'600'000);
  time.minute = static_cast<int>(of_day / 60'000 % 60);
  time.second = static_cast<int>(of_day / 1000 % 60);
  time.millisecond = static_cast<int>(of_day % 1000);
  time.weekday = (static_cast<int>(absl::GetWeekday(day)) + 1) % 7;
  time.day_of_year = absl::GetYearDay(day);
  return time;
}

int64_t MillisOf(const CivilTime& time) {
  const int64_t days = absl::CivilDay(time.year, time.month, time.day) - absl::CivilDay(1970, 1, 1);
  return days * kDayMs + ((time.hour * 60LL + time.minute) * 60 + time.second) * 1000 + time.millisecond;
}

absl::StatusOr<Timestamp> ParseTimestamp(std::string_view text) {
  std::string_view rest = text;
  CivilTime time;
  const bool negative = TakeCharacter(&rest, "-");
  int64_t part = 0;
  if (!TakeNumber(&rest, 9, &time.year)) return BadDate(text);
  if (negative) time.year = -time.year;
  if (TakeCharacter(&rest, "-")) {
    if (!TakeNumber(&rest, 2, &part)) return BadDate(text);
    if (part < 1 || part > 12) {
      return SqlError(ErrorCode::kIllegalData, Concat("Cannot parse \"", text, "\": Value ", part,
                                                      " for monthOfYear must be in the range [1,12]"));
    }
    time.month = static_cast<int>(part);
    if (TakeCharacter(&rest, "-")) {
      if (!TakeNumber(&rest, 2, &part)) return BadDate(text);
      time.day = static_cast<int>(part);
    }
  }
  int64_t nanos = 0;
  if (TakeCharacter(&rest, " T") && !TakeTimeOfDay(&rest, &time, &nanos)) return BadDate(text);
  (void)TakeCharacter(&rest, "Z");
  if (!rest.empty()) return BadDate(text);
  VAQUITA_ASSIGN_OR_RETURN(const int64_t ms, Checked(time, text));
  return Timestamp{ms + nanos / 1'000'000, static_cast<int32_t>(nanos % 1'000'000)};
}

absl::StatusOr<int64_t> ParseByPattern(std::string_view text, std::string_view pattern) {
  CivilTime time;
  std::string_view rest = text;
  for (size_t i = 0; i < pattern.size();) {
    const char letter = pattern[i];
    size_t count = 1;
    while (i + count < pattern.size() && pattern[i + count] == letter) ++count;
    i += count;
    if (!absl::ascii_isalpha(static_cast<unsigned char>(letter))) {
      for (size_t k = 0; k < count; ++k)
        if (!TakeCharacter(&rest, std::string_view(&letter, 1))) return BadDate(text);
      continue;
    }
    int64_t number = 0;
    if (!TakeNumber(&rest, letter == 'y' && count > 2 ? 9 : std::max<size_t>(count, 2), &number)) return BadDate(text);
    switch (letter) {
      case 'y':
        time.year = count == 2 ? 2000 + number : number;
        break;
      case 'M':
        time.month = static_cast<int>(number);
        break;
      case 'd':
        time.day = static_cast<int>(number);
        break;
      case 'H':
        time.hour = static_cast<int>(number);
        break;
      case 'm':
        time.minute = static_cast<int>(number);
        break;
      case 's':
        time.second = static_cast<int>(number);
        break;
      case 'S':
        time.millisecond = static_cast<int>(number);
        break;
      default:
        return NotSupported(Concat("The letter ", std::string(1, letter), " of a date's pattern"));
    }
  }
  return Checked(time, text);
}

absl::StatusOr<std::string> FormatByPattern(int64_t ms, std::string_view pattern) {
  const CivilTime time = CivilTimeOf(ms);
  std::string text;
  for (size_t i = 0; i < pattern.size();) {
    const char letter = pattern[i];
    size_t count = 1;
    while (i + count < pattern.size() && pattern[i + count] == letter) ++count;
    i += count;
    switch (letter) {
      case 'y':
        text += count == 2 ? Pad(time.year % 100, 2) : Pad(time.year, count);
        break;
      case 'M':
        text += count >= 3 ? std::string(kMonths[time.month - 1]) : Pad(time.month, count);
        break;
      case 'd':
        text += Pad(time.day, count);
        break;
      case 'D':
        text += Pad(time.day_of_year, count);
        break;
      case 'H':
        text += Pad(time.hour, count);
        break;
      case 'h':
        text += Pad(time.hour % 12 == 0 ? 12 : time.hour % 12, count);
        break;
      case 'a':
        text += time.hour < 12 ? "AM" : "PM";
        break;
      case 'E':
        text += kWeekdays[time.weekday];
        break;
      case 'm':
        text += Pad(time.minute, count);
        break;
      case 's':
        text += Pad(time.second, count);
        break;
      case 'S':
        text += Pad(time.millisecond, count);
        break;
      case '\'':
        break;
      default:
        if (absl::ascii_isalpha(static_cast<unsigned char>(letter))) {
          return NotSupported(Concat("The letter ", std::string(1, letter), " of a date's pattern"));
        }
        text.append(count, letter);
    }
  }
  return text;
}

}  // namespace vaquita::sql
