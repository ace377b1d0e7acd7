// server/test_control/grpc_test_service.h: vaquita.v1.TestService over a TestControl.
//
// Threads: gRPC's handlers.
#pragma once

#include <memory>

#include "grpcpp/impl/service_type.h"

namespace vaquita {

class TestControl;

// `control` outlives it.
std::unique_ptr<grpc::Service> MakeGrpcTestService(TestControl* control);

}  // namespace vaquita
