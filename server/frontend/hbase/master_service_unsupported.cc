// Features that Vaquita does not have: answered as by a server that has them switched off. docs/compatibility.md lists
// them.
#include "server/frontend/hbase/master_service_methods.h"

namespace vaquita::hbase {

void AddUnsupportedFeatures(ServiceMethods* methods) {
  methods->Refuse("Shutdown", ErrorKind::kUnsupportedOperation,
                  "Servers are stopped one by one: stopRegionServer, stopMaster, or SIGTERM to the process");
}

}  // namespace vaquita::hbase
