// client/grpc/grpc_admin.h: administration by Vaquita's gRPC API.
#pragma once

#include <memory>

#include "client/admin.h"
#include "client/cluster.h"
#include "client/grpc/grpc_channel.h"

namespace vaquita::client {

// `channel` belongs to `cluster`'s link.
std::unique_ptr<Admin> MakeGrpcAdmin(std::shared_ptr<Cluster> cluster, GrpcChannel* channel);

}  // namespace vaquita::client
