// console/rows_json.h: a few rows of a table as JSON, version 1. docs/console.md lists the fields.
//
// It reads only regions of this process. The console of another server has the rows of its regions. Threads: any.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "base/clock.h"

namespace vaquita {

class RegionServer;

// Answers a GET; `query` is the part of its URL behind the '?'. Errors: InvalidArgument names the parameter;
// Unavailable means that this process does not have the region of the first row.
absl::StatusOr<std::string> RowsJson(RegionServer* server, std::string_view query, Clock* clock);

}  // namespace vaquita
