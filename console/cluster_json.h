// console/cluster_json.h: servers, tables, regions and stores as JSON, version 1. docs/console.md lists the fields.
//
// Each function answers one GET; `query` is the part of its URL behind the '?'. Errors: InvalidArgument names the
// parameter; NotFound and HBase's own errors name the table or region. Threads: any.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "console/cluster_gatherer.h"
#include "console/cluster_reader.h"

namespace vaquita {

absl::StatusOr<std::string> ClusterJson(ClusterReader* cluster, std::string_view query, int64_t now_ms);
absl::StatusOr<std::string> TableJson(ClusterReader* cluster, std::string_view query, int64_t now_ms);
absl::StatusOr<std::string> ServersJson(ClusterReader* cluster, std::string_view query, int64_t now_ms);
// A table with a part of its regions, from which TableJson makes its answer.
struct TableView {
  TableSummary table;
  std::vector<AssignedRegion> regions;  // all, by start key
  std::shared_ptr<const ClusterStatus> status;
  int64_t offset = 0;
  int64_t limit = 0;
};
std::string TableViewJson(const TableView& view, int64_t now_ms);
// Returns a region with its stores, and with their files if the region is in this process or its server can be asked.
absl::StatusOr<std::string> RegionJson(ClusterReader* cluster, const ConsoleSource& source,
                                       const ClusterGatherer* gatherer, std::string_view query, int64_t now_ms);

}  // namespace vaquita
