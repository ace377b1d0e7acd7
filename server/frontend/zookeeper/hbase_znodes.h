// server/frontend/zookeeper/hbase_znodes.h: the znodes by which HBase's clients find a cluster, in HBase's form.
//
//   /hbase                       children are listed by 2.x clients, which look for replicas of meta
//   /hbase/hbaseid               ClusterId
//   /hbase/master                Master: the active master
//   /hbase/meta-region-server    MetaRegionServer: who serves hbase:meta
//   /hbase/meta-region-server-1  the same of its first replica, if it has one
//   /hbase/rs/SERVER             one for each region server
//   /hbase/running               ClusterUp
//   /hbase/table/NAME            the state of each table, mirrored from the master; 1.x clients read it here
//   /hbase/backup-masters/SERVER one for each master that waits
//   /hbase/draining, namespace, ...: empty, as a cluster without such things has them
// Data is 0xFF, a length and the writer's name, then "PBUF" and a message.
// Threads: AddClusterNodes anywhere; the others on the ZooKeeper server's thread.
// Source: ZNodePaths, ZKMetadata, RecoverableZooKeeper, ZKTableStateManager of 1.x, MirroringTableStateManager (HBase).
#pragma once

#include <cstdint>
#include <string_view>

#include "absl/status/status.h"
#include "model/cluster_view.h"
#include "server/frontend/zookeeper/zookeeper_server.h"

namespace vaquita {
class Master;
}

namespace vaquita::zookeeper {

// Returns InvalidArgument if a server's name is not "host,port,startcode".
absl::Status AddClusterNodes(const ClusterView& cluster, int64_t start_time_ms, ZooKeeperServer* server);

// These two are for ZooKeeperOptions::refresh. They bring the part of the tree that `path` reads up to date: the first
// /hbase/table by the master's tables, the other /hbase/rs, /hbase/backup-masters and the nodes of hbase:meta's
// replicas by the cluster's servers. The third is for ZooKeeperOptions::mirrored.
void RefreshTableNodes(Master* master, std::string_view path, ZnodeTree* tree);
void RefreshServerNodes(const ClusterViewSource& cluster_view, std::string_view path, ZnodeTree* tree);
std::string_view MirroredNode(std::string_view path);

}  // namespace vaquita::zookeeper
