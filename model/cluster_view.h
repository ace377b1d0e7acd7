// model/cluster_view.h: the servers of a cluster, as its registries and ZooKeeper name them to clients.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace vaquita {

// Servers are "host,port,startcode", with HBase's RPC ports.
struct ClusterView {
  std::string cluster_id;
  std::string master;  // the active master; empty if none is known
  std::vector<std::string> backup_masters;
  std::vector<std::string> region_servers;  // the servers that are online
  std::string meta_server;                  // the server of hbase:meta
  int32_t meta_replicas = 1;                // its region and its replicas, which are there, too
};

// Returns the present view. It is called often, from any thread, and must not wait.
using ClusterViewSource = std::function<ClusterView()>;

}  // namespace vaquita
