#include "proto/vaquita/grpc_method.h"

#include <utility>

#include "grpcpp/impl/client_unary_call.h"
#include "grpcpp/support/client_callback.h"

namespace vaquita {
namespace {

using google::protobuf::MessageLite;
using grpc::internal::RpcMethod;

}  // namespace

grpc::Status CallGrpc(grpc::Channel* channel, grpc::ClientContext* context, const GrpcExchange& exchange) {
  const RpcMethod method(exchange.path, RpcMethod::NORMAL_RPC);
  return grpc::internal::BlockingUnaryCall<MessageLite, MessageLite>(channel, method, context, exchange.request,
                                                                     exchange.response);
}

void StartGrpcCall(grpc::Channel* channel, grpc::ClientContext* context, const GrpcExchange& exchange,
                   std::function<void(grpc::Status)> done) {
  const RpcMethod method(exchange.path, RpcMethod::NORMAL_RPC);
  grpc::internal::CallbackUnaryCall<MessageLite, MessageLite>(channel, method, context, &exchange.request,
                                                              exchange.response, std::move(done));
}

}  // namespace vaquita
