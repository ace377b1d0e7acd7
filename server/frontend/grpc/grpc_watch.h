// server/frontend/grpc/grpc_watch.h: tells whether a gRPC call's client still waits for the answer.
//
// Threads: one at a time.
#pragma once

#include "base/read_watch.h"
#include "base/status.h"
#include "grpcpp/grpcpp.h"

namespace vaquita {

class GrpcWatch final : public ReadWatch {
 public:
  explicit GrpcWatch(const grpc::ServerContextBase* context) : context_(*context) {}  // it outlives the watch

  // A call is cancelled by its client, by the end of its connection, and by its deadline.
  absl::Status Check() override {
    if (!context_.IsCancelled()) return absl::OkStatus();
    return Error(ErrorKind::kCallerDisconnected, "Aborting the call, since caller disconnected or its time is over");
  }

 private:
  const grpc::ServerContextBase& context_;
};

}  // namespace vaquita
