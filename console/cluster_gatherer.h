// console/cluster_gatherer.h: asks region servers' consoles for the heat, rows, files and events that the master's
// console shows.
//
// It asks by HTTP, as a browser would, and waits at most two seconds for a server and six for all. It leaves out a
// server that does not answer. Threads: any.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "base/json_value.h"
#include "console/cluster_reader.h"
#include "console/console_source.h"
#include "console/heat_json.h"

namespace vaquita {

class ClusterGatherer {
 public:
  // Both outlive it.
  ClusterGatherer(const ConsoleSource* source, ClusterReader* cluster) : source_(*source), cluster_(*cluster) {}

  // Returns whether this process can ask servers. If not, the following methods return Unavailable.
  bool can_ask() const { return source_.ask_server != nullptr; }
  // Returns the tables that clients read or wrote lately at any server.
  absl::StatusOr<std::string> TablesJson() const;
  // Returns a picture of all servers' regions.
  absl::StatusOr<std::string> HeatJson(std::string_view query, int64_t now_ms) const;
  // Returns rows of the server that has the first one, and the key at which to go on.
  absl::StatusOr<std::string> RowsJson(std::string_view query) const;
  // Returns a region with its files, from its own server.
  absl::StatusOr<std::string> RegionJson(const std::string& server, const std::string& region) const;
  // Returns the events of regions at the servers from a time on, as an array of EventsJson's.
  Json Events(const std::string& table, int64_t from_ms) const;

 private:
  absl::StatusOr<std::vector<std::string>> ServersOf(const TableName& table) const;
  // Returns the answers that came; an error if there are servers and none answered.
  absl::StatusOr<std::vector<std::string>> AskAll(const std::vector<std::string>& servers,
                                                  const std::string& path) const;

  const ConsoleSource& source_;
  ClusterReader& cluster_;
};

// Joins the pictures of servers that have different regions of a table. Columns get the length of the longest.
HeatPicture JoinPictures(std::vector<HeatPicture> pictures);
// These read another server's answers. They return InvalidArgument if one has not this version's form. A picture has no
// more rows and columns than can be asked for, and its numbers are so small that those of all servers have a sum.
absl::StatusOr<HeatPicture> ReadHeatJson(std::string_view text, HeatMetric metric);
absl::StatusOr<std::vector<std::string>> ReadTablesJson(std::string_view text);
absl::StatusOr<Json> ReadEventsJson(std::string_view text);

}  // namespace vaquita
