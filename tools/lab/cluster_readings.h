// tools/lab/cluster_readings.h: reads the counters of a running cluster's regions again and again, though it may go
// away and come back.
//
// Threads: one at a time.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "client/connection.h"
#include "model/cluster_status.h"
#include "tools/lab/live_cluster.h"

namespace vaquita {

class ClusterReadings {
 public:
  // Reads the regions of `table`, or of all user tables if it is empty. If `patient`, a reading waits for the cluster
  // as other commands do; if not, it fails after two seconds.
  ClusterReadings(const LiveCluster& cluster, std::string table, bool patient)
      : cluster_(cluster), table_(std::move(table)), patient_(patient) {}

  // Returns the servers with those regions: none if there is no table. After an error the next call connects again.
  // Returns InvalidArgument for an address or name that can never be right.
  absl::StatusOr<std::vector<ServerMetrics>> Read();

 private:
  absl::StatusOr<std::vector<ServerMetrics>> ReadOnce();

  const LiveCluster cluster_;
  const std::string table_;
  const bool patient_;
  std::shared_ptr<client::Connection> connection_;  // null: not connected
};

}  // namespace vaquita
