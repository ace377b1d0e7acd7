#include "server/hbase/rpc_server.h"

#include <algorithm>
#include <asio/executor_work_guard.hpp>
#include <asio/io_context.hpp>
#include <asio/ip/tcp.hpp>
#include <asio/post.hpp>
#include <asio/steady_timer.hpp>
#include <chrono>
#include <future>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "server/hbase/rpc_connection.h"
#include "engine/log.h"

namespace vaquita::hbase {
namespace {

using asio::ip::tcp;

// After a failed accept: there may be no file descriptors left, and then there may be some later.
constexpr std::chrono::milliseconds kAcceptPause{100};

int64_t ServerSteadyMs() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

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
  void Add(tcp::socket socket, RpcShared* shared) {
    std::make_shared<RpcConnection>(std::move(socket), shared, &shared_)->Start();
    if (!std::exchange(ticking_, true)) Tick();
  }
  // Runs `task` on the thread and waits for it.
  template <typename Task>
  void RunAndWait(Task task) {
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
      const int64_t now_ms = ServerSteadyMs();
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

// One port. Its connections go to the threads in turn.
class Listener {
 public:
  Listener(RpcShared* shared, std::vector<std::unique_ptr<IoThread>>* threads)
      : shared_(shared),
        threads_(threads),
        acceptor_(threads->front()->shared()->context),
        pause_(threads->front()->shared()->context) {}

  absl::StatusOr<int> Bind(const std::string& address, int port) {
    std::error_code error;
    const auto endpoints = tcp::resolver(threads_->front()->shared()->context)
                               .resolve(address, std::to_string(port), tcp::resolver::passive, error);
    if (!error) {
      const tcp::endpoint endpoint = *endpoints.begin();
      acceptor_.open(endpoint.protocol(), error);
      if (!error) acceptor_.set_option(asio::socket_base::reuse_address(true), error);
      if (!error) acceptor_.bind(endpoint, error);
      if (!error) acceptor_.listen(asio::socket_base::max_listen_connections, error);
    }
    if (error) return absl::UnavailableError(absl::StrCat("listen on ", address, ":", port, ": ", error.message()));
    return acceptor_.local_endpoint().port();
  }

  void Accept() {
    IoThread* const thread = (*threads_)[next_++ % threads_->size()].get();
    acceptor_.async_accept(thread->shared()->context, [this, thread](const std::error_code& error, tcp::socket socket) {
      if (error == asio::error::operation_aborted) return;
      if (error) return AcceptLater(error);
      auto shared_socket = std::make_shared<tcp::socket>(std::move(socket));
      asio::post(thread->shared()->context, [this, thread, shared_socket] {
        if (!shared_->stopping) thread->Add(std::move(*shared_socket), shared_);
      });
      Accept();
    });
  }

  void Close() {
    std::error_code ignored;
    acceptor_.close(ignored);
    pause_.cancel();
  }

 private:
  void AcceptLater(const std::error_code& error) {
    spdlog::warn("accept: {}", error.message());
    pause_.expires_after(kAcceptPause);
    pause_.async_wait([this](const std::error_code& cancelled) {
      if (!cancelled) Accept();
    });
  }

  RpcShared* const shared_;
  std::vector<std::unique_ptr<IoThread>>* const threads_;
  tcp::acceptor acceptor_;
  asio::steady_timer pause_;
  size_t next_ = 0;
};

class RpcServerImpl final : public RpcServer {
 public:
  explicit RpcServerImpl(const RpcServerOptions& options) : shared_(options) {
    for (int i = 0; i < options.io_threads; ++i) threads_.push_back(std::make_unique<IoThread>(options));
  }
  ~RpcServerImpl() override { Stop(); }

  absl::StatusOr<int> Listen(const std::string& address, int port) override {
    auto listener = std::make_unique<Listener>(&shared_, &threads_);
    auto bound = listener->Bind(address, port);
    if (bound.ok()) listeners_.push_back(std::move(listener));
    return bound;
  }

  void Serve(const std::vector<RpcService*>& services, const std::string& cluster_id) override {
    for (RpcService* service : services) shared_.services.emplace(service->name(), service);
    shared_.cluster_id = cluster_id;
    for (const auto& listener : listeners_) listener->Accept();
    for (const auto& thread : threads_) thread->Start();
    serving_ = true;
  }

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
    return {.connections = shared_.connections,
            .call_bytes = shared_.call_bytes,
            .general = shared_.workers.load(),
            .priority = shared_.priority_workers.load()};
  }

 private:
  RpcShared shared_;  // outlives the connections, which the threads keep
  std::vector<std::unique_ptr<IoThread>> threads_;
  std::vector<std::unique_ptr<Listener>> listeners_;
  bool serving_ = false;
};

}  // namespace

std::unique_ptr<RpcServer> RpcServer::Create(const RpcServerOptions& options) {
  return std::make_unique<RpcServerImpl>(options);
}

}  // namespace vaquita::hbase
