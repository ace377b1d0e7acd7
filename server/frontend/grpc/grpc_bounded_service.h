// server/frontend/grpc/grpc_bounded_service.h: a gRPC service whose requests are refused before they are read if they
// have too many parts, and whose answers never have more bytes than gRPC can send.
//
// The code that protoc makes reads a request of any parts, and ends the process at an answer of more than 2 GiB. So the
// services' methods are registered here, with handlers of our own in the place of protoc's. A request's parts
// (proto/wire/message_parts.h) are counted while its method runs; a request that opens a stream is counted as a whole
// for as long as the stream lives, since gRPC keeps it, and its parts have a lower bound. Answers that clients do not
// take have bounds, too (grpc_unsent_answers.h). Threads: filled before the server starts; any thread afterwards.
#pragma once

#include <grpc/byte_buffer.h>

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "google/protobuf/message.h"
#include "grpcpp/grpcpp.h"
#include "grpcpp/impl/codegen/server_callback_handlers.h"
#include "grpcpp/support/method_handler.h"
#include "server/frontend/grpc/grpc_unsent_answers.h"

namespace vaquita {

// The bounds of all services of a port, and what their running requests take of them.
class GrpcBounds {
 public:
  // Holds a share of the bounds while a request runs.
  class Parts {
   public:
    Parts() = default;
    Parts(Parts&& other) noexcept : all_(other.all_), bytes_(std::exchange(other.bytes_, 0)) {}
    ~Parts() {
      if (bytes_ > 0) *all_ -= bytes_;
    }

   private:
    friend class GrpcBounds;
    std::atomic<int64_t>* all_ = nullptr;
    int64_t bytes_ = 0;
  };

  // `most_bytes`: of memory for the parts of all requests; one may take a quarter, and one that opens a stream a 64th.
  explicit GrpcBounds(int64_t most_bytes) : most_(most_bytes) {}

  // Counts the parts of a request, or refuses it with RESOURCE_EXHAUSTED.
  grpc::Status Take(grpc_byte_buffer* request, const google::protobuf::Descriptor& type, Parts* parts);
  // Does so for a request that opens a stream.
  grpc::Status TakeStream(grpc_byte_buffer* request, const google::protobuf::Descriptor& type, Parts* parts);
  // Refuses an answer that is too large to be sent with RESOURCE_EXHAUSTED.
  static grpc::Status CheckAnswer(const google::protobuf::Message& answer);

 private:
  grpc::Status Hold(int64_t bytes, Parts* parts);

  const int64_t most_;
  std::atomic<int64_t> taken_ = 0;
};

class GrpcBoundedService : public grpc::Service {
 public:
  // `name` is the service's full name, e.g. "vaquita.v1.DataService". `bounds`, `unsent` and the services whose methods
  // are added outlive it.
  GrpcBoundedService(std::string name, GrpcBounds* bounds, GrpcUnsentAnswers* unsent)
      : name_(std::move(name)), bounds_(*bounds), unsent_(*unsent) {}

  template <typename Service, typename Request, typename Response>
  void Add(const char* method, Service* service,
           grpc::Status (Service::*run)(grpc::ServerContext*, const Request*, Response*)) {
    const auto call = [service, run](grpc::ServerContext* context, const Request* request, Response* response) {
      return (service->*run)(context, request, response);
    };
    AddMethod(new grpc::internal::RpcServiceMethod(Path(method), grpc::internal::RpcMethod::NORMAL_RPC,
                                                   new UnaryHandler<Request, Response>(&bounds_, &unsent_, call)));
    ++methods_;
  }

  template <typename Service, typename Request, typename Response>
  void AddStream(const char* method, Service* service,
                 grpc::ServerWriteReactor<Response>* (Service::*run)(grpc::CallbackServerContext*, const Request*)) {
    const auto call = [service, run](grpc::CallbackServerContext* context, const Request* request) {
      return (service->*run)(context, request);
    };
    AddMethod(new grpc::internal::RpcServiceMethod(Path(method), grpc::internal::RpcMethod::SERVER_STREAMING, nullptr));
    MarkMethodCallback(methods_++, new StreamHandler<Request, Response>(&bounds_, call));
  }

 private:
  template <typename Request, typename Response>
  class UnaryHandler;
  template <typename Request, typename Response>
  class StreamHandler;

  const char* Path(const char* method) { return paths_.emplace_back("/" + name_ + "/" + method).c_str(); }

  const std::string name_;
  GrpcBounds& bounds_;
  GrpcUnsentAnswers& unsent_;
  std::deque<std::string> paths_;  // gRPC keeps pointers to them
  int methods_ = 0;
};

// As grpc::internal::RpcMethodHandler.
template <typename Request, typename Response>
class GrpcBoundedService::UnaryHandler final : public grpc::internal::MethodHandler {
 public:
  using Call = std::function<grpc::Status(grpc::ServerContext*, const Request*, Response*)>;

  UnaryHandler(GrpcBounds* bounds, GrpcUnsentAnswers* unsent, Call call)
      : bounds_(*bounds), unsent_(*unsent), call_(std::move(call)) {}

  void RunHandler(const HandlerParameter& param) override {
    Response response;
    grpc::Status status = param.status;
    if (status.ok()) {
      auto* const held = static_cast<Held*>(param.request);
      status = grpc::internal::CatchingFunctionHandler(
          [&] { return call_(static_cast<grpc::ServerContext*>(param.server_context), &held->request, &response); });
      held->~Held();
    }
    if (status.ok()) status = GrpcBounds::CheckAnswer(response);
    const GrpcUnsentAnswers::Answer sending = unsent_.Add(param.server_context, response, /*holds_thread=*/true);
    grpc::internal::UnaryRunHandlerHelper(param, static_cast<grpc::protobuf::MessageLite*>(&response), status);
  }

  void* Deserialize(grpc_call* call, grpc_byte_buffer* bytes, grpc::Status* status, void**) override {
    GrpcBounds::Parts parts;
    *status = bounds_.Take(bytes, *Request::descriptor(), &parts);
    if (!status->ok()) {
      grpc_byte_buffer_destroy(bytes);
      return nullptr;
    }
    void* const memory = grpc::g_core_codegen_interface->grpc_call_arena_alloc(call, sizeof(Held));
    auto* const held = new (memory) Held{std::move(parts), {}};
    grpc::protobuf::MessageLite* const message = &held->request;
    // It destroys the message if it cannot read it.
    if (grpc::internal::UnaryDeserializeHelper(bytes, status, message) != nullptr) return held;
    held->parts.~Parts();
    return nullptr;
  }

 private:
  struct Held {
    GrpcBounds::Parts parts;
    Request request;
  };

  GrpcBounds& bounds_;
  GrpcUnsentAnswers& unsent_;
  const Call call_;
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
      const auto ask_for_next = [parts = std::shared_ptr<GrpcBounds::Parts>(TakeBack(param.internal_data)),
                                 next = param.call_requester] { next(); };
      return handler_.RunHandler(
          {param.call, param.server_context, param.request, param.status, nullptr, ask_for_next});
    }
    const grpc::Status status = param.status;
    Handler refusing([status](grpc::CallbackServerContext*, const Request*) { return new Refused(status); });
    refusing.RunHandler({param.call, param.server_context, nullptr, grpc::Status::OK, nullptr, param.call_requester});
  }

  void* Deserialize(grpc_call* call, grpc_byte_buffer* bytes, grpc::Status* status, void** data) override {
    auto parts = std::make_unique<GrpcBounds::Parts>();
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
  static GrpcBounds::Parts* TakeBack(void* data) { return static_cast<GrpcBounds::Parts*>(data); }

  struct Refused final : grpc::ServerWriteReactor<Response> {
    explicit Refused(const grpc::Status& status) { this->Finish(status); }
    void OnDone() override { delete this; }
  };

  GrpcBounds& bounds_;
  Handler handler_;
};

}  // namespace vaquita
