// server/frontend/hbase/gated_service.h: a service whose calls go through a gate.
//
// Only a server with a gate has it: the others call their services at once. The service can be exchanged while clients
// are connected: calls that come meanwhile wait. Threads: as RpcService.
#pragma once

#include <memory>

#include "server/frontend/hbase/rpc/rpc_service.h"

namespace vaquita::hbase {

class GatedService : public RpcService {
 public:
  // `gate` outlives it.
  static std::unique_ptr<GatedService> Make(std::unique_ptr<RpcService> service, net::CallGate* gate);

  // Waits for the calls that run, and drops the service.
  virtual void Pause() = 0;
  virtual void Resume(std::unique_ptr<RpcService> service) = 0;
  virtual void Close() = 0;  // refuses calls from now on, also those that wait
};

}  // namespace vaquita::hbase
