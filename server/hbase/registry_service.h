// server/hbase/registry_service.h: HBase's ClientMetaService: where the cluster's parts are, for clients that do not
// ask ZooKeeper (MasterRegistry, RpcConnectionRegistry).
//
// Threads: any. Source: RSRpcServices.getClusterId and its kin, RpcConnectionRegistry (2.6).
#pragma once

#include <memory>
#include <string>

#include "server/hbase/rpc_service.h"

namespace vaquita::hbase {

// Names are "host,port,startcode".
struct ClusterLocation {
  std::string cluster_id;
  std::string master;
  std::string region_server;  // it serves hbase:meta, too
};

std::unique_ptr<RpcService> MakeRegistryService(const ClusterLocation& location);

}  // namespace vaquita::hbase
