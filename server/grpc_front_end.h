// server/grpc_front_end.h: Vaquita's gRPC API (proto/vaquita/v1) over a Master and a RegionServer: bytes <-> plain
// types, no decision.
//
// With server reflection and the standard health service. hbase:meta is served from the master's region.
#pragma once

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "server/master.h"
#include "server/region_server.h"

namespace vaquita {

class GrpcFrontEnd {
 public:
  // Listens on `bind_address`:`port` (0: any). `master` and `server` may be set later than the listening starts
  // (SetServing), because the region server's name has the port; until then requests are answered with
  // kServerNotRunningYet.
  static absl::StatusOr<std::unique_ptr<GrpcFrontEnd>> Listen(const std::string& bind_address, int port);
  virtual ~GrpcFrontEnd() = default;  // stops
  virtual int port() const = 0;
  virtual void SetServing(Master* master, RegionServer* server) = 0;  // both outlive Stop()
  virtual void Stop() = 0;                                            // no new requests; running ones end
};

}  // namespace vaquita
