#include "server/frontend/grpc/grpc_bounded_service.h"

#include <grpc/byte_buffer_reader.h>
#include <grpc/slice.h>

#include <limits>
#include <memory>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "grpcpp/support/method_handler.h"
#include "proto/vaquita/status_codec.h"
#include "proto/wire/message_parts.h"

namespace vaquita {
namespace {

// A request in the memory of its call.
struct HeldRequest {
  PartsBudget::Share parts;
  std::unique_ptr<google::protobuf::Message> message;
};

}  // namespace
}  // namespace vaquita

// gRPC reads it by this.
template <>
class grpc::SerializationTraits<vaquita::HeldRequest> {
 public:
  static grpc::Status Deserialize(grpc::ByteBuffer* bytes, vaquita::HeldRequest* request) {
    return grpc::SerializationTraits<google::protobuf::MessageLite>::Deserialize(bytes, request->message.get());
  }
};

namespace vaquita {
namespace {

constexpr int64_t kRequestsShare = 4;
constexpr int64_t kStreamsShare = 64;

int64_t LengthOf(grpc_byte_buffer* request) {
  return request == nullptr ? 0 : static_cast<int64_t>(grpc_byte_buffer_length(request));
}

int64_t CountParts(grpc_byte_buffer* request, const google::protobuf::Descriptor& type, int64_t most) {
  if (request == nullptr) return 0;
  grpc_byte_buffer_reader reader;
  if (grpc_byte_buffer_reader_init(&reader, request) == 0) return 0;  // nor will it be read
  const grpc_slice bytes = grpc_byte_buffer_reader_readall(&reader);
  const std::string_view text(reinterpret_cast<const char*>(GRPC_SLICE_START_PTR(bytes)), GRPC_SLICE_LENGTH(bytes));
  const int64_t cost = CostOfParts(text, type, most);
  grpc_slice_unref(bytes);
  grpc_byte_buffer_reader_destroy(&reader);
  return cost;
}

// To send it again is of no use, which the client reads in the details.
grpc::Status Exhausted(const std::string& message) {
  const grpc::Status status = ToGrpcStatus(Error(ErrorKind::kDoNotRetryIO, message));
  return {grpc::StatusCode::RESOURCE_EXHAUSTED, status.error_message(), status.error_details()};
}

grpc::Status TooManyParts(const google::protobuf::Descriptor& type, int64_t most) {
  return Exhausted(absl::StrCat("a ", type.full_name(), " has so many parts that they take more than ", most,
                                " bytes of memory; send fewer at a time"));
}

}  // namespace

grpc::Status GrpcBounds::Take(grpc_byte_buffer* request, const google::protobuf::Descriptor& type,
                              PartsBudget::Share* parts) {
  const int64_t most = budget_.most_bytes() / kRequestsShare;
  if (LengthOf(request) < static_cast<int64_t>(kUncountedBytes)) return grpc::Status::OK;
  const int64_t bytes = CountParts(request, type, most);
  return bytes <= most ? Hold(bytes, parts) : TooManyParts(type, most);
}

// Small requests are counted, too: a connection may have thousands of streams.
grpc::Status GrpcBounds::TakeStream(grpc_byte_buffer* request, const google::protobuf::Descriptor& type,
                                    PartsBudget::Share* parts) {
  const int64_t most = budget_.most_bytes() / kStreamsShare;
  const int64_t bytes = CountParts(request, type, most);
  return bytes <= most ? Hold(bytes + LengthOf(request), parts) : TooManyParts(type, most);
}

grpc::Status GrpcBounds::Hold(int64_t bytes, PartsBudget::Share* parts) {
  if (budget_.Take(bytes, parts)) return grpc::Status::OK;
  return {grpc::StatusCode::RESOURCE_EXHAUSTED, "the requests that run take the memory that there is for them"};
}

grpc::Status GrpcBounds::CheckAnswer(const google::protobuf::Message& answer) {
  constexpr size_t kMost = std::numeric_limits<int>::max();
  const size_t size = answer.ByteSizeLong();
  if (size <= kMost) return grpc::Status::OK;
  return Exhausted(
      absl::StrCat("the answer, a ", answer.GetTypeName(), ", has ", size, " bytes; it may have ", kMost, " at most"));
}

// As grpc::internal::RpcMethodHandler, for messages of all types.
class GrpcBoundedService::UnaryHandler final : public grpc::internal::MethodHandler {
 public:
  UnaryHandler(GrpcBoundedService* service, const Message& request, const Message& response, UnaryCall call)
      : bounds_(service->bounds_),
        unsent_(service->unsent_),
        request_(request),
        response_(response),
        call_(std::move(call)) {}

  void RunHandler(const HandlerParameter& param) override {
    const std::unique_ptr<Message> response(response_.New());
    grpc::Status status = param.status;
    if (status.ok()) {
      auto* const held = static_cast<HeldRequest*>(param.request);
      status = grpc::internal::CatchingFunctionHandler([&] {
        return call_(static_cast<grpc::ServerContext*>(param.server_context), held->message.get(), response.get());
      });
      held->~HeldRequest();
    }
    if (status.ok()) status = GrpcBounds::CheckAnswer(*response);
    const GrpcUnsentAnswers::Answer sending = unsent_.Add(param.server_context, *response, /*holds_thread=*/true);
    grpc::internal::UnaryRunHandlerHelper(param, static_cast<google::protobuf::MessageLite*>(response.get()), status);
  }

  void* Deserialize(grpc_call* call, grpc_byte_buffer* bytes, grpc::Status* status, void** /*data*/) override {
    PartsBudget::Share parts;
    *status = bounds_.Take(bytes, *request_.GetDescriptor(), &parts);
    if (!status->ok()) {
      grpc_byte_buffer_destroy(bytes);
      return nullptr;
    }
    void* const memory = grpc::g_core_codegen_interface->grpc_call_arena_alloc(call, sizeof(HeldRequest));
    auto* const held = new (memory) HeldRequest{std::move(parts), std::unique_ptr<Message>(request_.New())};
    // It destroys the request if it cannot read it.
    return grpc::internal::UnaryDeserializeHelper(bytes, status, held);
  }

 private:
  GrpcBounds& bounds_;
  GrpcUnsentAnswers& unsent_;
  const Message& request_;
  const Message& response_;
  const UnaryCall call_;
};

void GrpcBoundedService::AddUnary(const char* path, const Message& request, const Message& response, UnaryCall call) {
  AddMethod(new grpc::internal::RpcServiceMethod(path, grpc::internal::RpcMethod::NORMAL_RPC,
                                                 new UnaryHandler(this, request, response, std::move(call))));
  ++methods_;
}

}  // namespace vaquita
