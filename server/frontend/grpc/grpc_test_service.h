// server/frontend/grpc/grpc_test_service.h: vaquita.v1.TestService over a TestControl.
#pragma once

#include "server/frontend/grpc/grpc_bounded_service.h"
#include "server/test_control/test_control.h"

namespace vaquita {

// Adds all methods of the service's .proto: the control's operations. `control` outlives the service.
void AddMethods(TestControl* control, GrpcBoundedService* service);

}  // namespace vaquita
