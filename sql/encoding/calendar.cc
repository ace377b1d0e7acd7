#include "sql/encoding/calendar.h"

#include "absl/time/civil_time.h"

namespace vaquita::sql {
namespace {

constexpr int64_t kFirstGregorian = -141'427;  // 1582-10-15
constexpr int64_t kFourYears = 1461;           // days, of the Julian calendar
constexpr int64_t kMarchOfYear0 = -719'470;    // its first day, of the Julian calendar

int64_t Floor(int64_t number, int64_t by) { return number / by - (number % by < 0 ? 1 : 0); }

// The days of the Julian calendar are counted in years that begin in March, so that a leap day is the last one.
int64_t JulianDays(int64_t year, int64_t month) {
  const bool ends_year = month <= 2;
  const int64_t march_year = year - (ends_year ? 1 : 0);
  const int64_t four = Floor(march_year, 4);
  const int64_t from_march = month + (ends_year ? 9 : -3);
  return kMarchOfYear0 + four * kFourYears + (march_year - four * 4) * 365 + (153 * from_march + 2) / 5;
}

Date JulianDate(int64_t days) {
  const int64_t from = days - kMarchOfYear0;
  const int64_t four = Floor(from, kFourYears);
  const int64_t in_four = from - four * kFourYears;
  const int64_t year = (in_four - in_four / (kFourYears - 1)) / 365;
  const int64_t in_year = in_four - year * 365;
  const int64_t from_march = (5 * in_year + 2) / 153;
  const int64_t month = from_march + (from_march < 10 ? 3 : -9);
  return {four * 4 + year + (month <= 2 ? 1 : 0), static_cast<int>(month),
          static_cast<int>(in_year - (153 * from_march + 2) / 5 + 1)};
}

}  // namespace

int64_t DaysOf(int64_t year, int64_t month, int64_t day) {
  year += Floor(month - 1, 12);
  month -= Floor(month - 1, 12) * 12;
  const bool julian = year < 1582 || (year == 1582 && (month < 10 || (month == 10 && day < 15)));
  const int64_t first = julian ? JulianDays(year, month) : absl::CivilDay(year, month, 1) - absl::CivilDay(1970, 1, 1);
  return first + day - 1;
}

Date DateOf(int64_t days) {
  if (days < kFirstGregorian) return JulianDate(days);
  const absl::CivilDay day = absl::CivilDay(1970, 1, 1) + days;
  return {day.year(), day.month(), day.day()};
}

}  // namespace vaquita::sql
