// server/frontend/hbase/services.h: the services that HBase's clients call.
//
// Each method of a service decodes its message, calls the region server or the master, and encodes the answer. Threads:
// any. Ownership: what a service is made of outlives it. Source: RSRpcServices, MasterRpcServices, HMaster (2.6), and
// DispatchMergingRegions and ListProcedures of 1.x.
#pragma once

#include <memory>

#include "model/cluster_view.h"
#include "server/frontend/hbase/rpc/rpc_service.h"

namespace vaquita {
class Master;
class RegionServer;
}  // namespace vaquita

namespace vaquita::hbase {

// ClientService: gets, mutations and scans of a region server's regions. `master`: of this process, for the coprocessor
// service by which clients before 2.2 grant rights; null: it is another process.
std::unique_ptr<RpcService> MakeClientService(RegionServer* server, Master* master = nullptr);

// AdminService, of a region server. `master` is null if it is another process.
std::unique_ptr<RpcService> MakeAdminService(Master* master, RegionServer* server);

// MasterService, for the requests of Admin and AsyncAdmin. Methods of features that Vaquita does not have (region
// server groups) answer as an HBase that has them switched off.
std::unique_ptr<RpcService> MakeMasterService(Master* master, RegionServer* server);

// ClientMetaService, which names the cluster's servers to clients that do not ask ZooKeeper (MasterRegistry,
// RpcConnectionRegistry).
std::unique_ptr<RpcService> MakeRegistryService(ClusterViewSource cluster_view);

}  // namespace vaquita::hbase
