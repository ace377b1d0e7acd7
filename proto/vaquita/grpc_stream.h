// proto/vaquita/grpc_stream.h: a client's call of a method that answers with a stream.
//
// gRPC bounds the time of a whole call only. Here the wait for each answer has a bound, so that a server which is stuck
// is noticed during a call that may take hours. Threads: one at a time.
#pragma once

#include <chrono>
#include <memory>
#include <type_traits>

#include "grpcpp/completion_queue.h"
#include "grpcpp/support/async_stream.h"
#include "proto/vaquita/grpc_method.h"

namespace vaquita {

template <typename Response>
class GrpcStream {
 public:
  using Time = std::chrono::system_clock::time_point;

  // Sends the request. `context` outlives this.
  template <typename Request>
  GrpcStream(grpc::Channel* channel, grpc::ClientContext* context, GrpcStreamMethod<Request, Response> method,
             const std::type_identity_t<Request>& request)
      : context_(*context),
        reader_(Factory::Create(channel, &queue_,
                                grpc::internal::RpcMethod(method.path, grpc::internal::RpcMethod::SERVER_STREAMING),
                                context, request, /*start=*/true, /*tag=*/nullptr)) {}
  // Cancels the call if it has not ended.
  ~GrpcStream() {
    if (!ended_) {
      context_.TryCancel();
      for (Response rest; Read(&rest);) {
      }
      (void)Finish();
    }
    queue_.Shutdown();
    Wait(Time::max());
  }
  GrpcStream(const GrpcStream&) = delete;
  GrpcStream& operator=(const GrpcStream&) = delete;

  // Waits for the next answer. Returns false after the last one, and if none has come until `deadline`, which ends the
  // call; Finish tells the two apart.
  bool Read(Response* response, Time deadline = Time::max()) {
    if (!is_sent_) {
      is_sent_ = true;
      if (!Wait(deadline)) return false;
    }
    reader_->Read(response, nullptr);
    return Wait(deadline);
  }

  // Returns the outcome of the call. Read has returned false.
  grpc::Status Finish() {
    grpc::Status outcome;
    ended_ = true;
    reader_->Finish(&outcome, nullptr);
    Wait(Time::max());
    return is_late_ ? grpc::Status(grpc::StatusCode::DEADLINE_EXCEEDED, "no answer came in time") : outcome;
  }

 private:
  using Factory = grpc::internal::ClientAsyncReaderFactory<Response>;

  // Waits for the end of the operation that was begun. Returns whether it succeeded.
  bool Wait(Time deadline) {
    void* tag = nullptr;
    bool succeeded = false;
    if (queue_.AsyncNext(&tag, &succeeded, deadline) != grpc::CompletionQueue::TIMEOUT) return succeeded;
    is_late_ = true;
    context_.TryCancel();
    queue_.Next(&tag, &succeeded);
    return false;
  }

  grpc::ClientContext& context_;
  grpc::CompletionQueue queue_;  // there is one operation at a time
  const std::unique_ptr<grpc::ClientAsyncReader<Response>> reader_;
  bool is_sent_ = false;  // the request, which is the first operation
  bool is_late_ = false;
  bool ended_ = false;
};

}  // namespace vaquita
