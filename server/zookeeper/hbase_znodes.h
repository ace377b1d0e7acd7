// server/zookeeper/hbase_znodes.h: the znodes by which HBase's clients find a cluster, in HBase's form.
//
//   /hbase                       children are listed by 2.x clients, which look for replicas of meta
//   /hbase/hbaseid               ClusterId
//   /hbase/master                Master: the active master
//   /hbase/meta-region-server    MetaRegionServer: who serves hbase:meta
//   /hbase/rs/SERVER             one for each region server
//   /hbase/running               ClusterUp
//   /hbase/table/NAME            the state of each table, mirrored from the master; 1.x clients read it here
//   /hbase/backup-masters, draining, namespace, ...: empty, as a cluster without such things has them
// Data is 0xFF, a length and the writer's name, then "PBUF" and a message.
// Threads: AddClusterNodes anywhere; RefreshTableNodes on the ZooKeeper server's thread.
// Source: ZNodePaths, ZKMetadata, RecoverableZooKeeper, ZKTableStateManager of 1.x, MirroringTableStateManager (HBase).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "server/master.h"
#include "server/zookeeper/zookeeper_server.h"

namespace vaquita::zookeeper {

// Where the parts of a cluster are. Server names are "host,port,startcode", with the RPC's ports.
struct ClusterAddress {
  std::string cluster_id;
  std::string master;
  std::string region_server;  // it serves hbase:meta too
  int64_t start_time_ms = 0;
};

// InvalidArgument if a server name is none.
absl::Status AddClusterNodes(const ClusterAddress& cluster, ZooKeeperServer* server);

// For ZooKeeperOptions::refresh: makes what is below /hbase/table agree with the master, as far as `path` reads it.
void RefreshTableNodes(Master* master, std::string_view path, ZnodeTree* tree);

}  // namespace vaquita::zookeeper
