// tests/fuzz/rpc_connection_fuzz.cc: the bytes of an HBase client's connection, from its preamble on, to a server whose
// one service reads every byte.
//
// The server runs in this process behind a real socket. An input has been handled when the server has closed the
// connection.
#include <google/protobuf/stubs/logging.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/log.h"
#include "server/frontend/hbase/rpc/rpc_server.h"
#include "server/frontend/hbase/rpc/rpc_service.h"
#include "tests/fuzz/conversation.h"

namespace vaquita::hbase {
namespace {

class ReadingService : public RpcService {
 public:
  explicit ReadingService(std::string_view name) : name_(name) {}
  std::string_view name() const override { return name_; }
  absl::StatusOr<RpcResponse> Call(const RpcRequest& request) override {
    RpcResponse response;
    for (const std::string_view part : {request.method, request.param, request.cells, request.user}) {
      response.param.append(part.substr(0, 100));
      for (const char byte : part) sum_ += byte;
    }
    return response;
  }
  bool MayBlock(std::string_view method) const override { return method != "Get"; }  // so that both ways are gone

 private:
  const std::string_view name_;
  std::atomic<char> sum_ = 0;
};

class Target {
 public:
  Target() {
    google::protobuf::SetLogHandler(nullptr);  // it would tell of every message that it cannot parse
    spdlog::set_level(spdlog::level::off);
    RpcServerOptions options;
    options.io_threads = 1;
    options.handler_threads = 1;
    options.priority_handler_threads = 1;
    options.max_request_bytes = 1 << 20;
    options.clock = Clock::System();
    server_ = RpcServer::Create(options);
    const absl::StatusOr<int> port = server_->Listen("127.0.0.1", 0);
    if (!port.ok()) std::abort();
    port_ = *port;
    server_->Serve({&client_service_, &master_service_}, "cluster");
  }

  void Converse(std::string_view bytes) const { fuzz::Converse(port_, bytes); }

 private:
  ReadingService client_service_{"ClientService"};
  ReadingService master_service_{"MasterService"};
  std::unique_ptr<RpcServer> server_;
  int port_ = 0;
};

}  // namespace
}  // namespace vaquita::hbase

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const auto* target = new vaquita::hbase::Target;  // as long as the process
  target->Converse({reinterpret_cast<const char*>(data), size});
  return 0;
}
