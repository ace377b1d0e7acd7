// server/frontend/grpc/grpc_methods.h: the methods of the gRPC API, by which a server knows them.
#pragma once

#include "server/frontend/grpc/grpc_admin_service.h"
#include "server/frontend/grpc/grpc_bounded_service.h"
#include "server/frontend/grpc/grpc_data_service.h"

namespace vaquita {

// Add all methods of the services' .proto.
void AddMethods(GrpcDataService* data, GrpcBoundedService* service);
void AddMethods(GrpcAdminService* admin, GrpcBoundedService* service);

}  // namespace vaquita
