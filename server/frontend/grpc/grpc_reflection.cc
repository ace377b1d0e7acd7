#include "server/frontend/grpc/grpc_reflection.h"

#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/descriptor.pb.h"
#include "grpcpp/impl/codegen/proto_utils.h"  // without which gRPC cannot read and write messages
#include "grpcpp/impl/codegen/server_callback_handlers.h"

namespace vaquita {
namespace {

using google::protobuf::DescriptorPool;
using google::protobuf::FileDescriptor;
namespace reflection = grpc::reflection::v1alpha;

// Protobuf looks up each prefix of an unknown name with dots while all others wait, and the answer repeats the request.
constexpr size_t kMostRequestBytes = 4096;
constexpr int kMostStreams = 64;  // open at once

void SetNotFound(const std::string& what, reflection::ServerReflectionResponse* response) {
  response->mutable_error_response()->set_error_code(grpc::StatusCode::NOT_FOUND);
  response->mutable_error_response()->set_error_message("there is no " + what);
}

void AddFile(const FileDescriptor& file, std::set<const FileDescriptor*>* added,
             reflection::FileDescriptorResponse* response) {
  if (!added->insert(&file).second) return;
  google::protobuf::FileDescriptorProto proto;
  file.CopyTo(&proto);
  response->add_file_descriptor_proto(proto.SerializeAsString());
  for (int i = 0; i < file.dependency_count(); ++i) AddFile(*file.dependency(i), added, response);
}

// Null `file`: nothing has it.
void SetFile(const FileDescriptor* file, const std::string& what, reflection::ServerReflectionResponse* response) {
  if (file == nullptr) return SetNotFound(what, response);
  std::set<const FileDescriptor*> added;
  AddFile(*file, &added, response->mutable_file_descriptor_response());
}

}  // namespace

void GrpcReflection::Answer(const reflection::ServerReflectionRequest& request,
                            reflection::ServerReflectionResponse* response) const {
  using Request = reflection::ServerReflectionRequest;
  response->set_valid_host(request.host());
  *response->mutable_original_request() = request;
  const DescriptorPool& pool = *DescriptorPool::generated_pool();
  switch (request.message_request_case()) {
    case Request::kFileByFilename:
      return SetFile(pool.FindFileByName(request.file_by_filename()), "file " + request.file_by_filename(), response);
    case Request::kFileContainingSymbol:
      return SetFile(pool.FindFileContainingSymbol(request.file_containing_symbol()),
                     "symbol " + request.file_containing_symbol(), response);
    case Request::kFileContainingExtension:  // none of the messages has any
      return SetNotFound("extension of " + request.file_containing_extension().containing_type(), response);
    case Request::kAllExtensionNumbersOfType:
      if (pool.FindMessageTypeByName(request.all_extension_numbers_of_type()) == nullptr) {
        return SetNotFound("message " + request.all_extension_numbers_of_type(), response);
      }
      return response->mutable_all_extension_numbers_response()->set_base_type_name(
          request.all_extension_numbers_of_type());
    case Request::kListServices:
      for (const std::string& name : services_) {
        response->mutable_list_services_response()->add_service()->set_name(name);
      }
      return;
    case Request::MESSAGE_REQUEST_NOT_SET:
      response->mutable_error_response()->set_error_code(grpc::StatusCode::INVALID_ARGUMENT);
      response->mutable_error_response()->set_error_message("the request asks for nothing");
      return;
  }
}

// Answers one request after the other. It deletes itself at its end.
class GrpcReflection::Stream final
    : public grpc::ServerBidiReactor<reflection::ServerReflectionRequest, reflection::ServerReflectionResponse> {
 public:
  explicit Stream(GrpcReflection* service) : service_(*service) {
    if (++service_.streams_ > kMostStreams) {
      Finish({grpc::StatusCode::RESOURCE_EXHAUSTED, "too many streams of reflection are open"});
    } else {
      StartRead(&request_);
    }
  }

  void OnReadDone(bool ok) override {
    if (!ok) return Finish(grpc::Status::OK);
    if (const size_t bytes = request_.ByteSizeLong(); bytes > kMostRequestBytes) {
      request_ = {};  // gives its memory back
      return Finish({grpc::StatusCode::INVALID_ARGUMENT,
                     absl::StrCat("a request of reflection has ", bytes, " bytes; it may have ", kMostRequestBytes)});
    }
    response_.Clear();
    service_.Answer(request_, &response_);
    StartWrite(&response_);
  }
  void OnWriteDone(bool ok) override {
    if (!ok) return Finish(grpc::Status::OK);
    request_.Clear();
    StartRead(&request_);
  }
  void OnDone() override {
    --service_.streams_;
    delete this;
  }

 private:
  GrpcReflection& service_;
  reflection::ServerReflectionRequest request_;
  reflection::ServerReflectionResponse response_;
};

GrpcReflection::GrpcReflection(std::vector<std::string> services) : services_(std::move(services)) {
  services_.emplace_back("grpc.reflection.v1alpha.ServerReflection");
  AddMethod(new grpc::internal::RpcServiceMethod("/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo",
                                                 grpc::internal::RpcMethod::BIDI_STREAMING, nullptr));
  using Handler =
      grpc::internal::CallbackBidiHandler<reflection::ServerReflectionRequest, reflection::ServerReflectionResponse>;
  MarkMethodCallback(0, new Handler([this](grpc::CallbackServerContext*) { return new Stream(this); }));
}

}  // namespace vaquita
