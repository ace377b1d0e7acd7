// model/cluster_view.h: who is in a cluster, as its registries and ZooKeeper tell clients.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace vaquita {

// Servers are "host,port,startcode", with HBase's RPC ports.
struct ClusterView {
  std::string cluster_id;
  std::string master;  // the active one; empty: none is known
  std::vector<std::string> backup_masters;
  std::vector<std::string> region_servers;  // those that live
  std::string meta_server;                  // who serves hbase:meta
};

// Who is there now. Called from any thread, often; it must not wait.
using LookAtCluster = std::function<ClusterView()>;

}  // namespace vaquita
