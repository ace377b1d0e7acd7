// server/frontend/grpc/grpc_reflection.h: gRPC's reflection service, by which grpcurl and others learn what is served.
//
// gRPC's own implementation holds one of the server's threads for each open stream, so a few clients that open streams
// and are silent would stop all calls. This one holds none; it refuses streams beyond a bound with RESOURCE_EXHAUSTED,
// and ends one whose request is longer than any name with INVALID_ARGUMENT.
// Threads: gRPC's.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "grpc/reflection/v1alpha/reflection.pb.h"
#include "grpcpp/grpcpp.h"
#include "grpcpp/impl/codegen/service_type.h"

namespace vaquita {

class GrpcReflection final : public grpc::Service {
 public:
  // `services`: the full names of those that are served, but for this one.
  explicit GrpcReflection(std::vector<std::string> services);

 private:
  class Stream;
  void Answer(const grpc::reflection::v1alpha::ServerReflectionRequest& request,
              grpc::reflection::v1alpha::ServerReflectionResponse* response) const;

  std::vector<std::string> services_;
  std::atomic<int> streams_ = 0;
};

}  // namespace vaquita
