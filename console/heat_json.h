// console/heat_json.h: heat pictures as JSON, version 1. docs/console.md lists the fields.
//
// Threads: any.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "model/table_name.h"
#include "server/heat/heat_findings.h"
#include "server/heat/heat_history.h"

namespace vaquita {

// No request may ask for more.
inline constexpr int64_t kMostHeatRows = 1024;
inline constexpr int64_t kMostHeatColumns = 1440;

// A request for a picture.
struct HeatRequest {
  TableName table;
  HeatMetric metric = HeatMetric::kWrites;
  HeatQuery query;
  std::string since;  // as an answer to the same request had it; empty: all is wanted
};

// Reads the parameters of a URL's query: table, metric (reads, writes, bytes), last (a time until now, in ms) or from
// and to (ms), start and end (keys as \xNN text), rows, columns, since. Errors: InvalidArgument names the parameter and
// what would be right.
absl::StatusOr<HeatRequest> ParseHeatRequest(std::string_view url_query, int64_t now_ms);

// Returns "writes", "reads" or "bytes".
std::string_view MetricText(HeatMetric metric);

// Answers the whole picture; or, if the answer that the request's `since` came with had the same rows, the columns
// alone that are new or may have grown.
std::string HeatJson(const HeatRequest& request, const HeatPicture& picture, int64_t now_ms);

}  // namespace vaquita
