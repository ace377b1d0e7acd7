// client/grpc/grpc_link.h: the way to Vaquita by its own gRPC API: administration and look-ups at the server that the
// connection was given, data at the servers that the look-ups name. A standalone server is both.
#pragma once

#include <memory>

#include "client/server_link.h"

namespace vaquita::client {

// To the host:port of `options.address`.
std::unique_ptr<ServerLink> MakeGrpcLink(const ConnectionOptions& options);

}  // namespace vaquita::client
