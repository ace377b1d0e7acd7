// proto/vaquita/grpc_method.h: the methods of gRPC's services, and calls of them by a client.
//
// gRPC's plugin of protoc makes 160 lines of templates for each method, which took much of a build's time
// (docs/design/build-time.md). So the programs use headers that have the methods' paths and types only:
// vaquita/v1/*.methods.h, made by cmake/grpc_methods.cmake. Threads: any.
#pragma once

#include <functional>
#include <type_traits>

#include "google/protobuf/message_lite.h"
#include "grpcpp/channel.h"
#include "grpcpp/client_context.h"
#include "grpcpp/impl/codegen/proto_utils.h"  // without which gRPC cannot read and write messages
#include "grpcpp/support/status.h"

namespace vaquita {

template <typename Request, typename Response>
struct GrpcMethod {
  const char* path;  // e.g. "/vaquita.v1.DataService/Get"
};

// A method that answers with a stream (proto/vaquita/grpc_stream.h).
template <typename Request, typename Response>
struct GrpcStreamMethod {
  const char* path;
};

// A request with the place for its answer, of the types that its method has. They outlive the call.
struct GrpcExchange {
  template <typename Request, typename Response>
  GrpcExchange(GrpcMethod<Request, Response> method, const std::type_identity_t<Request>& request,
               std::type_identity_t<Response>* response)
      : path(method.path), request(request), response(response) {}

  const char* path;
  const google::protobuf::MessageLite& request;
  google::protobuf::MessageLite* response;
};

// Sends the request and waits for the answer.
grpc::Status CallGrpc(grpc::Channel* channel, grpc::ClientContext* context, const GrpcExchange& exchange);

// Sends the request. Calls `done` when the call has ended, on a thread of gRPC's.
void StartGrpcCall(grpc::Channel* channel, grpc::ClientContext* context, const GrpcExchange& exchange,
                   std::function<void(grpc::Status)> done);

}  // namespace vaquita
