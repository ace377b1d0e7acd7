#include "server/frontend/http/http_server.h"

#include <array>
#include <asio/io_context.hpp>
#include <asio/ip/tcp.hpp>
#include <asio/steady_timer.hpp>
#include <asio/write.hpp>
#include <chrono>
#include <list>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "base/log.h"
#include "base/status.h"
#include "server/frontend/net/accept_loop.h"

namespace vaquita::http {
namespace {

using asio::ip::tcp;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

// What a client may send after its request, until it has read the answer.
constexpr size_t kMostIgnoredBytes = 1 << 20;
constexpr std::string_view kHeaderEnd = "\r\n\r\n";

int64_t NowSeconds() {
  return std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch()).count();
}

// Without pages the client is refused: the process has too many files open.
Response Answer(const Pages* pages, std::string_view text, Request* request) {
  Response refusal;
  if (!ParseRequest(text, request, &refusal)) return refusal;
  if (pages == nullptr) return StatusResponse(503);
  const auto page = pages->find(request->path);
  return page == pages->end() ? StatusResponse(404) : page->second(*request);
}

// Reads a request, writes its answer, and then reads until the client closes: one that closed first would take back the
// answer from a client that is still sending.
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(tcp::socket socket, const Pages* pages, steady_clock::time_point deadline)
      : deadline(deadline), socket_(std::move(socket)), pages_(pages) {}

  void Start() { Read(); }
  void Close() {
    asio::error_code ignored;
    socket_.close(ignored);
  }
  bool closed() const { return !socket_.is_open(); }

  const steady_clock::time_point deadline;

 private:
  void Read() {
    socket_.async_read_some(asio::buffer(input_), [self = shared_from_this()](asio::error_code error, size_t bytes) {
      if (error) return self->Close();
      self->OnInput({self->input_.data(), bytes});
    });
  }

  void OnInput(std::string_view input) {
    if (answered_) {
      ignored_bytes_ += input.size();
      return ignored_bytes_ > kMostIgnoredBytes ? Close() : Read();
    }
    const size_t look_from = text_.size() < kHeaderEnd.size() ? 0 : text_.size() - kHeaderEnd.size();
    text_ += input;
    const size_t end = text_.find(kHeaderEnd, look_from);
    if (end != std::string::npos && end <= Server::kMostRequestBytes) {
      Request request;
      const Response response = Answer(pages_, std::string_view(text_).substr(0, end + 2), &request);
      return Write(response, request.head);
    }
    if (text_.size() <= Server::kMostRequestBytes) return Read();
    Write(StatusResponse(text_.find("\r\n") > Server::kMostRequestBytes ? 414 : 431), /*head=*/false);
  }

  void Write(const Response& response, bool head) {
    answered_ = true;
    text_ = EncodeResponse(response, head, NowSeconds());
    asio::async_write(socket_, asio::buffer(text_), [self = shared_from_this()](asio::error_code error, size_t) {
      if (!error) self->socket_.shutdown(tcp::socket::shutdown_send, error);
      if (error) return self->Close();
      self->Read();
    });
  }

  tcp::socket socket_;
  const Pages* const pages_;  // null: it is refused
  std::array<char, 4096> input_;
  std::string text_;  // the request, then the answer
  bool answered_ = false;
  size_t ignored_bytes_ = 0;
};

class ServerImpl final : public Server {
 public:
  explicit ServerImpl(const ServerOptions& options) : options_(options) {}
  ~ServerImpl() override { Stop(); }

  absl::StatusOr<int> Listen(const std::string& address, int port, Pages pages) override;
  void Stop() override;

 private:
  struct Listener {
    Listener(asio::io_context& io, Pages its_pages) : loop(io, net::Protocol::kHttp), pages(std::move(its_pages)) {}
    net::AcceptLoop loop;
    const Pages pages;
  };

  void Add(tcp::socket socket, const Pages* pages);
  void CloseLate();
  void RemoveClosed() {
    connections_.remove_if([](const auto& connection) { return connection->closed(); });
  }

  const ServerOptions options_;
  asio::io_context io_{1};
  std::vector<std::unique_ptr<Listener>> listeners_;
  std::thread thread_;
  // Below: the thread's own.
  asio::steady_timer deadline_{io_};
  bool watching_ = false;                               // deadline_ is set
  std::list<std::shared_ptr<Connection>> connections_;  // the oldest first
};

absl::StatusOr<int> ServerImpl::Listen(const std::string& address, int port, Pages pages) {
  auto listener = std::make_unique<Listener>(io_, std::move(pages));
  VAQUITA_ASSIGN_OR_RETURN(const int bound, listener->loop.Bind(address, port));
  listener->loop.Start(
      [this, pages = &listener->pages](const net::Accepted& accepted) { Add(accepted.Open(io_), pages); },
      [this](const net::Accepted& accepted) { Add(accepted.Open(io_), nullptr); });
  listeners_.push_back(std::move(listener));
  if (!thread_.joinable()) thread_ = std::thread([this] { io_.run(); });
  return bound;
}

void ServerImpl::Add(tcp::socket socket, const Pages* pages) {
  RemoveClosed();
  if (connections_.size() >= options_.max_connections) {
    connections_.front()->Close();
    connections_.pop_front();
  }
  const auto deadline = steady_clock::now() + milliseconds(options_.connection_ms);
  connections_.push_back(std::make_shared<Connection>(std::move(socket), pages, deadline));
  connections_.back()->Start();
  if (!std::exchange(watching_, true)) CloseLate();
}

void ServerImpl::CloseLate() {
  while (!connections_.empty() && connections_.front()->deadline <= steady_clock::now()) {
    connections_.front()->Close();
    connections_.pop_front();
  }
  RemoveClosed();
  watching_ = !connections_.empty();
  if (!watching_) return;
  deadline_.expires_at(connections_.front()->deadline);
  deadline_.async_wait([this](const asio::error_code& error) {
    if (!error) CloseLate();
  });
}

void ServerImpl::Stop() {
  if (!thread_.joinable()) return;
  io_.stop();
  thread_.join();
  for (const auto& listener : listeners_) listener->loop.Close();
  for (const auto& connection : connections_) connection->Close();
  connections_.clear();
}

}  // namespace

std::unique_ptr<Server> Server::Create(const ServerOptions& options) { return std::make_unique<ServerImpl>(options); }

}  // namespace vaquita::http
