#include "sql/encoding/time_zone.h"

#include <string>

#include "absl/time/civil_time.h"
#include "absl/time/time.h"
#include "base/status.h"
#include "base/zone_database.h"
#include "sql/encoding/sql_error.h"
#include "sql/encoding/text.h"

namespace vaquita::sql {
namespace {

// Reads "+2", "-02:30" and "+0230".
bool ReadOffset(std::string_view text, absl::TimeZone* zone) {
  if (text.size() < 2 || (text[0] != '+' && text[0] != '-')) return false;
  const size_t colon = text.find(':');
  const bool four = colon == std::string_view::npos && text.size() == 5;
  const std::string_view hour_text = text.substr(1, four ? 2 : (colon == std::string_view::npos ? colon : colon - 1));
  const std::string_view minute_text =
      four ? text.substr(3) : (colon == std::string_view::npos ? "0" : text.substr(colon + 1));
  int hours = 0;
  int minutes = 0;
  if (!IsDigit(text[1]) || !ReadNumber(hour_text, &hours) || !ReadNumber(minute_text, &minutes)) return false;
  if (hours > 23 || minutes > 59 || minutes < 0) return false;
  const int seconds = (hours * 60 + minutes) * 60;
  *zone = absl::FixedTimeZone(text[0] == '-' ? -seconds : seconds);
  return true;
}

absl::StatusOr<absl::TimeZone> FindZone(std::string_view name) {
  absl::TimeZone zone;
  if (name == "UTC" || name == "GMT" || name == "Z") return absl::UTCTimeZone();
  if (ReadOffset(name.starts_with("GMT") ? name.substr(3) : name, &zone)) return zone;
  if (vaquita::FindZone(name, &zone)) return zone;
  return SqlError(ErrorCode::kIllegalData, Concat("Unknown timezone ", name));
}

}  // namespace

absl::StatusOr<int64_t> ZoneOffset(std::string_view zone, int64_t ms) {
  VAQUITA_ASSIGN_OR_RETURN(const absl::TimeZone found, FindZone(zone));
  return found.At(absl::FromUnixMillis(ms)).offset * int64_t{1000};
}

absl::StatusOr<int64_t> LocalToUtc(std::string_view zone, int64_t local_ms) {
  VAQUITA_ASSIGN_OR_RETURN(const absl::TimeZone found, FindZone(zone));
  const absl::Time shown = absl::FromUnixMillis(local_ms);
  const absl::TimeZone::CivilInfo civil = absl::UTCTimeZone().At(shown);
  const absl::TimeZone::TimeInfo times = found.At(civil.cs);
  const bool is_twice = times.kind == absl::TimeZone::TimeInfo::REPEATED;
  return absl::ToUnixMillis((is_twice ? times.post : times.pre) + civil.subsecond);
}

}  // namespace vaquita::sql
