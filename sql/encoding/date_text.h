// sql/encoding/date_text.h: points in time as text, in UTC, as Phoenix reads and prints them.
//
// Threads: functions. Source: DateUtil (5.2), java.text.SimpleDateFormat,
// org.apache.commons.lang3.time.FastDateFormat.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "sql/encoding/value.h"

namespace vaquita::sql {

inline constexpr std::string_view kDatePattern = "yyyy-MM-dd HH:mm:ss.SSS";

// The parts of a point in time, in UTC, by the calendar of sql/encoding/calendar.h.
struct CivilTime {
  int64_t year = 1970;
  int month = 1;
  int day = 1;
  int hour = 0;
  int minute = 0;
  int second = 0;
  int millisecond = 0;
  int weekday = 4;  // 0: Sunday
  int day_of_year = 1;
};
CivilTime CivilTimeOf(int64_t ms);
// Returns the sum as Java's long counts it: it wraps around.
inline int64_t WrappedSum(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
}

// Reads "2014-06-24", also with " 12:34:56.789" or "T12:34". Nanoseconds beyond the millisecond are kept. Returns
// IllegalData, in Phoenix's words, if the text is not such a time.
absl::StatusOr<Timestamp> ParseTimestamp(std::string_view text);
// Reads `text` by a pattern of java.text.SimpleDateFormat; what follows the pattern's last part is ignored. The text is
// in the time zone `zone` unless it names one itself. A year of two digits, read by "y" or "yy", is in the hundred
// years that end 20 years after `now_ms`. Returns IllegalData, naming both, if the text does not fit; for a zone or a
// letter that does not exist, too.
absl::StatusOr<int64_t> ParseByPattern(std::string_view text, std::string_view pattern, std::string_view zone,
                                       int64_t now_ms);
// Prints by such a pattern, in UTC. Returns IllegalData for a letter that patterns do not have.
absl::StatusOr<std::string> FormatByPattern(int64_t ms, std::string_view pattern);

// Returns the number of the ISO week, from 1 to 53. A week begins on Monday, and belongs to the year of its Thursday.
int IsoWeekOf(int64_t ms);

}  // namespace vaquita::sql
