// server/control/grpc/grpc_own_threads.h: threads for the calls of one gRPC service, so that other services' calls
// cannot keep it waiting.
//
// The server's handlers are for clients: when all are busy, further calls are refused. What the processes of a cluster
// say to one another, reports and commands, must not be: a server that cannot report is taken for dead. HBase has
// priority handlers for that. A service of this kind takes its calls by gRPC's callback API, which has threads of its
// own that may not wait, and hands them on. Threads: any. A thread is made when it is needed. It outlives the server.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <utility>

#include "base/worker_pool.h"
#include "grpcpp/grpcpp.h"

namespace vaquita {

class GrpcOwnThreads {
 public:
  // The service's last member: what its other members are made of happens before all calls. (gRPC sees to that, too,
  // but how ThreadSanitizer cannot see, as Debian's library is not made for it.)
  explicit GrpcOwnThreads(int most) : workers_(most) { std::lock_guard made(made_); }

  // Ends the call of `context` with what `answer` returns, some time later.
  grpc::ServerUnaryReactor* Run(grpc::CallbackServerContext* context, std::function<grpc::Status()> answer) {
    grpc::ServerUnaryReactor* const call = context->DefaultReactor();
    { std::lock_guard made(made_); }
    workers_.Run(std::make_unique<Call>(call, std::move(answer)));
    return call;
  }

 private:
  class Call final : public Work {
   public:
    Call(grpc::ServerUnaryReactor* call, std::function<grpc::Status()> answer)
        : call_(call), answer_(std::move(answer)) {}
    void Run() override { call_->Finish(answer_()); }

   private:
    grpc::ServerUnaryReactor* const call_;
    const std::function<grpc::Status()> answer_;
  };

  std::mutex made_;
  WorkerPool workers_;
};

}  // namespace vaquita
