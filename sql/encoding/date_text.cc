#include "sql/encoding/date_text.h"

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_format.h"
#include "base/status.h"
#include "sql/encoding/calendar.h"
#include "sql/encoding/sql_error.h"
#include "sql/encoding/text.h"
#include "sql/encoding/time_zone.h"

namespace vaquita::sql {
namespace {

constexpr int64_t kDayMs = 86'400'000;
constexpr int64_t kFirstYear = -292'275'054;  // Joda-Time has no others
constexpr int64_t kLastYear = 292'278'993;
constexpr size_t kShortName = 3;
constexpr std::string_view kMonths[] = {"January", "February", "March",     "April",   "May",      "June",
                                        "July",    "August",   "September", "October", "November", "December"};
constexpr std::string_view kWeekdays[] = {"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"};

absl::Status BadDate(std::string_view text) {
  return SqlError(ErrorCode::kIllegalData, Concat("Invalid format: \"", text, "\""));
}

// Reads up to `most` digits. Returns false if the text begins with none.
template <typename Number>
bool TakeNumber(std::string_view* text, size_t most, Number* number) {
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

// Beyond 292 million years it wraps around, as Java's long does.
int64_t MillisOf(const CivilTime& time) {
  const int64_t days = DaysOf(time.year, time.month, time.day);
  const auto midnight = static_cast<int64_t>(static_cast<uint64_t>(days) * kDayMs);
  return WrappedSum(midnight, ((time.hour * 60LL + time.minute) * 60 + time.second) * 1000 + time.millisecond);
}

// Returns the time if its parts exist: the 30th of February does not.
absl::StatusOr<int64_t> Checked(const CivilTime& time, std::string_view text) {
  const Date given{time.year, time.month, time.day};
  const bool exists = DateOf(DaysOf(time.year, time.month, time.day)) == given;
  if (!exists || time.hour > 23 || time.minute > 59 || time.second > 59) {
    return SqlError(ErrorCode::kIllegalData, Concat("Cannot parse \"", text, "\": there is no such time"));
  }
  return MillisOf(time);
}

// Takes the optional " 12:34:56.789123".
bool TakeTimeOfDay(std::string_view* rest, CivilTime* time, int64_t* nanos) {
  if (!TakeNumber(rest, 2, &time->hour)) return false;
  if (!TakeCharacter(rest, ":")) return true;
  if (!TakeNumber(rest, 2, &time->minute)) return false;
  if (!TakeCharacter(rest, ":")) return true;
  if (!TakeNumber(rest, 2, &time->second)) return false;
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
  const Date date = DateOf(days);
  CivilTime time;
  time.year = date.year;
  time.month = date.month;
  time.day = date.day;
  time.hour = static_cast<int>(of_day / 3'600'000);
  time.minute = static_cast<int>(of_day / 60'000 % 60);
  time.second = static_cast<int>(of_day / 1000 % 60);
  time.millisecond = static_cast<int>(of_day % 1000);
  time.weekday = static_cast<int>((days % 7 + 7 + 4) % 7);  // 1970-01-01 was a Thursday
  time.day_of_year = static_cast<int>(days - DaysOf(date.year, 1, 1)) + 1;
  return time;
}

absl::StatusOr<Timestamp> ParseTimestamp(std::string_view text) {
  std::string_view rest = text;
  CivilTime time;
  const bool negative = TakeCharacter(&rest, "-");
  if (!TakeNumber(&rest, 9, &time.year)) return BadDate(text);
  if (negative) time.year = -time.year;
  if (time.year < kFirstYear || time.year > kLastYear) {
    return SqlError(ErrorCode::kIllegalData,
                    Concat("Cannot parse \"", text, "\": Value ", time.year, " for year must be in the range [",
                           kFirstYear, ",", kLastYear, "]"));
  }
  if (time.year == 0) {
    return SqlError(ErrorCode::kIllegalData, Concat("Cannot parse \"", text, "\": Value 0 for year is not supported"));
  }
  if (negative) ++time.year;  // the year before 1 is 1 BC
  if (TakeCharacter(&rest, "-")) {
    if (!TakeNumber(&rest, 2, &time.month)) return BadDate(text);
    if (time.month < 1 || time.month > 12) {
      return SqlError(ErrorCode::kIllegalData, Concat("Cannot parse \"", text, "\": Value ", time.month,
                                                      " for monthOfYear must be in the range [1,12]"));
    }
    if (TakeCharacter(&rest, "-") && !TakeNumber(&rest, 2, &time.day)) return BadDate(text);
  }
  int64_t nanos = 0;
  if (TakeCharacter(&rest, " T") && !TakeTimeOfDay(&rest, &time, &nanos)) return BadDate(text);
  (void)TakeCharacter(&rest, "Z");
  if (!rest.empty()) return BadDate(text);
  VAQUITA_ASSIGN_OR_RETURN(const int64_t ms, Checked(time, text));
  return Timestamp{ms + nanos / 1'000'000, static_cast<int32_t>(nanos % 1'000'000)};
}

namespace {

// Cuts a pattern into runs of one letter, and texts between them.
class PatternReader {
 public:
  explicit PatternReader(std::string_view pattern) : rest_(pattern) {}

  // A run of letters, or (letter 0) the text of `literal`.
  struct Part {
    char letter = 0;
    size_t count = 0;
    std::string literal;
  };

  bool Next(Part* part) {
    if (rest_.empty()) return false;
    *part = Part();
    const char first = rest_.front();
    if (absl::ascii_isalpha(static_cast<unsigned char>(first))) {
      part->letter = first;
      part->count = std::min(rest_.find_first_not_of(first), rest_.size());
      rest_.remove_prefix(part->count);
      return true;
    }
    while (!rest_.empty() && !absl::ascii_isalpha(static_cast<unsigned char>(rest_.front()))) TakeLiteral(part);
    return true;
  }

 private:
  // Takes one character, or a quoted text. Two quotes are one.
  void TakeLiteral(Part* part) {
    const char c = rest_.front();
    rest_.remove_prefix(1);
    if (c != '\'') {
      part->literal += c;
      return;
    }
    if (rest_.starts_with('\'')) {
      part->literal += c;
      rest_.remove_prefix(1);
      return;
    }
    const size_t end = std::min(rest_.find('\''), rest_.size());
    part->literal += rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
  }

  std::string_view rest_;
};

absl::Status BadLetter(const PatternReader::Part& part) {
  return SqlError(ErrorCode::kIllegalData, Concat("Illegal pattern component: ", std::string(part.count, part.letter)));
}

// Takes one of the names, whole or its first letters, in any case. Returns its place from 0, or -1.
int TakeName(std::string_view* text, std::span<const std::string_view> names) {
  for (size_t i = 0; i < names.size(); ++i) {
    for (const size_t length : {names[i].size(), kShortName}) {
      if (!SameIgnoringCase(text->substr(0, length), names[i].substr(0, length))) continue;
      text->remove_prefix(std::min(length, text->size()));
      return static_cast<int>(i);
    }
  }
  return -1;
}

// The parts of a time that were read by a pattern.
struct ReadTime {
  CivilTime time;
  std::string zone;
  bool twelve_hours = false;  // the hour is one of 12
  bool afternoon = false;
  bool of_century = false;  // the year is one of 100
};

// Reads a part that is no number. Returns nullopt if the part is one.
std::optional<bool> TakeNamedPart(const PatternReader::Part& part, std::string_view* text, ReadTime* read) {
  constexpr std::string_view kHalves[] = {"AM", "PM"};
  switch (part.letter) {
    case 0:
      if (!text->starts_with(part.literal)) return false;
      text->remove_prefix(part.literal.size());
      return true;
    case 'M': {
      if (part.count < kShortName) return std::nullopt;
      const int month = TakeName(text, kMonths);
      read->time.month = month + 1;
      return month >= 0;
    }
    case 'E':
      return TakeName(text, kWeekdays) >= 0;
    case 'a': {
      const int half = TakeName(text, kHalves);
      read->afternoon = half == 1;
      return half >= 0;
    }
    case 'z':
    case 'Z':
    case 'X': {
      const size_t end = std::min(text->find_first_of(" ,)]"), text->size());
      read->zone = text->substr(0, end);
      text->remove_prefix(end);
      return end > 0;
    }
    default:
      return std::nullopt;
  }
}

// Sets the part that the letter names. Returns false if no such letter is read as a number.
bool SetNumber(const PatternReader::Part& part, int64_t number, ReadTime* read) {
  CivilTime& time = read->time;
  const auto value = static_cast<int>(number);
  switch (part.letter) {
    case 'y':
      time.year = value;
      return true;
    case 'M':
      time.month = value;
      return true;
    case 'd':
      time.day = value;
      return true;
    case 'H':
      time.hour = value;
      return true;
    case 'k':
      time.hour = value == 24 ? 0 : value;
      return true;
    case 'h':
    case 'K':
      read->twelve_hours = true;
      time.hour = value == 12 ? 0 : value;
      return true;
    case 'm':
      time.minute = value;
      return true;
    case 's':
      time.second = value;
      return true;
    case 'S':
      time.millisecond = value;
      return true;
    default:
      return false;
  }
}

// Returns the time so many days later.
CivilTime DaysLater(int64_t ms, int days) { return CivilTimeOf(WrappedSum(ms, days * kDayMs)); }

// Returns the Thursday of the week that begins on Monday.
CivilTime ThursdayOf(int64_t ms) {
  const int from_monday = (CivilTimeOf(ms).weekday + 6) % 7;
  return DaysLater(ms, 3 - from_monday);
}

// Returns the week of a year or month, `day` days into it (from 1), as the USA count: weeks begin on Sunday, and the
// first day is in week 1.
int SundayWeek(int day, int weekday) { return (day + 6 - weekday + 6) / 7; }

// The last days of a year that share a week with the next one's first day are in week 1.
int SundayWeekOfYear(const CivilTime& time, int64_t ms) {
  const CivilTime saturday = DaysLater(ms, 6 - time.weekday);
  return saturday.year > time.year ? 1 : SundayWeek(time.day_of_year, time.weekday);
}

// Returns the part's text, empty if patterns have no such letter.
std::string FormatPart(const PatternReader::Part& part, const CivilTime& time, int64_t ms) {
  const size_t count = part.count;
  switch (part.letter) {
    case 'G':
      return time.year > 0 ? "AD" : "BC";
    case 'y':
      if (time.year <= 0) return Pad(1 - time.year, count);  // 45 BC is the year -44
      return count == 2 ? Pad(time.year % 100, 2) : Pad(time.year, count);
    case 'Y': {
      const int64_t year = ThursdayOf(ms).year;
      return count == 2 ? Pad(year % 100, 2) : Pad(year, count);
    }
    case 'M':
      return std::string(count > kShortName    ? kMonths[time.month - 1]
                         : count == kShortName ? kMonths[time.month - 1].substr(0, kShortName)
                                               : Pad(time.month, count));
    case 'd':
      return Pad(time.day, count);
    case 'D':
      return Pad(time.day_of_year, count);
    case 'E':
      return std::string(count > kShortName ? kWeekdays[time.weekday] : kWeekdays[time.weekday].substr(0, kShortName));
    case 'u':
      return Pad(time.weekday == 0 ? 7 : time.weekday, count);
    case 'F':
      return Pad((time.day - 1) / 7 + 1, count);
    case 'w':
      return Pad(SundayWeekOfYear(time, ms), count);
    case 'W':
      return Pad(SundayWeek(time.day, time.weekday), count);
    case 'H':
      return Pad(time.hour, count);
    case 'k':
      return Pad(time.hour == 0 ? 24 : time.hour, count);
    case 'K':
      return Pad(time.hour % 12, count);
    case 'h':
      return Pad(time.hour % 12 == 0 ? 12 : time.hour % 12, count);
    case 'a':
      return time.hour < 12 ? "AM" : "PM";
    case 'm':
      return Pad(time.minute, count);
    case 's':
      return Pad(time.second, count);
    case 'S':
      return Pad(time.millisecond, count);
    case 'z':
      return count < 4 ? "GMT" : "Greenwich Mean Time";
    case 'Z':
      return count == 2 ? "Z" : "+0000";
    case 'X':
      return "Z";
    default:
      return "";
  }
}

}  // namespace

int IsoWeekOf(int64_t ms) { return (ThursdayOf(ms).day_of_year - 1) / 7 + 1; }

absl::StatusOr<int64_t> ParseByPattern(std::string_view text, std::string_view pattern, std::string_view zone,
                                       int64_t now_ms) {
  constexpr size_t kMostPatternBytes = 10'000;
  if (pattern.size() > kMostPatternBytes) {
    return SqlError(ErrorCode::kIllegalData,
                    Concat("A pattern of a date has at most ", kMostPatternBytes, " bytes, not ", pattern.size()));
  }
  const absl::Status bad = SqlError(ErrorCode::kIllegalData, Concat("Unable to parse date/time '", text,
                                                                    "' using format string of '", pattern, "'."));
  std::vector<PatternReader::Part> parts;
  PatternReader reader(pattern);
  for (PatternReader::Part part; reader.Next(&part);) parts.push_back(part);
  ReadTime read;
  std::string_view rest = text;
  for (size_t i = 0; i < parts.size(); ++i) {
    const PatternReader::Part& part = parts[i];
    const std::optional<bool> taken = TakeNamedPart(part, &rest, &read);
    if (taken == false) return bad;
    if (taken == true) continue;
    int64_t number = 0;
    // A number that follows at once ends this one: "yyyyMMdd".
    const bool followed = i + 1 < parts.size() && parts[i + 1].letter != 0 && SetNumber(parts[i + 1], 0, &read);
    const size_t most = followed ? part.count : std::max<size_t>(part.count, 9);
    if (!SetNumber(part, 0, &read)) return BadLetter(part);
    const size_t before = rest.size();
    if (!TakeNumber(&rest, most, &number) || !SetNumber(part, number, &read)) return bad;
    if (part.letter == 'y') read.of_century = part.count <= 2 && before - rest.size() == 2;
  }
  if (read.twelve_hours && read.afternoon) read.time.hour += 12;
  // Java's calendar is lenient: the 30th of February is in March.
  const auto found = [&] { return LocalToUtc(read.zone.empty() ? zone : read.zone, MillisOf(read.time)); };
  if (!read.of_century) return found();
  CivilTime first = CivilTimeOf(now_ms);
  first.year -= 80;
  read.time.year += first.year - first.year % 100;
  VAQUITA_ASSIGN_OR_RETURN(const int64_t ms, found());
  if (ms >= MillisOf(first)) return ms;
  read.time.year += 100;
  return found();
}

absl::StatusOr<std::string> FormatByPattern(int64_t ms, std::string_view pattern) {
  const CivilTime time = CivilTimeOf(ms);
  std::string text;
  PatternReader reader(pattern);
  for (PatternReader::Part part; reader.Next(&part);) {
    const std::string printed = part.letter == 0 ? part.literal : FormatPart(part, time, ms);
    if (part.letter != 0 && printed.empty()) return BadLetter(part);
    text += printed;
  }
  return text;
}

}  // namespace vaquita::sql
