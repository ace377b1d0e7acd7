// model/replication_peer.h: another cluster to which rows should be replicated, as clients name it.
//
// Source: ReplicationPeerConfig, ReplicationPeerManager (2.6).
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "model/table_name.h"

namespace vaquita {

struct ReplicationPeerConfig {
  // The families of each table; an empty list means all of them.
  using TableFamilies = std::map<TableName, std::vector<std::string>>;

  std::string cluster_key;  // "host,host:port:/znode"
  std::string endpoint;     // the class that sends the rows; empty: HBase's own
  std::map<std::string, std::string> data;
  std::map<std::string, std::string> configuration;
  bool replicate_all = true;  // all tables but the excluded ones; false: those that are named
  std::set<std::string> namespaces;
  TableFamilies tables;
  std::set<std::string> excluded_namespaces;
  TableFamilies excluded_tables;
  int64_t bandwidth = 0;  // bytes a second; 0: no limit
  bool serial = false;

  friend bool operator==(const ReplicationPeerConfig&, const ReplicationPeerConfig&) = default;
};

struct ReplicationPeer {
  std::string id;
  bool enabled = true;
  ReplicationPeerConfig config;

  friend bool operator==(const ReplicationPeer&, const ReplicationPeer&) = default;
};

// Returns kDoNotRetryIO that says what is wrong. The other cluster is not asked.
absl::Status CheckPeerConfig(const ReplicationPeerConfig& config);

// Returns the configuration of the peer `id` after an update: `update`, and the settings of `before` that it does not
// name. kDoNotRetryIO if the update changes the cluster or the endpoint.
absl::StatusOr<ReplicationPeerConfig> UpdatedPeerConfig(const std::string& id, const ReplicationPeerConfig& before,
                                                        const ReplicationPeerConfig& update);

}  // namespace vaquita
