// server/frontend/hbase/registry_service.h: HBase's ClientMetaService, which names the cluster's servers to clients
// that do not ask ZooKeeper (MasterRegistry, RpcConnectionRegistry).
//
// Threads: any. Source: RSRpcServices.getClusterId and its kin, RpcConnectionRegistry (2.6).
#pragma once

#include <memory>

#include "model/cluster_view.h"
#include "server/frontend/hbase/rpc/rpc_service.h"

namespace vaquita::hbase {

std::unique_ptr<RpcService> MakeRegistryService(LookAtCluster look);

}  // namespace vaquita::hbase
