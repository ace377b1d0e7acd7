// console/rows_json.h: a few rows of a table as JSON, version 1. docs/console.md has the fields.
//
// It reads regions of this process alone: rows of others are at their own server's console. Threads: any.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "base/clock.h"

namespace vaquita {

class RegionServer;

// Answers a GET; `query` is what follows the '?' of its URL. Errors: InvalidArgument names the parameter.
// Unavailable: the region of the first row is not here.
absl::StatusOr<std::string> RowsJson(RegionServer* server, std::string_view query, Clock* clock);

}  // namespace vaquita
