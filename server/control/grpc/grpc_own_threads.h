// server/control/grpc/grpc_own_threads.h: threads for the calls of one gRPC service, so that other services' calls
// cannot keep it waiting.
//
// The server's handlers are for clients: when all are busy, further calls are refused. Reports and commands between the
// processes of a cluster must not be refused: a server that cannot report is taken for dead. HBase has priority
// handlers for that. A service of this kind takes its calls by gRPC's callback API, whose threads must not wait, and
// passes them to its own. Threads: any; a thread is made when it is needed. Ownership: it outlives the server.
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
  // Must be the service's last member, so that the construction of the others happens before all calls. (gRPC ensures
  // that too, but ThreadSanitizer cannot see it, because Debian's library is not instrumented.)
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
