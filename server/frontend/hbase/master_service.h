// server/frontend/hbase/master_service.h: HBase's MasterService, for the requests of Admin and AsyncAdmin.
//
// It decodes a method's message, calls Master, and encodes the answer. Methods of features that Vaquita does not have
// (quotas, replication, access control, region server groups) are answered as by an HBase that has them switched off.
// Threads: any. Source: MasterRpcServices, HMaster (2.6), and DispatchMergingRegions and ListProcedures of 1.x.
#pragma once

#include <memory>

#include "server/frontend/hbase/rpc/rpc_service.h"

namespace vaquita {
class Master;
class RegionServer;
}  // namespace vaquita

namespace vaquita::hbase {

// `master` and `server` outlive it.
std::unique_ptr<RpcService> MakeMasterService(Master* master, RegionServer* server);

}  // namespace vaquita::hbase
