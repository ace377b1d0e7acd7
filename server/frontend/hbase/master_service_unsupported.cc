// Features that Vaquita does not have: answered as by a server that has them switched off. docs/compatibility.md lists
// them.
#include "server/frontend/hbase/master_service_methods.h"

namespace vaquita::hbase {

void AddUnsupportedFeatures(ServiceMethods* methods) {
  for (const char* method : {"Grant", "Revoke", "GetUserPermissions", "HasUserPermissions"}) {
    methods->Refuse(method, ErrorKind::kUnsupportedOperation,
                    "org.apache.hadoop.hbase.security.access.AccessController is not loaded");
  }
  for (const char* method : {"Shutdown", "StopMaster"}) {
    methods->Refuse(method, ErrorKind::kUnsupportedOperation,
                    "Clients cannot stop this server; send its process SIGTERM");
  }
}

}  // namespace vaquita::hbase
