#include "server/frontend/net/shared_port.h"

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <asio/steady_timer.hpp>
#include <chrono>
#include <utility>

namespace vaquita::net {
namespace {

constexpr int kFirstBytes = 4;
constexpr std::chrono::seconds kSilence{10};

}  // namespace

Protocol ProtocolOf(std::string_view first) {
  constexpr std::array<std::string_view, 3> kHBase = {"HBas", "Regi", "Secu"};
  constexpr std::array<std::string_view, 9> kHttp = {"GET ", "HEAD", "POST", "PUT ", "DELE",
                                                     "OPTI", "PATC", "TRAC", "CONN"};
  const std::string_view word = first.substr(0, kFirstBytes);
  if (std::find(kHBase.begin(), kHBase.end(), word) != kHBase.end()) return Protocol::kHBaseRpc;
  if (word == "PRI ") return Protocol::kGrpc;
  if (std::find(kHttp.begin(), kHttp.end(), word) != kHttp.end()) return Protocol::kHttp;
  return Protocol::kZooKeeper;
}

// A connection that has not said yet what it speaks. What it waits for keeps it.
class SharedPort::Newcomer : public std::enable_shared_from_this<SharedPort::Newcomer> {
 public:
  Newcomer(SharedPort* port, const Accepted& accepted)
      : port_(*port), accepted_(accepted), socket_(accepted.Open(port->io_)), silence_(port->io_) {}

  void Start() {
    SetLowMark(kFirstBytes);
    silence_.expires_after(kSilence);
    silence_.async_wait([self = shared_from_this()](const std::error_code& error) {
      if (!error) self->Close();
    });
    socket_.async_wait(asio::socket_base::wait_read, [self = shared_from_this()](const std::error_code& error) {
      self->silence_.cancel();
      if (!error) self->GiveToTaker();
    });
  }

 private:
  // So many bytes make the socket readable.
  void SetLowMark(int bytes) const { setsockopt(accepted_.socket, SOL_SOCKET, SO_RCVLOWAT, &bytes, sizeof bytes); }
  void Close() {
    std::error_code ignored;
    socket_.close(ignored);
  }
  void GiveToTaker() {
    std::array<char, kFirstBytes> bytes;
    const ssize_t got = recv(accepted_.socket, bytes.data(), bytes.size(), MSG_PEEK);
    if (got < kFirstBytes) return Close();  // it has gone
    SetLowMark(1);
    std::error_code error;
    socket_.release(error);
    if (!error) port_.takers_.at(ProtocolOf({bytes.data(), bytes.size()}))(accepted_);
  }

  SharedPort& port_;
  const Accepted accepted_;
  asio::ip::tcp::socket socket_;
  asio::steady_timer silence_;
};

absl::StatusOr<int> SharedPort::Bind(const std::string& address, int port) { return accept_loop_.Bind(address, port); }

void SharedPort::Start(Takers takers) {
  takers_ = std::move(takers);
  accept_loop_.Start([this](const Accepted& accepted) { Add(accepted); });
  thread_ = std::thread([this] { io_.run(); });
}

void SharedPort::Add(const Accepted& accepted) { std::make_shared<Newcomer>(this, accepted)->Start(); }

void SharedPort::Stop() {
  if (!thread_.joinable()) return;
  io_.stop();
  thread_.join();
  accept_loop_.Close();
}

}  // namespace vaquita::net
