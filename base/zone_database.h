// base/zone_database.h: time zones by their names in the system's tz database.
//
// Threads: any.
#pragma once

#include <string_view>

#include "absl/time/time.h"

namespace vaquita {

// Finds a zone such as "Europe/Berlin". Returns false for a name that the database does not have. absl::LoadTimeZone
// takes paths of files as well, of which some never end, so it never sees a text that could be one.
bool FindZone(std::string_view name, absl::TimeZone* zone);

}  // namespace vaquita
