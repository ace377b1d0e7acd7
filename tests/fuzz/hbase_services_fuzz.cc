// tests/fuzz/hbase_services_fuzz.cc: calls of HBase's services, decoded, done by a server, and answered.
//
// An input is calls, one after the other: a line "Service.Method", the request's message and its cell block, each with
// its length before it. Regions that a message names become the table's, and scanners but 0 the last one that was
// opened, so that calls of a client's recording are about something.
#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>

#include <memory>
#include <string>
#include <vector>

#include "hbase/Client.pb.h"
#include "hbase/HBase.pb.h"
#include "hbase/RPC.pb.h"
#include "model/cell_block_reader.h"
#include "proto/hbase/status_codec.h"
#include "server/frontend/hbase/services.h"
#include "tests/fuzz/fuzz_server.h"

namespace vaquita::hbase {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

class Target {
 public:
  void Converse(fuzz::Input input) {
    if (server_.Begin()) MakeServices();
    scanner_ = 0;
    region_ = server_.Region();
    for (int calls = 0; !input.Rest().empty() && calls < kMostCalls; ++calls) {
      const std::string_view service = input.Until('.');
      const std::string_view method = input.Until('\n');
      const std::string_view message = input.Sized();
      Call(service, method, message, input.Sized());
    }
  }

 private:
  static constexpr int kMostCalls = 10;

  void MakeServices() {
    services_.clear();
    Master* const master = &server_.master();
    RegionServer* const server = &server_.region_server();
    services_.push_back(MakeClientService(server));
    services_.push_back(MakeAdminService(master, server));
    services_.push_back(MakeMasterService(master, server));
    services_.push_back(MakeRegistryService([] { return ClusterView(); }));
  }

  void Call(std::string_view service_name, std::string_view method, std::string_view message, std::string_view cells) {
    for (const auto& service : services_) {
      if (service->name() != service_name) continue;
      const std::string param = WithRegions(method, message);
      const RpcRequest request{.method = method,
                               .param = param,
                               .cells = cells,
                               .takes_cells = cells.size() % 2 == 0,
                               .takes_tags = cells.size() % 4 == 0,
                               .client_version = "2.6.0"};
      service->MayBlock(method);
      service->TableOf(request);
      service->TargetsOf(request);
      const auto answer = service->Call(request);
      if (answer.ok()) {
        ReadAnswer(method, *answer);
      } else {
        ReadError(answer.status());
      }
    }
  }

  void ReadAnswer(std::string_view method, const RpcResponse& answer) {
    CellBlockReader reader(answer.cells);
    for (CellView cell; reader.Next(&cell);) fuzz::Check(!cell.row.empty(), "a cell of an answer has a row");
    fuzz::Check(!reader.failed(), "an answer's cells can be read");
    pb::ScanResponse scan;
    if (method != "Scan") return;
    fuzz::Check(scan.ParseFromString(answer.param), "a scan's answer can be read");
    if (scan.more_results() && scan.has_scanner_id()) scanner_ = scan.scanner_id();
  }

  static void ReadError(const absl::Status& status) {
    pb::ExceptionResponse exception;
    EncodeStatus(status, &exception);
    fuzz::Check(!exception.exception_class_name().empty() && !status.message().empty(), "an error says something");
  }

  // Returns the message of the method's request with other regions; as it is if it cannot be read.
  std::string WithRegions(std::string_view method, std::string_view bytes) const {
    const std::string name =
        "hbase.pb." + (method == "ExecService" ? "CoprocessorService" : Capital(method)) + "Request";
    const auto* type = google::protobuf::DescriptorPool::generated_pool()->FindMessageTypeByName(name);
    if (type == nullptr) return std::string(bytes);
    const std::unique_ptr<Message> message(
        google::protobuf::MessageFactory::generated_factory()->GetPrototype(type)->New());
    if (!message->ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) return std::string(bytes);
    SetRegions(message.get());
    if (auto* scan = dynamic_cast<pb::ScanRequest*>(message.get()); scan != nullptr && scan->scanner_id() != 0) {
      scan->set_scanner_id(scanner_);
    }
    return message->SerializeAsString();
  }
  static std::string Capital(std::string_view method) {
    std::string name(method);
    if (!name.empty() && name[0] >= 'a' && name[0] <= 'z') name[0] = static_cast<char>(name[0] - 'a' + 'A');
    return name;
  }

  void SetRegions(Message* message) const {
    if (auto* region = dynamic_cast<pb::RegionSpecifier*>(message); region != nullptr) {
      if (region->value().find(',') != std::string::npos && !region->value().starts_with("hbase:")) {
        region->set_type(pb::RegionSpecifier::REGION_NAME);
        region->set_value(region_);
      }
      return;
    }
    std::vector<const FieldDescriptor*> fields;
    message->GetReflection()->ListFields(*message, &fields);
    for (const FieldDescriptor* field : fields) {
      if (field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) continue;
      if (!field->is_repeated()) {
        SetRegions(message->GetReflection()->MutableMessage(message, field));
        continue;
      }
      for (int i = 0; i < message->GetReflection()->FieldSize(*message, field); ++i) {
        SetRegions(message->GetReflection()->MutableRepeatedMessage(message, field, i));
      }
    }
  }

  fuzz::Server server_{{.serve = false}};
  std::vector<std::unique_ptr<RpcService>> services_;
  std::string region_;
  uint64_t scanner_ = 0;
};

}  // namespace
}  // namespace vaquita::hbase

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static auto* const target = new vaquita::hbase::Target;  // as long as the process
  target->Converse({data, size});
  return 0;
}
