// tests/fuzz/rpc_connection_fuzz.cc: the bytes of an HBase client's connection, from its preamble on, to a server whose
// one service reads every byte.
//
// The server runs in this process behind a real socket. An input has been handled when the server has closed the
// connection, which it does soon after the client has said its last.
#include <arpa/inet.h>
#include <google/protobuf/stubs/logging.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/log.h"
#include "server/frontend/hbase/rpc/rpc_server.h"
#include "server/frontend/hbase/rpc/rpc_service.h"

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

  void Converse(std::string_view bytes) const {
    const int client = Connect();
    const linger at_once{.l_onoff = 1, .l_linger = 0};  // millions of connections would wait in TIME_WAIT
    setsockopt(client, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
    for (ssize_t sent; !bytes.empty() && (sent = send(client, bytes.data(), bytes.size(), MSG_NOSIGNAL)) > 0;) {
      bytes.remove_prefix(sent);
    }
    shutdown(client, SHUT_WR);
    char answer[4096];
    while (recv(client, answer, sizeof(answer), 0) > 0) {
    }
    close(client);
  }

 private:
  int Connect() const {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<uint16_t>(port_));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    while (true) {
      const int client = socket(AF_INET, SOCK_STREAM, 0);
      if (client >= 0 && connect(client, reinterpret_cast<sockaddr*>(&address), sizeof(address)) == 0) return client;
      if (errno != EINTR) {  // libFuzzer's clock
        std::perror("connect to the server");
        std::abort();
      }
      close(client);
    }
  }

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
