// server/control/grpc/grpc_master_control.h: a MasterControl over gRPC: the service of a master, and the region
// server's end, which finds the master by itself.
//
// Threads: any.
#pragma once

#include <memory>
#include <string>

#include "base/tls/tls_context.h"
#include "server/control/master_control.h"

namespace grpc {
class Service;
}

namespace vaquita {

class AccessControl;

class MasterControlService {
 public:
  // Until Serve, and after Stop, calls are refused as Unavailable. `access` outlives it; null: users have no rights.
  static std::unique_ptr<MasterControlService> Make(const AccessControl* access);
  virtual ~MasterControlService() = default;

  virtual grpc::Service* service() = 0;
  // `server_name`: of the master. Calls for another one are refused as Unavailable. `control` outlives Stop.
  virtual void Serve(const std::string& server_name, MasterControl* control) = 0;
  virtual void Stop() = 0;  // running calls end
};

// Returns the active master of a data root. The first call looks for it (server/data_root/master_address.h), as does
// each call after one that did not reach it. A call waits for an answer no longer than `patience_ms`.
// Null `tls`: without TLS.
// `token`: of the cluster's processes; empty: users have no rights.
std::unique_ptr<MasterControl> MakeRemoteMaster(const std::string& root, int64_t patience_ms,
                                                std::shared_ptr<TlsContext> tls, const std::string& token);

}  // namespace vaquita
