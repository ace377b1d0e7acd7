// tests/fuzz/grpc_services_fuzz.cc: calls of the gRPC API, by a real connection, with any bytes as their messages.
//
// An input is calls, one after the other: a line "Service/Method", and the request's message with its length before it.
// A region that a request names becomes the table's.
#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/grpcpp.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "tests/fuzz/fuzz_server.h"
#include "vaquita/v1/admin.pb.h"
#include "vaquita/v1/data.pb.h"

namespace vaquita {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

class Target {
 public:
  void Converse(fuzz::Input input) {
    if (server_.Begin()) {
      stub_ = std::make_unique<grpc::GenericStub>(
          grpc::CreateChannel(server_.process().grpc_address(), grpc::InsecureChannelCredentials()));
    }
    region_ = server_.Region();
    for (int calls = 0; !input.Rest().empty() && calls < kMostCalls; ++calls) {
      const std::string_view service = input.Until('/');
      const std::string_view method = input.Until('\n');
      Call(std::string(service), std::string(method), input.Sized());
    }
  }

 private:
  static constexpr int kMostCalls = 10;
  static constexpr int kMostAnswers = 100;
  static constexpr std::chrono::seconds kMostTime{20};

  void Call(const std::string& service, const std::string& method, std::string_view bytes) {
    const std::optional<std::string> known = WithRegion(service, method, bytes);
    const std::string message = known.value_or(std::string(bytes));
    // A path that no client library sends.
    if (method.empty() || method.find('\0') != std::string::npos) return;
    grpc::Slice slice(message);
    const grpc::ByteBuffer request(&slice, 1);
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() + kMostTime);
    grpc::CompletionQueue queue;
    const auto is_done = [&queue] {
      void* tag = nullptr;
      bool ok = false;
      return queue.Next(&tag, &ok) && ok;
    };
    const auto call = stub_->PrepareCall(&context, "/vaquita.v1." + service + "/" + method, &queue);
    call->StartCall(this);
    bool goes_on = is_done();
    if (goes_on) {
      call->WriteLast(request, {}, this);
      goes_on = is_done();
    }
    // A scan has many answers.
    for (int answers = 0; goes_on; ++answers) {
      if (answers == kMostAnswers) context.TryCancel();
      grpc::ByteBuffer answer;
      call->Read(&answer, this);
      goes_on = is_done();
    }
    grpc::Status status;
    call->Finish(&status, this);
    is_done();
    fuzz::Check(status.error_code() != grpc::StatusCode::DEADLINE_EXCEEDED, "a call ends");
    // The library says nothing of methods that do not exist, and of bytes that are no message.
    fuzz::Check(status.ok() || !known.has_value() || !status.error_message().empty(), "an error has a message");
  }

  // Returns the message with another region; nullopt if there is no such method, or the bytes are not its message.
  std::optional<std::string> WithRegion(const std::string& service, const std::string& method,
                                        std::string_view bytes) const {
    const auto* found = google::protobuf::DescriptorPool::generated_pool()->FindServiceByName("vaquita.v1." + service);
    const auto* rpc = found == nullptr ? nullptr : found->FindMethodByName(method);
    if (rpc == nullptr) return std::nullopt;
    const std::unique_ptr<Message> message(
        google::protobuf::MessageFactory::generated_factory()->GetPrototype(rpc->input_type())->New());
    if (!message->ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) return std::nullopt;
    const FieldDescriptor* const region = rpc->input_type()->FindFieldByName("region");
    if (region != nullptr && !region->is_repeated() && region->cpp_type() == FieldDescriptor::CPPTYPE_STRING &&
        message->GetReflection()->GetString(*message, region).find(',') != std::string::npos) {
      message->GetReflection()->SetString(message.get(), region, region_);
    }
    return message->SerializeAsString();
  }

  fuzz::Server server_{{.serve = true}};
  std::unique_ptr<grpc::GenericStub> stub_;
  std::string region_;
};

}  // namespace
}  // namespace vaquita

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static auto* const target = new vaquita::Target;  // as long as the process
  target->Converse({data, size});
  return 0;
}
