// client/grpc_link.h: the way to Vaquita by its own gRPC API: one channel to one server, which is the whole cluster.
#pragma once

#include <memory>

#include "client/server_link.h"

namespace vaquita::client {

// To the host:port of `options.address`.
std::unique_ptr<ServerLink> MakeGrpcLink(const ConnectionOptions& options);

}  // namespace vaquita::client
