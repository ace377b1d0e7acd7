// console/cluster_gatherer.h: asks the consoles of region servers for what the master's console shows: heat, rows,
// files and events.
//
// Each is asked by HTTP, as a browser would, for at most two seconds, and all together for at most six; one that does
// not answer is left out. Threads: any.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "console/cluster_reader.h"
#include "console/console_source.h"
#include "console/heat_json.h"

namespace vaquita {

class ClusterGatherer {
 public:
  // Both outlive it.
  ClusterGatherer(const ConsoleSource* source, ClusterReader* cluster) : source_(*source), cluster_(*cluster) {}

  // Returns whether this process can ask servers. If not, the following answer Unavailable.
  bool can_ask() const { return source_.ask_server != nullptr; }
  // The tables that were read or written lately at any server.
  absl::StatusOr<std::string> TablesJson() const;
  // A picture of all servers' regions.
  absl::StatusOr<std::string> HeatJson(std::string_view query, int64_t now_ms) const;
  // The rows that the server of the first one has, and the key at which to go on.
  absl::StatusOr<std::string> RowsJson(std::string_view query) const;
  // A region with its files, of its own server.
  absl::StatusOr<std::string> RegionJson(const std::string& server, const std::string& region) const;
  // The events of regions at the servers, as an array of EventsJson's.
  nlohmann::ordered_json Events(const std::string& table) const;

 private:
  absl::StatusOr<std::vector<std::string>> ServersOf(const TableName& table) const;
  // Returns the answers of those that answered; an error if there are servers and none did.
  absl::StatusOr<std::vector<std::string>> AskAll(const std::vector<std::string>& servers,
                                                  const std::string& path) const;

  const ConsoleSource& source_;
  ClusterReader& cluster_;
};

// Joins the pictures of servers that have different regions of a table. Columns get the length of the longest.
HeatPicture JoinPictures(std::vector<HeatPicture> pictures);
// Reads what HeatJson wrote. InvalidArgument: it is none of this version's.
absl::StatusOr<HeatPicture> ReadHeatJson(std::string_view text, HeatMetric metric);

}  // namespace vaquita
