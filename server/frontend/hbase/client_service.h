// server/frontend/hbase/client_service.h: HBase's ClientService.
#pragma once

#include <memory>

#include "server/frontend/hbase/rpc/rpc_service.h"

namespace vaquita {
class RegionServer;
}  // namespace vaquita

namespace vaquita::hbase {

// `server` outlives it.
std::unique_ptr<RpcService> MakeClientService(RegionServer* server);

}  // namespace vaquita::hbase
