#include "server/frontend/hbase/rpc/rpc_server.h"

#include <algorithm>
#include <asio/executor_work_guard.hpp>
#include <asio/io_context.hpp>
#include <asio/ip/tcp.hpp>
#include <asio/post.hpp>
#include <asio/steady_timer.hpp>
#include <chrono>
#include <functional>
#include <future>
#include <thread>
#include <utility>

#include "base/steady_ms.h"
#include "server/frontend/hbase/rpc/rpc_connection.h"
#include "server/frontend/net/accept_loop.h"

namespace vaquita::hbase {
namespace {

// A thread, its connections, and the timer that looks after them while there are any.
class IoThread {
 public:
  explicit IoThread(const RpcServerOptions& options)
      : period_(std::clamp<int64_t>(std::min(options.handshake_timeout_ms, options.stall_timeout_ms) / 4, 1, 5000)) {}
  ~IoThread() { Join(); }

  IoThreadShared* shared() { return &shared_; }
  void Start() {
    thread_ = std::thread([this] { shared_.context.run(); });
  }
  void Add(asio::ip::tcp::socket socket, std::shared_ptr<TlsSession> tls, RpcShared* shared) {
    std::make_shared<RpcConnection>(std::move(socket), std::move(tls), shared, &shared_)->Start();
    if (!std::exchange(ticking_, true)) Tick();
  }
  // Runs `task` on the thread and waits for it.
  void RunAndWait(const std::function<void()>& task) {
    std::promise<void> done;
    asio::post(shared_.context, [&] {
      task();
      done.set_value();
    });
    done.get_future().wait();
  }
  void CloseConnections() {
    timer_.cancel();
    for (const auto& connection : Connections()) connection->Close();
  }
  void Join() {
    shared_.context.stop();
    if (thread_.joinable()) thread_.join();
  }

 private:
  // A copy: closing a connection removes it.
  std::vector<std::shared_ptr<RpcConnection>> Connections() const {
    std::vector<std::shared_ptr<RpcConnection>> all;
    for (const auto& [key, connection] : shared_.connections) all.push_back(connection);
    return all;
  }
  void Tick() {
    timer_.expires_after(period_);
    timer_.async_wait([this](const std::error_code& error) {
      if (error) return;
      const int64_t now_ms = SteadyMs();
      for (const auto& connection : Connections()) connection->CloseIfStalled(now_ms);
      ticking_ = !shared_.connections.empty();
      if (ticking_) Tick();
    });
  }

  const std::chrono::milliseconds period_;
  IoThreadShared shared_;
  asio::executor_work_guard<asio::io_context::executor_type> work_{shared_.context.get_executor()};
  asio::steady_timer timer_{shared_.context};
  bool ticking_ = false;
  std::thread thread_;
};

class RpcServerImpl final : public RpcServer {
 public:
  explicit RpcServerImpl(const RpcServerOptions& options) : shared_(options) {
    for (int i = 0; i < options.io_threads; ++i) threads_.push_back(std::make_unique<IoThread>(options));
  }
  ~RpcServerImpl() override { Stop(); }

  absl::StatusOr<int> Listen(const std::string& address, int port) override {
    auto listener = std::make_unique<net::AcceptLoop>(threads_.front()->shared()->context, net::Protocol::kHBaseRpc);
    auto bound = listener->Bind(address, port);
    listener->UseTls({.context = shared_.options.tls});
    if (bound.ok()) listeners_.push_back(std::move(listener));
    return bound;
  }

  void Serve(const std::vector<RpcService*>& services, const std::string& cluster_id) override {
    for (RpcService* service : services) shared_.services.emplace(service->name(), service);
    shared_.cluster_id = cluster_id;
    for (const auto& listener : listeners_) {
      listener->Start([this](const net::Accepted& accepted) { Add(accepted); });
    }
    for (const auto& thread : threads_) thread->Start();
    serving_ = true;
  }

  void Give(const net::Accepted& accepted) override { listeners_.front()->Give(accepted); }

  void Stop() override {
    if (!std::exchange(serving_, false)) return;
    shared_.stopping = true;
    threads_.front()->RunAndWait([this] {
      for (const auto& listener : listeners_) listener->Close();
    });
    for (const auto& thread : threads_) thread->RunAndWait([] {});  // the calls that run on it have ended
    shared_.workers.Stop();
    shared_.priority_workers.Stop();
    for (const auto& thread : threads_) thread->RunAndWait([&thread] { thread->CloseConnections(); });
    for (const auto& thread : threads_) thread->Join();
  }

  int64_t connections() const override { return shared_.connections; }
  RpcLoad load() const override {
    const int64_t start_ms = shared_.running.OldestStartMs();
    return {.connections = shared_.connections,
            .call_bytes = shared_.call_bytes,
            .oldest_call_ms = start_ms < 0 ? 0 : shared_.options.clock->NowMs() - start_ms,
            .general = shared_.workers.load(),
            .priority = shared_.priority_workers.load()};
  }
  std::vector<MonitoredCall> running_calls() const override { return shared_.running.List(); }

 private:
  // The connections go to the threads in turn.
  void Add(const net::Accepted& accepted) {
    IoThread* const thread = threads_[next_thread_++ % threads_.size()].get();
    auto socket = std::make_shared<asio::ip::tcp::socket>(accepted.Open(thread->shared()->context));
    asio::post(thread->shared()->context, [this, thread, socket, tls = accepted.tls] {
      if (!shared_.stopping) thread->Add(std::move(*socket), tls, &shared_);
    });
  }

  RpcShared shared_;  // outlives the connections, which the threads keep
  std::vector<std::unique_ptr<IoThread>> threads_;
  std::vector<std::unique_ptr<net::AcceptLoop>> listeners_;
  size_t next_thread_ = 0;
  bool serving_ = false;
};

}  // namespace

std::unique_ptr<RpcServer> RpcServer::Create(const RpcServerOptions& options) {
  return std::make_unique<RpcServerImpl>(options);
}

}  // namespace vaquita::hbase
