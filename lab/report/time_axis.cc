#include "lab/report/time_axis.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "absl/strings/str_format.h"
#include "absl/time/civil_time.h"
#include "absl/time/time.h"
#include "lab/records/time_text.h"

namespace vaquita::lab {
namespace {

constexpr uint64_t kLooks = 1024;
constexpr int64_t kSecond = 1000, kMinute = 60 * kSecond, kHour = 60 * kMinute, kDay = 24 * kHour;
constexpr double kMostTicks = 6.5;

using Points = std::vector<std::pair<double, int64_t>>;

// Returns false for a value that is no date, such as a time beyond the year 9999.
bool TimeOf(const FieldValue& value, FieldKind kind, int64_t* ms) {
  *ms = value.number;
  return (kind == FieldKind::kText ? ParseIsoTime(value.text, ms) : kind == FieldKind::kTime) && HasDate(*ms);
}

// Returns the field's times, or none if they do not go on with the run.
Points PointsOf(const RecordSet& records, uint64_t run, size_t field) {
  Points points;
  RecordBuffer buffer;
  const FieldKind kind = records.schema().fields()[field].kind;
  const uint64_t looks = std::min(kLooks, records.size());
  uint64_t late = 0;
  for (uint64_t look = 0; look < looks; ++look) {
    const uint64_t index = look + 1 == looks ? records.size() - 1 : records.size() / looks * look;
    int64_t ms = 0;
    if (!TimeOf(records.Get(index, &buffer)[field], kind, &ms)) return {};
    if (!points.empty() && ms < points.back().second) {
      if (++late * 10 > looks) return {};
      ms = points.back().second;
    }
    points.emplace_back(static_cast<double>(records.RunIndex(index)) / static_cast<double>(run), ms);
  }
  if (points.size() < 2 || points.front().second == points.back().second) return {};
  points.back().first = 1;
  return points;
}

// A tick's distance: milliseconds, or months.
struct Step {
  int64_t ms = 0;
  int months = 0;
};

Step StepFor(int64_t span) {
  constexpr std::array<int64_t, 25> kSteps = {1,           10,           100,          kSecond,      2 * kSecond,
                                              5 * kSecond, 10 * kSecond, 20 * kSecond, 30 * kSecond, kMinute,
                                              2 * kMinute, 5 * kMinute,  10 * kMinute, 20 * kMinute, 30 * kMinute,
                                              kHour,       2 * kHour,    3 * kHour,    6 * kHour,    12 * kHour,
                                              kDay,        2 * kDay,     5 * kDay,     7 * kDay,     14 * kDay};
  for (const int64_t step : kSteps) {
    if (static_cast<double>(span) / static_cast<double>(step) <= kMostTicks) return {.ms = step};
  }
  for (const int months : {1, 2, 3, 6, 12, 24, 60, 120, 1200, 6000}) {
    if (static_cast<double>(span) / (30.4 * kDay * months) <= kMostTicks) return {.months = months};
  }
  return {.months = 24'000};
}

std::string TickText(int64_t ms, const Step& step) {
  const absl::Time time = absl::FromUnixMillis(ms);
  const absl::TimeZone utc = absl::UTCTimeZone();
  const auto text = [&](const char* format) { return absl::FormatTime(format, time, utc); };
  if (step.months >= 12) return text("%Y");
  if (step.months > 0) return absl::ToCivilMonth(time, utc).month() == 1 ? text("%b %Y") : text("%b");
  if (step.ms >= kDay || ms % kDay == 0) return absl::StrFormat("%s %d", text("%b"), absl::ToCivilDay(time, utc).day());
  if (step.ms >= kMinute) return text("%H:%M");
  return step.ms >= kSecond ? text("%H:%M:%S") : text("%H:%M:%E3S");
}

}  // namespace

std::optional<TimeAxis> TimeAxis::Of(const RecordSet& records, uint64_t run) {
  if (records.size() < 2 || run < records.size()) return std::nullopt;
  for (size_t field = 0; field < records.schema().fields().size(); ++field) {
    Points points = PointsOf(records, run, field);
    if (!points.empty()) return TimeAxis(std::move(points));
  }
  return std::nullopt;
}

int64_t TimeAxis::MsAt(double place) const {
  const auto after = std::lower_bound(points_.begin(), points_.end(), place,
                                      [](const auto& point, double at) { return point.first < at; });
  if (after == points_.begin()) return first_ms();
  if (after == points_.end()) return last_ms();
  const auto& [right, end] = *after;
  const auto& [left, begin] = *std::prev(after);
  return begin + std::llround((place - left) / (right - left) * static_cast<double>(end - begin));
}

double TimeAxis::PlaceOf(int64_t ms) const {
  const auto after = std::lower_bound(points_.begin(), points_.end(), ms,
                                      [](const auto& point, int64_t at) { return point.second < at; });
  if (after == points_.begin()) return after->first;
  const auto& [right, end] = *after;
  const auto& [left, begin] = *std::prev(after);
  return left + (right - left) * static_cast<double>(ms - begin) / static_cast<double>(end - begin);
}

std::vector<AxisTick> TimeAxis::Ticks() const {
  const Step step = StepFor(last_ms() - first_ms());
  std::vector<AxisTick> ticks;
  if (step.months == 0) {
    int64_t ms = first_ms() / step.ms * step.ms;
    for (; ms <= last_ms(); ms += step.ms) {
      if (ms >= first_ms()) ticks.push_back({PlaceOf(ms), TickText(ms, step)});
    }
    return ticks;
  }
  const absl::TimeZone utc = absl::UTCTimeZone();
  const absl::CivilMonth first = absl::ToCivilMonth(absl::FromUnixMillis(first_ms()), utc);
  absl::CivilMonth month(first.year() / std::max(1, step.months / 12) * std::max(1, step.months / 12), 1);
  for (;; month += step.months) {
    const int64_t ms = absl::ToUnixMillis(absl::FromCivil(absl::CivilSecond(month), utc));
    if (ms > last_ms()) return ticks;
    if (ms >= first_ms()) ticks.push_back({PlaceOf(ms), TickText(ms, step)});
  }
}

std::string TimeAxis::Text(int64_t ms) const { return TimeText(ms, UnitWithin((last_ms() - first_ms()) / 100)); }

}  // namespace vaquita::lab
