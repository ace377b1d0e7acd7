// server/control/grpc/grpc_control_service.h: a gRPC service among the processes of a cluster. Its calls have threads
// of their own, so that other services' calls cannot keep them waiting.
//
// The server's handlers are for clients: when all are busy, further calls are refused. Reports and commands between the
// processes of a cluster must not be refused: a server that cannot report is taken for dead. HBase has priority
// handlers for that. A service of this kind takes its calls by gRPC's callback API, whose threads must not wait, and
// passes them to its own. These also make the message of a call's bytes, once they know that it comes from the cluster
// and that it has a bound: gRPC would make it at once, whoever sent it. One that cannot be read is refused with an
// error of ours; gRPC's has no details, and so would count as no answer (grpc_peer.h), after which the sender sends it
// again. Threads: any; a thread is made when it is needed. Ownership: it outlives the server.
#pragma once

#include <functional>
#include <mutex>
#include <string_view>

#include "absl/status/status.h"
#include "base/worker_pool.h"
#include "google/protobuf/message.h"
#include "grpcpp/grpcpp.h"
#include "grpcpp/impl/codegen/server_callback_handlers.h"
#include "grpcpp/impl/codegen/service_type.h"
#include "proto/vaquita/grpc_method.h"

namespace vaquita {

class AccessControl;

// A call's metadata: the name of the server that it is for. It is of the kind that may be any bytes.
inline constexpr char kMeantServer[] = "vaquita-server-bin";

// Returns kServerNotRunningYet if the call is for another server than `name`: another life, or another cluster's
// server, has got the port, and it is as if nobody listened here. A call that names nobody is for whoever gets it.
absl::Status CheckIsMeant(const grpc::ServerContextBase& context, std::string_view name);

class GrpcControlService : public grpc::Service {
 public:
  // `access` outlives it; null: users have no rights, and all calls are answered. Otherwise only those of the cluster's
  // processes are.
  GrpcControlService(const AccessControl* access, int most_threads) : access_(access), workers_(most_threads) {}

 protected:
  // Checks a call from the cluster before its message is read.
  virtual absl::Status Check(const grpc::ServerContextBase&) { return absl::OkStatus(); }

  // The method's calls end with what `answer` returns. To be called when all else has been constructed.
  template <typename Request, typename Response>
  void Add(GrpcMethod<Request, Response> method, std::function<absl::Status(const Request&, Response*)> answer) {
    // The construction happens before all calls. (gRPC ensures that, too, but ThreadSanitizer cannot see it, because
    // Debian's library is not instrumented.)
    std::lock_guard made(made_);
    AddMethod(new grpc::internal::RpcServiceMethod(method.path, grpc::internal::RpcMethod::NORMAL_RPC, nullptr));
    MarkMethodCallback(methods_++, new grpc::internal::CallbackUnaryHandler<grpc::ByteBuffer, Response>(
                                       [this, answer](grpc::CallbackServerContext* context,
                                                      const grpc::ByteBuffer* bytes, Response* response) {
                                         return Run(context, [answer, bytes, response] {
                                           Request request;
                                           const absl::Status read = Read(*bytes, &request);
                                           return read.ok() ? answer(request, response) : read;
                                         });
                                       }));
  }

 private:
  static absl::Status Read(const grpc::ByteBuffer& bytes, google::protobuf::Message* out);
  grpc::ServerUnaryReactor* Run(grpc::CallbackServerContext* context, std::function<absl::Status()> answer);

  const AccessControl* const access_;
  int methods_ = 0;
  std::mutex made_;
  WorkerPool workers_;
};

}  // namespace vaquita
