#include "server/frontend/grpc/grpc_test_service.h"

#include "proto/vaquita/status_codec.h"
#include "server/frontend/grpc/grpc_gate.h"
#include "vaquita/v1/test.methods.h"

namespace vaquita {
namespace {

template <typename Request, typename Response>
void AddOperation(GrpcMethod<Request, Response> method, TestControl* control,
                  absl::Status (TestControl::*operation)(const Request&, Response*), GrpcBoundedService* service) {
  service->Add(method, [control, operation](grpc::ServerContext* context, const Request* request, Response* response) {
    if (control->MayControl(GrpcClientAddress(*context))) {
      return ToGrpcStatus((control->*operation)(*request, response));
    }
    return grpc::Status(grpc::StatusCode::PERMISSION_DENIED, kNotFromElsewhere);
  });
}

}  // namespace

void AddMethods(TestControl* control, GrpcBoundedService* service) {
#define ADD(method) AddOperation(v1::TestMethods::method, control, &TestControl::method, service);
  VAQUITA_TEST_METHODS(ADD)
#undef ADD
}

}  // namespace vaquita
