// server/frontend/grpc/grpc_bounded_service.h: a gRPC service whose requests are refused before they are read if they
// have too many parts, and whose answers never have more bytes than gRPC can send.
//
// gRPC's own handlers read a request of any parts, and end the process at an answer of more than 2 GiB. So the methods
// have handlers of our own. A request's parts (proto/wire/message_parts.h) are counted while its method runs; a request
// that opens a stream is counted as a whole for as long as the stream lives, since gRPC keeps it, and its parts have a
// lower bound. Answers that clients do not take have bounds, too (grpc_unsent_answers.h). Threads: filled before the
// server starts; any thread afterwards.
#pragma once

#include <grpc/byte_buffer.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

#include "google/protobuf/message.h"
#include "grpcpp/grpcpp.h"
#include "grpcpp/impl/codegen/server_callback_handlers.h"
#include "grpcpp/impl/codegen/service_type.h"
#include "proto/vaquita/grpc_method.h"
#include "proto/wire/parts_budget.h"
#include "server/frontend/grpc/grpc_unsent_answers.h"

namespace vaquita {

// The bounds of all services of a port, and what their running requests take of them.
class GrpcBounds {
 public:
  // `most_bytes`: of memory for the parts of all requests; one may take a quarter, and one that opens a stream a 64th.
  explicit GrpcBounds(int64_t most_bytes) : budget_(most_bytes) {}

  // Counts the parts of a request, or refuses it with RESOURCE_EXHAUSTED.
  grpc::Status Take(grpc_byte_buffer* request, const google::protobuf::Descriptor& type, PartsBudget::Share* parts);
  // Does so for a request that opens a stream.
  grpc::Status TakeStream(grpc_byte_buffer* request, const google::protobuf::Descriptor& type,
                          PartsBudget::Share* parts);
  // Refuses an answer that is too large to be sent with RESOURCE_EXHAUSTED.
  static grpc::Status CheckAnswer(const google::protobuf::Message& answer);

 private:
  grpc::Status Hold(int64_t bytes, PartsBudget::Share* parts);

  PartsBudget budget_;
};

class GrpcBoundedService : public grpc::Service {
 public:
  // `bounds`, `unsent` and the services whose methods are added outlive it.
  GrpcBoundedService(GrpcBounds* bounds, GrpcUnsentAnswers* unsent) : bounds_(*bounds), unsent_(*unsent) {}

  // `run` takes the call's context, its request, and its response to fill, and returns its grpc::Status.
  template <typename Request, typename Response, typename Run>
  void Add(GrpcMethod<Request, Response> method, Run run) {
    AddUnary(method.path, Request::default_instance(), Response::default_instance(),
             [run](grpc::ServerContext* context, const Message* request, Message* response) {
               return run(context, static_cast<const Request*>(request), static_cast<Response*>(response));
             });
  }
  template <typename Service, typename Request, typename Response>
  void Add(GrpcMethod<Request, Response> method, Service* service,
           grpc::Status (Service::*run)(grpc::ServerContext*, const Request*, Response*)) {
    Add(method, std::bind_front(run, service));
  }

  template <typename Service, typename Request, typename Response>
  void Add(GrpcStreamMethod<Request, Response> method, Service* service,
           grpc::ServerWriteReactor<Response>* (Service::*run)(grpc::CallbackServerContext*, const Request*)) {
    const auto call = [service, run](grpc::CallbackServerContext* context, const Request* request) {
      return (service->*run)(context, request);
    };
    AddMethod(new grpc::internal::RpcServiceMethod(method.path, grpc::internal::RpcMethod::SERVER_STREAMING, nullptr));
    MarkMethodCallback(methods_++, new StreamHandler<Request, Response>(&bounds_, call));
  }

 private:
  using Message = google::protobuf::Message;
  using UnaryCall = std::function<grpc::Status(grpc::ServerContext*, const Message* request, Message* response)>;
  class UnaryHandler;
  template <typename Request, typename Response>
  class StreamHandler;

  // `request` and `response`: of the types that `call` gets.
  void AddUnary(const char* path, const Message& request, const Message& response, UnaryCall call);

  GrpcBounds& bounds_;
  GrpcUnsentAnswers& unsent_;
  int methods_ = 0;
};

// A grpc::internal::CallbackServerStreamingHandler that says why a request is refused.
template <typename Request, typename Response>
class GrpcBoundedService::StreamHandler final : public grpc::internal::MethodHandler {
 public:
  using Handler = grpc::internal::CallbackServerStreamingHandler<Request, Response>;
  using Call = std::function<grpc::ServerWriteReactor<Response>*(grpc::CallbackServerContext*, const Request*)>;

  StreamHandler(GrpcBounds* bounds, Call call) : bounds_(*bounds), handler_(std::move(call)) {}

  void RunHandler(const HandlerParameter& param) override {
    if (param.status.ok()) {
      // gRPC keeps this function until the call is done, and with it the request's share.
      const auto ask_for_next = [parts = std::shared_ptr<PartsBudget::Share>(TakeBack(param.internal_data)),
                                 next = param.call_requester] { next(); };
      return handler_.RunHandler(
          {param.call, param.server_context, param.request, param.status, nullptr, ask_for_next});
    }
    const grpc::Status status = param.status;
    Handler refusing([status](grpc::CallbackServerContext*, const Request*) { return new Refused(status); });
    refusing.RunHandler({param.call, param.server_context, nullptr, grpc::Status::OK, nullptr, param.call_requester});
  }

  void* Deserialize(grpc_call* call, grpc_byte_buffer* bytes, grpc::Status* status, void** data) override {
    auto parts = std::make_unique<PartsBudget::Share>();
    *status = bounds_.TakeStream(bytes, *Request::descriptor(), parts.get());
    if (!status->ok()) {
      grpc_byte_buffer_destroy(bytes);
      return nullptr;
    }
    void* const request = handler_.Deserialize(call, bytes, status, data);
    if (status->ok()) *data = parts.release();
    return request;
  }

 private:
  static PartsBudget::Share* TakeBack(void* data) { return static_cast<PartsBudget::Share*>(data); }

  struct Refused final : grpc::ServerWriteReactor<Response> {
    explicit Refused(const grpc::Status& status) { this->Finish(status); }
    void OnDone() override { delete this; }
  };

  GrpcBounds& bounds_;
  Handler handler_;
};

}  // namespace vaquita
