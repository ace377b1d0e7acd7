#include "server/frontend/net/accept_loop.h"

#include <sys/socket.h>
#include <unistd.h>

#include <asio/post.hpp>
#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/host_port.h"
#include "base/log.h"
#include "server/frontend/net/greeting.h"

namespace vaquita::net {
namespace {

using asio::ip::tcp;

// After a failed accept: there may be no file descriptors left, and then there may be some later.
constexpr std::chrono::milliseconds kPause{100};
// After that it is another's turn on the thread.
constexpr int kMostAtOnce = 16;

}  // namespace

AcceptLoop::AcceptLoop(asio::io_context& context, Protocol protocol)
    : protocol_(protocol), context_(context), acceptor_(context), pause_(context) {}

absl::StatusOr<int> AcceptLoop::Bind(const std::string& address, int port) {
  std::error_code error;
  const auto endpoints = tcp::resolver(acceptor_.get_executor())
                             .resolve(std::string(WithoutBrackets(address)), std::to_string(port),
                                      tcp::resolver::passive | tcp::resolver::numeric_service, error);
  if (!error) {
    const tcp::endpoint endpoint = endpoints.begin()->endpoint();
    ip_ = endpoint.protocol();
    acceptor_.open(ip_, error);
    if (!error) acceptor_.set_option(tcp::acceptor::reuse_address(true), error);
    if (!error) acceptor_.bind(endpoint, error);
    if (!error) acceptor_.listen(tcp::acceptor::max_listen_connections, error);
    if (!error) acceptor_.native_non_blocking(true, error);
  }
  const int bound = error ? 0 : acceptor_.local_endpoint(error).port();
  if (!error) return bound;
  const bool in_use = error == asio::error::address_in_use;
  const char* const advice = port == 0 ? "; the system has no free port (net.ipv4.ip_local_port_range)"
                                       : "; set another port, or take free ones by --free-ports";
  return absl::UnavailableError(absl::StrCat("listen for ", std::string(ProtocolName(protocol_)), " on ",
                                             JoinHostPort(address, port), ": ", error.message(), in_use ? advice : ""));
}

void AcceptLoop::Start(Take take, Take refuse) {
  take_ = std::move(take);
  refuse_ = std::move(refuse);
  Wait();
}

void AcceptLoop::Give(const Accepted& accepted) {
  asio::post(acceptor_.get_executor(), [this, accepted] { Greet(accepted); });
}

void AcceptLoop::Close() {
  std::error_code ignored;
  acceptor_.close(ignored);
  take_ = nullptr;
  pause_.cancel();
}

void AcceptLoop::Wait() {
  acceptor_.async_wait(tcp::acceptor::wait_read, [this](const std::error_code& error) {
    if (!error) AcceptAll();
  });
}

void AcceptLoop::AcceptAll() {
  for (int i = 0; i < kMostAtOnce; ++i) {
    const int socket = accept4(acceptor_.native_handle(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (socket >= 0) {
      Decide(socket);
      continue;
    }
    // This client has gone; others may wait.
    if (errno == ECONNABORTED || errno == EINTR || errno == EPROTO) continue;
    if (errno != EAGAIN && errno != EWOULDBLOCK) return Pause(errno);
    break;
  }
  Wait();
}

void AcceptLoop::Decide(int socket) {
  const Accepted accepted{.socket = socket, .protocol = ip_};
  const int64_t bound = DescriptorBound(protocol_);
  if (socket < bound) return Greet(accepted);
  CountRefused(protocol_);
  if (lines_.MayLog()) {
    spdlog::warn("{} connection refused: {} file descriptors are in use, and the rest is kept for store files and logs",
                 ProtocolName(protocol_), bound);
  }
  if (refuse_) return refuse_(accepted);
  close(socket);
}

void AcceptLoop::Greet(const Accepted& accepted) {
  if (!take_) {  // closed meanwhile
    close(accepted.socket);
    return;
  }
  if (tls_.context == nullptr) return take_(accepted);
  std::make_shared<Greeting>(context_, accepted, protocol_, &tls_, &take_)->Start();
}

void AcceptLoop::Pause(int error) {
  if (lines_.MayLog()) spdlog::warn("cannot accept a {} connection: {}", ProtocolName(protocol_), std::strerror(error));
  pause_.expires_after(kPause);
  pause_.async_wait([this](const std::error_code& stopped) {
    if (!stopped) AcceptAll();
  });
}

}  // namespace vaquita::net
