#include "server/frontend/zookeeper/zookeeper_server.h"

#include <algorithm>
#include <asio/io_context.hpp>
#include <asio/ip/tcp.hpp>
#include <asio/post.hpp>
#include <asio/steady_timer.hpp>
#include <charconv>
#include <chrono>
#include <map>
#include <thread>
#include <utility>

#include "base/log.h"
#include "base/status.h"
#include "server/frontend/net/accept_loop.h"
#include "server/frontend/zookeeper/connection.h"
#include "server/frontend/zookeeper/handshake.h"
#include "server/frontend/zookeeper/sessions.h"
#include "server/frontend/zookeeper/znode_service.h"

namespace vaquita::zookeeper {
namespace {

using asio::ip::tcp;
using std::chrono::milliseconds;

// The ZooKeeper whose client protocol this is, in the form that clients take apart.
constexpr std::string_view kReportedVersion = "3.8.4-vaquita, built on Vaquita";

class Server : public ZooKeeperServer, public ConnectionHandler {
 public:
  explicit Server(const ZooKeeperOptions& options)
      : options_(options),
        clock_(options.clock != nullptr ? *options.clock : *Clock::System()),
        accept_loop_(io_, net::Protocol::kZooKeeper),
        watch_check_(io_),
        unfinished_{.most = options.max_unfinished_bytes},
        unsent_{.most = options.max_unsent_bytes},
        sessions_(io_, clock_.NowMs(), [this](const Session& session) { return OnExpired(session); }),
        service_(clock_, options.max_watch_bytes,
                 {.deliver = [this](ConnectionId id, std::string frame) { Deliver(id, std::move(frame)); },
                  .refresh = options.refresh,
                  .mirrored = options.mirrored}) {}
  ~Server() override { Stop(); }

  absl::Status Listen();
  void Run() {
    accept_loop_.Start([this](const net::Accepted& accepted) { Add(accepted); });
    if (options_.refresh) CheckWatches();
    thread_ = std::thread([this] { io_.run(); });
  }

  uint16_t port() const override { return port_; }
  void SetNode(std::string_view path, std::string_view data) override {
    asio::post(io_, [this, path = std::string(path), data = std::string(data)] { service_.tree().Set(path, data); });
  }
  void RemoveNode(std::string_view path) override {
    asio::post(io_, [this, path = std::string(path)] { service_.tree().Remove(path); });
  }
  void Give(const net::Accepted& accepted) override { accept_loop_.Give(accepted); }
  void Stop() override;

 private:
  void Add(const net::Accepted& accepted);
  bool HasRoomFor(const std::string& address);
  bool MakeRoomForSession(const Connection& connection);
  void CheckWatches();
  void OnFrameBegin(Connection& connection) override;
  void OnFrame(Connection& connection, std::string_view frame) override;
  std::string OnWord(std::string_view word) override;
  void OnClosed(Connection& connection) override;
  bool OnExpired(const Session& session);
  void CloseLargestUnsent();
  void OpenSession(Connection& connection, const ConnectRequest& request);
  void Deliver(ConnectionId id, std::string frame);
  Connection* Find(ConnectionId id);
  std::string Report(bool with_clients);

  const ZooKeeperOptions options_;
  const Clock& clock_;
  asio::io_context io_{1};
  net::AcceptLoop accept_loop_;
  asio::steady_timer watch_check_;
  uint16_t port_ = 0;
  std::thread thread_;
  // Below: the thread's own.
  ConnectionId last_connection_ = 0;
  SharedBytes unfinished_;
  SharedBytes unsent_;
  std::map<ConnectionId, std::shared_ptr<Connection>> connections_;
  std::map<std::string, size_t> by_address_;  // connections
  net::RareLines warnings_;                   // too many connections or sessions
  Sessions sessions_;
  ZnodeService service_;
  int64_t received_ = 0;
  int64_t sent_ = 0;
};

absl::Status Server::Listen() {
  VAQUITA_ASSIGN_OR_RETURN(const int bound, accept_loop_.Bind(options_.address, options_.port));
  port_ = static_cast<uint16_t>(bound);
  accept_loop_.UseTls({.context = options_.tls});
  return absl::OkStatus();
}

void Server::Stop() {
  if (!thread_.joinable()) return;
  io_.stop();
  thread_.join();
  accept_loop_.Close();
  while (!connections_.empty()) std::shared_ptr(connections_.begin()->second)->Close();
}

void Server::Add(const net::Accepted& accepted) {
  tcp::socket socket = accepted.Open(io_);
  asio::error_code error;
  const std::string address = socket.remote_endpoint(error).address().to_string();
  if (!HasRoomFor(address)) return;  // the socket closes
  const ConnectionId id = ++last_connection_;
  const Connection::Limits limits{options_.max_frame_bytes, &unfinished_, &unsent_,
                                  milliseconds(options_.handshake_timeout_ms)};
  const auto connection = std::make_shared<Connection>(id, TlsStream(std::move(socket), accepted.tls), limits, this);
  connections_[id] = connection;
  connection->address = address;
  ++by_address_[address];
  connection->Start();
}

bool Server::HasRoomFor(const std::string& address) {
  const auto found = by_address_.find(address);
  const size_t its_own = found == by_address_.end() ? 0 : found->second;
  if (connections_.size() < options_.max_connections && its_own < options_.max_address_connections) return true;
  if (!warnings_.MayLog()) return false;
  spdlog::warn("ZooKeeper connection from {} refused: {} are open, {} of them from there; the most are {} and {}",
               address, connections_.size(), its_own, options_.max_connections, options_.max_address_connections);
  return false;
}

// A session whose client is gone, or not back yet, goes for a client that is there: who opens sessions and leaves them
// keeps nobody out.
bool Server::MakeRoomForSession(const Connection& connection) {
  if (sessions_.size() < options_.max_sessions) return true;
  const bool has_room = sessions_.CloseLongestDisconnected();
  if (warnings_.MayLog()) {
    spdlog::warn("ZooKeeper session of {} {}: there are {}, the most", connection.address,
                 has_room ? "takes the place of one without a connection" : "refused", options_.max_sessions);
  }
  return has_room;
}

void Server::CheckWatches() {
  watch_check_.expires_after(milliseconds(options_.watch_check_ms));
  watch_check_.async_wait([this](const asio::error_code& error) {
    if (error) return;
    service_.RefreshWatched();
    CheckWatches();
  });
}

// The time for the rest of the frame is its session's timeout, again.
void Server::OnFrameBegin(Connection& connection) {
  if (Session* session = sessions_.Find(connection.session_id)) sessions_.Heard(session);
}

void Server::OnFrame(Connection& connection, std::string_view frame) {
  ++received_;
  CloseLargestUnsent();  // before this frame's reply is made, so that they exceed their bound by one reply at most
  if (Find(connection.id()) == nullptr) return;
  if (connection.session_id == 0) {
    ConnectRequest request;
    if (!ConnectRequest::Parse(frame, &request)) return connection.Close();
    return OpenSession(connection, request);
  }
  Session* session = sessions_.Find(connection.session_id);
  if (session == nullptr) return connection.Close();
  sessions_.Heard(session);

  std::string reply;
  const ZnodeService::Next next = service_.Handle(connection.id(), frame, &reply);
  if (next == ZnodeService::Next::kDrop) return connection.Close();
  ++sent_;
  connection.Send(std::move(reply));
  if (next == ZnodeService::Next::kCloseSession) {
    sessions_.Close(session->id);
    connection.CloseWhenSent();
  }
}

void Server::OpenSession(Connection& connection, const ConnectRequest& request) {
  const int32_t timeout_ms =
      std::clamp(request.timeout_ms, options_.min_session_timeout_ms, options_.max_session_timeout_ms);
  Session* session;
  if (request.session_id == 0) {
    if (!MakeRoomForSession(connection)) return connection.Close();
    session = sessions_.Create(milliseconds(timeout_ms));
  } else {
    session = sessions_.Find(request.session_id, request.password);
    if (session == nullptr) {
      connection.Send(EncodeExpired(request));
      return connection.CloseWhenSent();
    }
    sessions_.Heard(session, milliseconds(timeout_ms));
    if (Connection* earlier = Find(session->connection)) earlier->Close();
  }
  sessions_.Connect(session, connection.id());
  connection.session_id = session->id;
  connection.Established();
  ++sent_;
  connection.Send(EncodeConnectResponse(request, timeout_ms, session->id, session->password));
}

// A client's bytes may have come in time, and wait because the thread was busy.
bool Server::OnExpired(const Session& session) {
  Connection* connection = Find(session.connection);
  if (connection == nullptr) return true;
  if (connection->HasInput()) return false;
  connection->Close();
  return true;
}

// Closes those connections that have the most unsent bytes until all together have no more than they may.
void Server::CloseLargestUnsent() {
  while (unsent_.bytes > unsent_.most) {
    const auto unsent = [](const auto& each) { return each.second->unsent(); };
    const std::shared_ptr<Connection> largest = std::ranges::max_element(connections_, {}, unsent)->second;
    spdlog::info("ZooKeeper's clients have not read {} bytes: the connection of {}, with {} of them, is closed",
                 unsent_.bytes, largest->remote(), largest->unsent());
    largest->Close();
  }
}

void Server::OnClosed(Connection& connection) {
  service_.Forget(connection.id());
  if (Session* session = sessions_.Find(connection.session_id); session && session->connection == connection.id()) {
    sessions_.Disconnect(session);
  }
  const auto of_address = by_address_.find(connection.address);
  if (--of_address->second == 0) by_address_.erase(of_address);
  connections_.erase(connection.id());
}

Connection* Server::Find(ConnectionId id) {
  const auto found = connections_.find(id);
  return found == connections_.end() ? nullptr : found->second.get();
}

void Server::Deliver(ConnectionId id, std::string frame) {
  Connection* connection = Find(id);
  if (connection == nullptr) return;
  ++sent_;
  connection->Send(std::move(frame));
}

std::string Server::OnWord(std::string_view word) {
  if (word == "ruok") return "imok";
  if (word == "isro") return "rw";
  if (word == "envi") return "Environment:\nzookeeper.version=" + std::string(kReportedVersion) + "\n";
  if (word == "srvr") return Report(false);
  if (word == "stat") return Report(true);
  return "";
}

// In ZooKeeper's words, which clients and scripts take apart.
std::string Server::Report(bool with_clients) {
  std::string report = "Zookeeper version: " + std::string(kReportedVersion) + "\n";
  if (with_clients) {
    report += "Clients:\n";
    for (const auto& [id, connection] : connections_) report += " " + connection->remote() + "[1]\n";
    report += "\n";
  }
  char zxid[17] = {};
  std::to_chars(zxid, zxid + 16, service_.tree().last_zxid(), 16);
  return report + "Latency min/avg/max: 0/0.0/0\nReceived: " + std::to_string(received_) +
         "\nSent: " + std::to_string(sent_) + "\nConnections: " + std::to_string(connections_.size()) +
         "\nOutstanding: 0\nZxid: 0x" + zxid +
         "\nMode: standalone\nNode count: " + std::to_string(service_.tree().size()) + "\n";
}

}  // namespace

absl::StatusOr<std::unique_ptr<ZooKeeperServer>> ZooKeeperServer::Start(const ZooKeeperOptions& options) {
  auto server = std::make_unique<Server>(options);
  VAQUITA_RETURN_IF_ERROR(server->Listen());
  server->Run();
  return server;
}

}  // namespace vaquita::zookeeper
