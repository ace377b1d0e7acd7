// console/cluster_json.h: servers, tables, regions and stores as JSON, version 1. docs/console.md has the fields.
//
// Each function answers one GET; `query` is what follows the '?' of its URL. Errors: InvalidArgument names the
// parameter; NotFound and HBase's own errors name the table or region. Threads: any.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "console/cluster_reader.h"

namespace vaquita {

absl::StatusOr<std::string> ClusterJson(ClusterReader* cluster, std::string_view query, int64_t now_ms);
absl::StatusOr<std::string> TableJson(ClusterReader* cluster, std::string_view query, int64_t now_ms);
absl::StatusOr<std::string> ServersJson(ClusterReader* cluster, std::string_view query, int64_t now_ms);
// A region with its stores, and with their files if the region is in this process.
absl::StatusOr<std::string> RegionJson(ClusterReader* cluster, const ConsoleSource& source, std::string_view query,
                                       int64_t now_ms);

}  // namespace vaquita
