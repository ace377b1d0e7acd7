// This file has the engine's functions of dates, which are ms since 1970: YEAR, ROUND, CONVERT_TZ and their like.
#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "absl/strings/ascii.h"
#include "base/status.h"
#include "sql/encoding/calendar.h"
#include "sql/encoding/date_text.h"
#include "sql/encoding/sql_error.h"
#include "sql/encoding/text.h"
#include "sql/encoding/time_zone.h"
#include "sql/encoding/value_codec.h"
#include "sql/engine/function_tools.h"
#include "sql/engine/sqlite_value.h"

namespace vaquita::sql {
namespace {

constexpr int64_t kMinuteMs = 60'000;
constexpr int64_t kHourMs = 60 * kMinuteMs;
constexpr int64_t kDayMs = 24 * kHourMs;
constexpr int64_t kFarthestMs = 4'000'000'000'000'000'000;  // a unit of time more fits into the number

// The arguments are the text, a pattern and a time zone. Those left out, or null, have their defaults.
absl::StatusOr<Timestamp> MomentOf(sqlite3_context* context, int count, sqlite3_value** values) {
  const std::string_view text = TextOf(values[0]);
  const bool has_pattern = count > 1 && !IsNull(values[1]);
  const bool has_zone = count > 2 && !IsNull(values[2]);
  if (!has_pattern && !has_zone) {
    VAQUITA_ASSIGN_OR_RETURN(Timestamp moment, ParseTimestamp(text));
    moment.nanos = 0;  // Phoenix's functions read no more than milliseconds
    return moment;
  }
  VAQUITA_ASSIGN_OR_RETURN(const int64_t ms,
                           ParseByPattern(text, has_pattern ? TextOf(values[1]) : kDatePattern,
                                          has_zone ? TextOf(values[2]) : "UTC", StartOfQueryMs(context)));
  return Timestamp{ms, 0};
}

void ToDate(sqlite3_context* context, int count, sqlite3_value** values) {
  if (IsNull(values[0])) return sqlite3_result_null(context);
  const auto moment = MomentOf(context, count, values);
  if (!moment.ok()) return Fail(context, moment.status());
  sqlite3_result_int64(context, moment->ms);
}

void ToTimestamp(sqlite3_context* context, int count, sqlite3_value** values) {
  if (IsNull(values[0])) return sqlite3_result_null(context);
  const auto moment = MomentOf(context, count, values);
  if (!moment.ok()) return Fail(context, moment.status());
  SetResult(context, TypeId::kTimestamp, *moment);
}

absl::StatusOr<Value> TimestampOfMillis(int, sqlite3_value** values) {
  return Value(Timestamp{sqlite3_value_int64(values[0]), 0});
}

absl::StatusOr<Value> MillisOfTimestamp(int, sqlite3_value** values) {
  VAQUITA_ASSIGN_OR_RETURN(const Value moment, DecodeValue(TypeId::kTimestamp, BlobOf(values[0])));
  return Value(moment.timestamp().ms);
}

absl::StatusOr<Value> AddMillis(int, sqlite3_value** values) {
  VAQUITA_ASSIGN_OR_RETURN(const Value moment, DecodeValue(TypeId::kTimestamp, BlobOf(values[0])));
  const int64_t ms = WrappedSum(moment.timestamp().ms, sqlite3_value_int64(values[1]));
  return Value(Timestamp{ms, moment.timestamp().nanos});
}

void DateText(sqlite3_context* context, int count, sqlite3_value** values) {
  if (IsNull(values[0])) return sqlite3_result_null(context);
  const bool has_pattern = count > 1 && !IsNull(values[1]);
  auto text = FormatByPattern(sqlite3_value_int64(values[0]), has_pattern ? TextOf(values[1]) : kDatePattern);
  if (!text.ok()) return Fail(context, text.status());
  SetResult(context, TypeId::kVarchar, Value(*std::move(text)));
}

template <auto part>
absl::StatusOr<Value> DatePart(int, sqlite3_value** values) {
  return Value(static_cast<int64_t>(CivilTimeOf(sqlite3_value_int64(values[0])).*part));
}

absl::StatusOr<Value> Week(int, sqlite3_value** values) {
  return Value(int64_t{IsoWeekOf(sqlite3_value_int64(values[0]))});
}

// The year before 1 is -1.
absl::StatusOr<Value> Year(int, sqlite3_value** values) {
  const int64_t year = CivilTimeOf(sqlite3_value_int64(values[0])).year;
  return Value(year > 0 ? year : year - 1);
}

absl::StatusOr<Value> DayOfWeek(int, sqlite3_value** values) {
  const int day = CivilTimeOf(sqlite3_value_int64(values[0])).weekday;
  return Value(int64_t{day == 0 ? 7 : day});
}

// Shows a time of one zone's clocks on those of another. Phoenix takes the offsets that both have when UTC's clocks
// show it, so that it is an hour off near a change of them.
absl::StatusOr<Value> ConvertZone(int, sqlite3_value** values) {
  const int64_t ms = sqlite3_value_int64(values[0]);
  VAQUITA_ASSIGN_OR_RETURN(const int64_t from, ZoneOffset(TextOf(values[1]), ms));
  VAQUITA_ASSIGN_OR_RETURN(const int64_t to, ZoneOffset(TextOf(values[2]), ms));
  return Value(WrappedSum(ms, to - from));
}

absl::StatusOr<Value> OffsetMinutes(int, sqlite3_value** values) {
  VAQUITA_ASSIGN_OR_RETURN(const int64_t offset, ZoneOffset(TextOf(values[0]), sqlite3_value_int64(values[1])));
  return Value(offset / kMinuteMs);
}

enum class Rounding { kNearest, kFloor, kCeiling };

struct UnitRow {
  std::string_view name;
  int64_t ms;  // 0: of the calendar
};
constexpr std::array<UnitRow, 8> kUnits = {{{"DAY", kDayMs},
                                            {"HOUR", kHourMs},
                                            {"MINUTE", kMinuteMs},
                                            {"SECOND", 1000},
                                            {"MILLISECOND", 1},
                                            {"WEEK", 0},
                                            {"MONTH", 0},
                                            {"YEAR", 0}}};

absl::StatusOr<UnitRow> UnitOf(sqlite3_value* value) {
  std::string name(TextOf(value));
  absl::AsciiStrToUpper(&name);
  const auto* unit = std::ranges::find(kUnits, std::string_view(name), &UnitRow::name);
  if (unit != kUnits.end()) return *unit;
  return SqlError(ErrorCode::kIllegalData, Concat("Invalid value of time unit ", name));
}

// The start of a week, month or year, and of the next one.
struct CalendarPart {
  int64_t begin = 0;
  int64_t end = 0;
  bool end_is_even = false;  // the number of the next part, at which halves are rounded
};

CalendarPart PartAround(int64_t ms, std::string_view unit) {
  const CivilTime time = CivilTimeOf(ms);
  CalendarPart part;
  if (unit == "WEEK") {
    part.begin = (DaysOf(time.year, time.month, time.day) - (time.weekday + 6) % 7) * kDayMs;
    part.end = part.begin + 7 * kDayMs;
    part.end_is_even = IsoWeekOf(part.end) % 2 == 0;
  } else if (unit == "MONTH") {
    part.begin = DaysOf(time.year, time.month, 1) * kDayMs;
    part.end = DaysOf(time.year, time.month + 1, 1) * kDayMs;
    part.end_is_even = time.month % 2 == 1;
  } else {
    part.begin = DaysOf(time.year, 1, 1) * kDayMs;
    part.end = DaysOf(time.year + 1, 1, 1) * kDayMs;
    part.end_is_even = time.year % 2 != 0;
  }
  return part;
}

int64_t RoundToCalendar(int64_t ms, std::string_view unit, Rounding rounding) {
  const CalendarPart part = PartAround(ms, unit);
  if (rounding == Rounding::kFloor) return part.begin;
  if (rounding == Rounding::kCeiling) return ms == part.begin ? ms : part.end;
  const int64_t below = ms - part.begin;
  const int64_t above = part.end - ms;
  if (below == above) return part.end_is_even ? part.end : part.begin;
  return below < above ? part.begin : part.end;
}

// The arguments are the ms, the unit and a number of units.
template <Rounding rounding>
void RoundDate(sqlite3_context* context, int count, sqlite3_value** values) {
  if (IsNull(values[0])) return sqlite3_result_null(context);
  const auto unit = UnitOf(values[1]);
  if (!unit.ok()) return Fail(context, unit.status());
  const int64_t ms = sqlite3_value_int64(values[0]);
  if (ms > kFarthestMs || ms < -kFarthestMs) {
    return Fail(context, SqlError(ErrorCode::kIllegalData, Concat("the date ", ms, " is too far away to be rounded")));
  }
  if (unit->ms == 0) return sqlite3_result_int64(context, RoundToCalendar(ms, unit->name, rounding));
  const int64_t times = count > 2 && !IsNull(values[2]) ? sqlite3_value_int64(values[2]) : 1;
  if (times < 1 || times > 1'000'000) {
    return Fail(context, SqlError(ErrorCode::kIllegalData,
                                  Concat("a date is rounded to 1 to 1000000 units of time, not to ", times)));
  }
  const int64_t step = unit->ms * times;
  const int64_t up = rounding == Rounding::kFloor ? 0 : rounding == Rounding::kCeiling ? step - 1 : step / 2;
  // Like Java's, the division goes towards 1970.
  sqlite3_result_int64(context, (ms + up) / step * step);
}

// Rounds a TIMESTAMP's nanoseconds to the millisecond.
template <Rounding rounding>
absl::StatusOr<Value> RoundNanos(int, sqlite3_value** values) {
  constexpr int32_t kHalf = 500'000;
  VAQUITA_ASSIGN_OR_RETURN(const Value moment, DecodeValue(TypeId::kTimestamp, BlobOf(values[0])));
  const int32_t nanos = moment.timestamp().nanos;
  const bool up = rounding == Rounding::kCeiling ? nanos > 0 : nanos >= kHalf;
  return Value(Timestamp{WrappedSum(moment.timestamp().ms, up ? 1 : 0), 0});
}

void Now(sqlite3_context* context, int, sqlite3_value**) { sqlite3_result_int64(context, StartOfQueryMs(context)); }

constexpr NamedFunction kDateFunctions[] = {
    {"px_to_date", -1, ToDate},
    {"px_to_timestamp", -1, ToTimestamp},
    {"px_timestamp", 1, Call<TimestampOfMillis, TypeId::kTimestamp>},
    {"px_millis", 1, Call<MillisOfTimestamp, TypeId::kDate>},
    {"px_add_ms", 2, Call<AddMillis, TypeId::kTimestamp>},
    {"px_date_text", -1, DateText},
    {"px_year", 1, Call<Year, TypeId::kInteger>},
    {"px_month", 1, Call<DatePart<&CivilTime::month>, TypeId::kInteger>},
    {"px_day", 1, Call<DatePart<&CivilTime::day>, TypeId::kInteger>},
    {"px_day_of_year", 1, Call<DatePart<&CivilTime::day_of_year>, TypeId::kInteger>},
    {"px_hour", 1, Call<DatePart<&CivilTime::hour>, TypeId::kInteger>},
    {"px_minute", 1, Call<DatePart<&CivilTime::minute>, TypeId::kInteger>},
    {"px_second", 1, Call<DatePart<&CivilTime::second>, TypeId::kInteger>},
    {"px_week", 1, Call<Week, TypeId::kInteger>},
    {"px_day_of_week", 1, Call<DayOfWeek, TypeId::kInteger>},
    {"px_convert_tz", 3, Call<ConvertZone, TypeId::kDate>},
    {"px_timezone_offset", 2, Call<OffsetMinutes, TypeId::kInteger>},
    {"px_round_date", -1, RoundDate<Rounding::kNearest>},
    {"px_floor_date", -1, RoundDate<Rounding::kFloor>},
    {"px_ceil_date", -1, RoundDate<Rounding::kCeiling>},
    {"px_round_nanos", 1, Call<RoundNanos<Rounding::kNearest>, TypeId::kTimestamp>},
    {"px_ceil_nanos", 1, Call<RoundNanos<Rounding::kCeiling>, TypeId::kTimestamp>},
    {"px_now", 0, Now},
};

}  // namespace

std::span<const NamedFunction> DateFunctions() { return kDateFunctions; }

}  // namespace vaquita::sql
