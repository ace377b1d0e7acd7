#include "server/frontend/http/http_server.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <asio/dispatch.hpp>
#include <asio/io_context.hpp>
#include <asio/ip/tcp.hpp>
#include <asio/steady_timer.hpp>
#include <asio/write.hpp>
#include <atomic>
#include <chrono>
#include <functional>
#include <list>
#include <optional>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "base/host_port.h"
#include "base/status.h"
#include "base/tls/tls_stream.h"
#include "server/frontend/net/accept_loop.h"

namespace vaquita::http {
namespace {

using asio::ip::tcp;

// A client may send as much after its request, until it has read the answer.
constexpr size_t kMostEarlyBytes = 1 << 20;
constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";

int64_t NowSeconds() {
  return std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch()).count();
}

// Null: no page has such a method.
const Handler* HandlerOf(const Page& page, Method method) {
  switch (method) {
    case Method::kGet:
    case Method::kHead:
      return &page.get;
    case Method::kPost:
      return &page.post;
    case Method::kDelete:
      return &page.remove;
    case Method::kOther:
      return nullptr;
  }
  return nullptr;
}

std::string AllowedMethods(const Page& page) {
  std::string allowed = page.get ? "GET, HEAD" : "";
  for (const auto& [handler, name] : {std::pair(&page.post, "POST"), std::pair(&page.remove, "DELETE")}) {
    if (*handler) allowed.append(allowed.empty() ? "" : ", ").append(name);
  }
  return allowed;
}

// Returns the handler of a request. If there is none, `*refusal` is the answer. Without pages the client is refused:
// the process has too many files open.
const Handler* FindHandler(const Pages* pages, const Request& request, Response* refusal) {
  if (pages == nullptr) {
    *refusal = StatusResponse(503);
    return nullptr;
  }
  const auto found = pages->find(request.path);
  if (found == pages->end()) {
    *refusal = StatusResponse(404);
    return nullptr;
  }
  const Handler* handler = HandlerOf(found->second, request.method);
  if (handler != nullptr && *handler) return handler;
  *refusal = StatusResponse(405);
  refusal->allow = AllowedMethods(found->second);
  return nullptr;
}

// Counts the bytes of requests and answers that a server has. Threads: any.
using HeldBytes = std::atomic<size_t>;

// The bytes of one request or answer.
class HeldShare {
 public:
  explicit HeldShare(std::shared_ptr<HeldBytes> held) : held_(std::move(held)) {}
  HeldShare(const HeldShare&) = delete;
  HeldShare& operator=(const HeldShare&) = delete;
  ~HeldShare() { Set(0); }
  void Set(size_t bytes) { held_->fetch_add(bytes - std::exchange(bytes_, bytes)); }

 private:
  const std::shared_ptr<HeldBytes> held_;
  size_t bytes_ = 0;
};

// Reads a request and writes its answer. Then it reads the next request, or until the client closes: one that closed
// first would take back the answer from a client that is still sending. What is under way keeps it alive: a read, a
// write or its timer.
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  using Clock = std::chrono::steady_clock;

  // `make_room` is called when the connections hold too many bytes.
  Connection(std::shared_ptr<asio::io_context> io, TlsStream stream, const Pages* pages, const ServerOptions& options,
             std::shared_ptr<HeldBytes> held, std::function<void()> make_room)
      : io_(std::move(io)),
        stream_(std::move(stream)),
        timer_(*io_),
        pages_(pages),
        options_(options),
        held_(std::move(held)),
        make_room_(std::move(make_room)),
        request_bytes_(std::make_shared<HeldShare>(held_)),
        early_share_(held_),
        answer_bytes_(held_),
        reader_(MakeReader()) {}

  void Start() {
    asio::error_code ignored;
    stream_.socket().set_option(tcp::no_delay(true), ignored);  // a long answer is written in several steps
    GiveTime(options_.connection_ms);
    Read();
  }
  void Close() {
    asio::error_code ignored;
    stream_.socket().close(ignored);
    timer_.cancel();
    if (gone_ != nullptr) *gone_ = true;
    // MakeRoom counts on it; the end of the write comes later.
    answer_since_.reset();
    answer_bytes_.Set(0);
  }
  // Returns whether nothing is lost with it: it has no request, and waits for the next, or its client has perhaps gone.
  bool idle() const { return idle_ || (input_ended_ && phase_ == Phase::kHandling); }
  // Returns since when the client has been reading its answer.
  std::optional<Clock::time_point> answer_since() const { return answer_since_; }

 private:
  // From kHandling on, further input waits for the next request, or is ignored if there is none.
  enum class Phase { kRequest, kHandling, kAnswering, kAnswered };

  std::unique_ptr<RequestReader> MakeReader() const {
    return std::make_unique<RequestReader>(Server::kMostRequestBytes, options_.most_body_bytes);
  }

  void GiveTime(int64_t ms) {
    timer_.expires_after(std::chrono::milliseconds(ms));
    timer_.async_wait([self = shared_from_this()](asio::error_code error) {
      if (!error) self->Close();
    });
  }

  void Read() {
    if (reading_) return;
    if (input_ended_) return OnInputEnd(asio::error::eof);
    reading_ = true;
    stream_.async_read_some(asio::buffer(input_), [self = shared_from_this()](asio::error_code error, size_t bytes) {
      self->reading_ = false;
      if (error) return self->OnInputEnd(error);
      self->OnInput({self->input_.data(), bytes});
    });
  }

  // A client may close its half before it has read the answer. Asio would not tell the next read of it: that waits for
  // an event of the socket, and there is no other. A client that goes looks like that, too.
  void OnInputEnd(const asio::error_code& error) {
    input_ended_ = true;
    if (phase_ == Phase::kHandling && error == asio::error::eof) {
      *gone_ = true;
    } else if (phase_ != Phase::kAnswering) {
      Close();
    }
  }

  void OnInput(std::string_view input) {
    if (phase_ != Phase::kRequest) {
      early_bytes_ += input.size();
      if (keep_alive_) early_ += input;
      early_share_.Set(early_.size());
      return early_bytes_ > kMostEarlyBytes || IsFull() ? Close() : Read();
    }
    if (std::exchange(idle_, false)) GiveTime(options_.connection_ms);
    const bool had_header = handler_ != nullptr;
    RequestReader::State state = reader_->Read(input);
    if (state == RequestReader::State::kHeader) return Read();
    if (state == RequestReader::State::kRefused) return Answer(reader_->refusal());
    Response refusal;
    if (!had_header) {
      is_head_ = reader_->request().method == Method::kHead;
      handler_ = FindHandler(pages_, reader_->request(), &refusal);
    }
    if (handler_ == nullptr) return Answer(refusal);
    if (!had_header && state == RequestReader::State::kBody) state = reader_->Read({});
    if (state == RequestReader::State::kRefused) return Answer(reader_->refusal());
    request_bytes_->Set(reader_->body_bytes());
    if (IsFull()) return Answer(StatusResponse(503));
    if (state == RequestReader::State::kDone) return Handle();
    if (!had_header && reader_->awaits_continue()) return WriteContinue();
    Read();
  }

  bool IsFull() const { return held_->load() > options_.most_held_bytes; }

  void WriteContinue() {
    asio::async_write(stream_, asio::buffer(kContinue), [self = shared_from_this()](asio::error_code error, size_t) {
      return error ? self->Close() : self->Read();
    });
  }

  void Handle() {
    phase_ = Phase::kHandling;
    keep_alive_ = options_.idle_ms > 0 && reader_->keeps_alive();
    early_ = reader_->TakeRest();
    GiveTime(options_.answer_ms);
    Request request = reader_->TakeRequest();
    request.client = Client();
    request.certificate_name = stream_.peer_name();
    request.client_gone = gone_ = std::make_shared<std::atomic<bool>>(false);
    // The request is held until it is answered, also if the client goes.
    (*handler_)(request, [io = io_, weak = weak_from_this(), bytes = std::move(request_bytes_)](Response response) {
      asio::dispatch(*io, [weak, response = std::move(response)] {
        if (const auto self = weak.lock()) self->Answer(response);
      });
    });
    if (phase_ == Phase::kHandling) Read();  // sees the input end
  }

  std::string Client() const {
    asio::error_code error;
    const tcp::endpoint peer = stream_.socket().remote_endpoint(error);
    return error ? "" : JoinHostPort(peer.address().to_string(), peer.port());
  }

  void Answer(const Response& response) {
    if (phase_ > Phase::kHandling || !stream_.socket().is_open()) return;
    phase_ = Phase::kAnswering;
    answer_ = EncodeResponse(response, is_head_, keep_alive_, NowSeconds());
    answer_bytes_.Set(answer_.size());
    if (IsFull()) make_room_();
    answer_since_ = Clock::now();
    GiveTime(options_.connection_ms);
    asio::async_write(stream_, asio::buffer(answer_), [self = shared_from_this()](asio::error_code error, size_t) {
      self->answer_since_.reset();
      self->answer_bytes_.Set(0);
      if (!error && self->keep_alive_) return self->AwaitNext();
      self->phase_ = Phase::kAnswered;
      if (error) return self->Close();
      self->stream_.ShutDownOutput();
      self->Read();
    });
  }

  // Goes on with the bytes of the next request that came early.
  void AwaitNext() {
    phase_ = Phase::kRequest;
    handler_ = nullptr;
    keep_alive_ = false;
    early_bytes_ = 0;
    early_share_.Set(0);
    reader_ = MakeReader();
    request_bytes_ = std::make_shared<HeldShare>(held_);
    answer_ = std::string();
    idle_ = true;
    GiveTime(options_.idle_ms);
    const std::string early = std::exchange(early_, {});
    if (early.empty()) return Read();
    OnInput(early);
  }

  const std::shared_ptr<asio::io_context> io_;  // a reply may come when the server has gone
  TlsStream stream_;
  asio::steady_timer timer_;
  const Pages* const pages_;  // null: it is refused
  const ServerOptions& options_;
  const std::shared_ptr<HeldBytes> held_;
  const std::function<void()> make_room_;
  std::shared_ptr<HeldShare> request_bytes_;
  HeldShare early_share_;
  HeldShare answer_bytes_;
  std::optional<Clock::time_point> answer_since_;
  bool is_head_ = false;
  std::shared_ptr<std::atomic<bool>> gone_;  // the request's; null before it is handled
  std::array<char, 4096> input_;
  std::unique_ptr<RequestReader> reader_;
  const Handler* handler_ = nullptr;  // the request's, once its header is read
  Phase phase_ = Phase::kRequest;
  bool reading_ = false;
  bool input_ended_ = false;
  std::string answer_;
  bool keep_alive_ = false;  // after this request
  bool idle_ = false;
  std::string early_;  // bytes of the next request
  size_t early_bytes_ = 0;
};

class ServerImpl final : public Server {
 public:
  explicit ServerImpl(const ServerOptions& options) : options_(options) {}
  ~ServerImpl() override { Stop(); }

  absl::StatusOr<int> Listen(const std::string& address, int port, Pages pages) override;
  void Give(const net::Accepted& accepted) override {
    if (!listeners_.empty()) return listeners_.front()->loop.Give(accepted);
    close(accepted.socket);  // there are no pages
  }
  void Stop() override;

 private:
  struct Listener {
    Listener(asio::io_context& io, net::Protocol protocol, Pages its_pages)
        : loop(io, protocol), pages(std::move(its_pages)) {}
    net::AcceptLoop loop;
    const Pages pages;
  };

  void Add(const net::Accepted& accepted, const Pages* pages);
  // Closes connections that have been reading their answers for longest, until the others do not hold too much.
  void MakeRoom();

  const ServerOptions options_;
  const std::shared_ptr<asio::io_context> io_ = std::make_shared<asio::io_context>(1);
  std::vector<std::unique_ptr<Listener>> listeners_;
  std::thread thread_;
  std::list<std::weak_ptr<Connection>> connections_;                        // the thread's; the oldest first
  const std::shared_ptr<HeldBytes> held_ = std::make_shared<HeldBytes>(0);  // replies may outlive the server
};

absl::StatusOr<int> ServerImpl::Listen(const std::string& address, int port, Pages pages) {
  auto listener = std::make_unique<Listener>(*io_, options_.protocol, std::move(pages));
  VAQUITA_ASSIGN_OR_RETURN(const int bound, listener->loop.Bind(address, port));
  listener->loop.UseTls({.context = options_.tls});
  listener->loop.Start([this, pages = &listener->pages](const net::Accepted& accepted) { Add(accepted, pages); },
                       [this](const net::Accepted& accepted) { Add(accepted, nullptr); });
  listeners_.push_back(std::move(listener));
  if (!thread_.joinable()) thread_ = std::thread([this] { io_->run(); });
  return bound;
}

void ServerImpl::Add(const net::Accepted& accepted, const Pages* pages) {
  connections_.remove_if([](const auto& connection) { return connection.expired(); });
  if (connections_.size() >= options_.max_connections) {
    auto gone = std::find_if(connections_.begin(), connections_.end(), [](const auto& weak) {
      const auto connection = weak.lock();
      return connection != nullptr && connection->idle();
    });
    if (gone == connections_.end()) gone = connections_.begin();
    if (const auto connection = gone->lock()) connection->Close();
    connections_.erase(gone);
  }
  const auto connection = std::make_shared<Connection>(io_, TlsStream(accepted.Open(*io_), accepted.tls), pages,
                                                       options_, held_, [this] { MakeRoom(); });
  connections_.push_back(connection);
  connection->Start();
}

void ServerImpl::MakeRoom() {
  while (held_->load() > options_.most_held_bytes) {
    std::shared_ptr<Connection> slowest;
    for (const auto& weak : connections_) {
      const auto connection = weak.lock();
      if (connection == nullptr || !connection->answer_since().has_value()) continue;
      if (slowest == nullptr || connection->answer_since() < slowest->answer_since()) slowest = connection;
    }
    if (slowest == nullptr) return;
    slowest->Close();
  }
}

void ServerImpl::Stop() {
  if (!thread_.joinable()) return;
  io_->stop();
  thread_.join();
  for (const auto& listener : listeners_) listener->loop.Close();
  for (const auto& weak : connections_) {
    if (const auto connection = weak.lock()) connection->Close();
  }
  connections_.clear();
  io_->restart();
  io_->poll();  // the running handlers end, and with them the connections
}

}  // namespace

std::unique_ptr<Server> Server::Create(const ServerOptions& options) { return std::make_unique<ServerImpl>(options); }

}  // namespace vaquita::http
