// sql/encoding/calendar.h: dates as Java's calendars have them: the Julian calendar's before 1582-10-15, the Gregorian
// calendar's from that day on. Between them is no day: 1582-10-04 was the one before.
//
// Threads: functions. Source: java.util.GregorianCalendar, org.joda.time.chrono.GJChronology.
#pragma once

#include <cstdint>

namespace vaquita::sql {

struct Date {
  int64_t year = 1970;  // 0 is 1 BC
  int month = 1;
  int day = 1;
  friend bool operator==(const Date&, const Date&) = default;
};

// Returns the days since 1970-01-01. A month or day may be beyond the last one: they count on, as in a calendar that is
// lenient. A date between the calendars is the Julian one's.
int64_t DaysOf(int64_t year, int64_t month, int64_t day);
Date DateOf(int64_t days);

}  // namespace vaquita::sql
