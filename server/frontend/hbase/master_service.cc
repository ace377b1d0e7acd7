#include "server/frontend/hbase/services.h"

#include <utility>

#include "server/frontend/hbase/master_service_methods.h"

namespace vaquita::hbase {

std::unique_ptr<RpcService> MakeMasterService(Master* master, RegionServer* server) {
  ServiceMethods methods;
  AddTableMethods(&methods);
  AddFamilyMethods(&methods);
  AddNamespaceMethods(&methods);
  AddRegionMethods(&methods);
  AddClusterMethods(&methods);
  AddSwitchMethods(&methods);
  AddProcedureMethods(&methods);
  AddSnapshotMethods(&methods);
  AddReplicationMethods(&methods);
  AddQuotaMethods(&methods);
  AddRightsMethods(&methods);
  return MakeService("MasterService", master, server, std::move(methods));
}

}  // namespace vaquita::hbase
