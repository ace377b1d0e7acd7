// server/control/grpc/grpc_region_server_control.h: a RegionServerControl over gRPC: the region server's service, and
// the master's client of it.
//
// Every command is one message (proto/vaquita/v1/cluster.proto: Command), so only the EpochFence checks epochs and ids.
// Threads: any.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/tls/tls_context.h"
#include "server/control/epoch_fence.h"
#include "server/control/region_server_control.h"

namespace grpc {
class Service;
}

namespace vaquita {

class AccessControl;

class RegionServerControlService {
 public:
  // `gate` and `access` (null: users have no rights) outlive it. Until Serve, and after Stop, commands are refused as
  // Unavailable.
  static std::unique_ptr<RegionServerControlService> Make(EpochFence* gate, const AccessControl* access);
  virtual ~RegionServerControlService() = default;

  virtual grpc::Service* service() = 0;
  // `control` outlives Stop.
  virtual void Serve(const std::string& server_name, RegionServerControl* control) = 0;
  virtual void Stop() = 0;  // running commands end
};

struct RemoteRegionServerOptions {
  std::string address;                        // host:port of its gRPC
  std::string server_name;                    // another life of the server refuses the commands
  int64_t epoch = 0;                          // the master's
  std::shared_ptr<TlsContext> tls = nullptr;  // null: without TLS
  std::string token = "";                     // of the cluster's processes; empty: users have no rights
};

// The server's answer is a status with its own kind. IsUnanswered (region_server_control.h) is true of an error of the
// network, and of a server that does not run yet or stops: it may have run the command, or may still run it, but not
// after it got a later one.
class RemoteRegionServer : public RegionServerControl {
 public:
  static std::unique_ptr<RemoteRegionServer> Make(const RemoteRegionServerOptions& options);
  // Calls that run and all later ones fail as Unavailable: the server is dead.
  virtual void Abandon() = 0;
};

}  // namespace vaquita
