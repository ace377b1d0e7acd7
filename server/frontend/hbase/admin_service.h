// server/frontend/hbase/admin_service.h: HBase's AdminService.
#pragma once

#include <memory>

#include "server/frontend/hbase/rpc/rpc_service.h"

namespace vaquita {
class Master;
class RegionServer;
}  // namespace vaquita

namespace vaquita::hbase {

// `master` (null: it is another process) and `server` outlive it.
std::unique_ptr<RpcService> MakeAdminService(Master* master, RegionServer* server);

}  // namespace vaquita::hbase
