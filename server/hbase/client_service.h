// server/hbase/client_service.h: HBase's ClientService.
#pragma once

#include <memory>

#include "server/hbase/rpc_service.h"

namespace vaquita {
class Master;
class RegionServer;
}  // namespace vaquita

namespace vaquita::hbase {

// `master` and `server` outlive it.
std::unique_ptr<RpcService> MakeClientService(Master* master, RegionServer* server);

}  // namespace vaquita::hbase
