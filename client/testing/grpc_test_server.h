// client/testing/grpc_test_server.h: a gRPC server of the methods that a test writes itself.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "grpcpp/grpcpp.h"
#include "gtest/gtest.h"
#include "proto/vaquita/grpc_method.h"
#include "server/frontend/grpc/grpc_bounded_service.h"

namespace vaquita::client::testing {

class GrpcTestServer {
 public:
  // As GrpcBoundedService::Add; `object` outlives the server.
  template <typename Method, typename Object, typename Run>
  void Add(Method method, Object* object, Run run) {
    service_.Add(method, object, run);
  }

  // Returns the host:port at which it listens.
  std::string Start() {
    int port = 0;
    grpc::ServerBuilder builder;
    builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(), &port);
    builder.RegisterService(&service_);
    server_ = builder.BuildAndStart();
    EXPECT_NE(server_, nullptr);
    return absl::StrCat("127.0.0.1:", port);
  }

 private:
  GrpcBounds bounds_{int64_t{1} << 30};
  GrpcUnsentAnswers unsent_{{}};
  GrpcBoundedService service_{&bounds_, &unsent_};
  std::unique_ptr<grpc::Server> server_;
};

}  // namespace vaquita::client::testing
