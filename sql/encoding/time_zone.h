// sql/encoding/time_zone.h: time zones by their names, from the system's tz database.
//
// Threads: functions. Source: JodaTimezoneCache, ConvertTimezoneFunction, TimezoneOffsetFunction (5.2).
#pragma once

#include <cstdint>
#include <string_view>

#include "absl/status/statusor.h"

namespace vaquita::sql {

// Returns how many ms the zone's clocks are ahead of UTC at a point in time. Returns IllegalData, naming the zone, if
// the system does not know it. "Europe/Rome", "UTC", "GMT+2" and "+02:00" are names.
absl::StatusOr<int64_t> ZoneOffset(std::string_view zone, int64_t ms);
// Returns the point in time at which the zone's clocks show what UTC's show at `local_ms`, as java.util.Calendar has
// it: the later one if there are two, because clocks go back. A time that clocks leave out is one before they went
// forward.
absl::StatusOr<int64_t> LocalToUtc(std::string_view zone, int64_t local_ms);

}  // namespace vaquita::sql
