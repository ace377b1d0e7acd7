// client/grpc/grpc_link.h: a ServerLink by Vaquita's gRPC API. Administration and look-ups go to the server of the
// connection's address, data to the servers that the look-ups name. A standalone server is both.
#pragma once

#include <memory>

#include "absl/status/statusor.h"
#include "client/server_link.h"

namespace vaquita::client {

// Makes a link to the host:port of `options.address`. kIllegalArgument if `options.token` is none.
absl::StatusOr<std::unique_ptr<ServerLink>> MakeGrpcLink(const ConnectionOptions& options);

}  // namespace vaquita::client
