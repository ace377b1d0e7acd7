// server/frontend/hbase/rpc/testing/rpc_server_fixture.h: a server with one service whose methods wait, burn time and
// answer as a test asks. For tests only.
#pragma once

#include <gmock/gmock.h>

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

#include "base/call_context.h"
#include "base/clock.h"
#include "base/status.h"
#include "hbase/Client.pb.h"
#include "server/frontend/hbase/rpc/rpc_frame.h"
#include "server/frontend/hbase/rpc/rpc_server.h"
#include "server/frontend/hbase/rpc/testing/raw_client.h"

namespace vaquita::hbase::testing {

// Methods that show what a service is given, and that wait until the test lets them go on.
class TestService : public RpcService {
 public:
  std::string_view name() const override { return "ClientService"; }
  bool MayBlock(std::string_view method) const override { return method.starts_with("Slow") || method == "Wait"; }
  const google::protobuf::Descriptor* RequestType(std::string_view method) const override {
    return method == "Wait" ? pb::MultiRequest::descriptor() : nullptr;
  }
  absl::StatusOr<RpcResponse> Call(const RpcRequest& request) override {
    if (request.method == "Echo" || request.method == "SlowEcho") {
      return RpcResponse{std::string(request.param), std::string(request.cells)};
    }
    if (request.method == "Wait" || request.method == "LongWait") return Wait();
    if (request.method == "Burn") return Burn();
    if (request.method == "SlowRead" || request.method == "Read") return Read(request);
    if (request.method == "MayWait") return request.context.short_waits ? WouldWait() : Wait();
    if (request.method == "Many" || request.method == "SlowMany") return RpcResponse{std::string(1 << 20, 'm'), ""};
    if (request.method == "Who") {
      return RpcResponse{std::string(request.user) + " " + std::string(request.client_version) + " " +
                             (request.takes_cells ? "cells" : "no cells"),
                         ""};
    }
    if (request.method == "Moved") {
      return Error(ErrorKind::kRegionMoved,
                   "Region moved to: hostname=h2 port=16021 startCode=5. As of locationSeqNum=7.");
    }
    if (request.method == "Throw") throw std::runtime_error("thrown");
    return Error(ErrorKind::kUnsupportedOperation, request.method);
  }

  void WaitForWaiting(int calls) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return waiting_ >= calls; });
  }
  // Returns the number of threads that ran "Burn".
  size_t burners() {
    std::lock_guard lock(mutex_);
    return burners_.size();
  }
  // Returns the result of the "SlowRead" that nobody waited for, when it has ended.
  absl::Status AwaitReadsEnd() {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, std::chrono::seconds(20), [&] { return !read_end_.ok(); });
    return std::exchange(read_end_, absl::OkStatus());
  }
  std::string TableOf(const RpcRequest& request) const override { return "table of " + std::string(request.param); }
  void LetGo() {
    std::lock_guard lock(mutex_);
    let_go_ = true;
    changed_.notify_all();
  }

 private:
  absl::StatusOr<RpcResponse> Wait() {
    std::unique_lock lock(mutex_);
    ++waiting_;
    changed_.notify_all();
    changed_.wait(lock, [&] { return let_go_; });
    return RpcResponse{"waited", ""};
  }

  // Is expensive. A call on a worker ends when two workers have come, however late the machine lets them run.
  absl::StatusOr<RpcResponse> Burn() {
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(2);
    while (std::chrono::steady_clock::now() < end) {
    }
    std::unique_lock lock(mutex_);
    if (burners_.empty()) reader_ = std::this_thread::get_id();
    burners_.insert(std::this_thread::get_id());
    changed_.notify_all();
    if (reader_ == std::this_thread::get_id()) return RpcResponse{"burnt", ""};
    changed_.wait_for(lock, std::chrono::seconds(20), [&] { return burners_.size() > 2; });
    return RpcResponse{"burnt", ""};
  }
  // Reads until its watch says that nobody waits any more, or that it is to go elsewhere.
  absl::StatusOr<RpcResponse> Read(const RpcRequest& request) {
    {
      std::lock_guard lock(mutex_);
      ++waiting_;
      changed_.notify_all();
    }
    absl::Status status;
    while ((status = request.context.watch->Check()).ok()) std::this_thread::yield();
    if (IsWouldWait(status)) return status;
    std::lock_guard lock(mutex_);
    read_end_ = status;
    changed_.notify_all();
    return status;
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::set<std::thread::id> burners_;
  std::thread::id reader_;  // runs the first "Burn"
  absl::Status read_end_;
  int waiting_ = 0;
  bool let_go_ = false;
};

class RpcServerFixture : public ::testing::Test {
 protected:
  RpcServerFixture() { options_.clock = Clock::System(); }
  ~RpcServerFixture() override {
    service_.LetGo();
    if (server_ != nullptr) server_->Stop();
  }
  void Start() {
    server_ = RpcServer::Create(options_);
    auto port = server_->Listen("127.0.0.1", 0);
    ASSERT_TRUE(port.ok()) << port.status();
    port_ = *port;
    server_->Serve({&service_}, "the-cluster");
  }
  std::unique_ptr<RawClient> Connect() {
    if (server_ == nullptr) Start();
    auto client = std::make_unique<RawClient>(port_);
    client->SendHeader(RawClient::Header("ClientService"));
    return client;
  }
  void WaitForConnections(int64_t count) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (server_->connections() != count && std::chrono::steady_clock::now() < deadline) std::this_thread::yield();
    EXPECT_EQ(server_->connections(), count);
  }

  RpcServerOptions options_;
  TestService service_;
  std::unique_ptr<RpcServer> server_;
  int port_ = 0;
};

}  // namespace vaquita::hbase::testing
