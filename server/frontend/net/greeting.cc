#include "server/frontend/net/greeting.h"

#include <sys/socket.h>

#include <string_view>
#include <utility>

#include "base/log.h"

namespace vaquita::net {
namespace {

constexpr char kTlsHandshake = 22;  // the type of a client's first record
// A refused client's bytes are read up to that many, so that it sees the answer. What a flood loses is its own.
constexpr size_t kMostDrainedBytes = 64 << 10;
// Browsers show it.
constexpr std::string_view kUseHttps =
    "HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain\r\nContent-Length: 35\r\nConnection: close\r\n\r\n"
    "This port speaks TLS: use https://\n";

}  // namespace

Greeting::Greeting(asio::io_context& context, Accepted accepted, Protocol protocol, const Tls* tls,
                   const AcceptLoop::Take* take)
    : accepted_(std::move(accepted)),
      protocol_(protocol),
      tls_(*tls),
      take_(*take),
      socket_(accepted_.Open(context)),
      deadline_(context),
      names_(context) {
  std::error_code error;
  const auto peer = socket_.remote_endpoint(error);
  if (error) return;
  const asio::ip::address address = peer.address();
  const bool mapped = address.is_v6() && address.to_v6().is_v4_mapped();
  client_ = mapped ? asio::ip::make_address_v4(asio::ip::v4_mapped, address.to_v6()).to_string() : address.to_string();
}

void Greeting::Start() {
  deadline_.expires_after(tls_.patience);
  deadline_.async_wait([self = shared_from_this()](const std::error_code& error) {
    if (!error) self->Close();
  });
  Wait(asio::socket_base::wait_read, &Greeting::Recognize);
}

void Greeting::Wait(asio::socket_base::wait_type ready, void (Greeting::*next)()) {
  socket_.async_wait(ready, [self = shared_from_this(), next](const std::error_code& error) {
    if (error) return self->Close();
    if (self->socket_.is_open()) (self.get()->*next)();
  });
}

void Greeting::Recognize() {
  char first = 0;
  if (recv(accepted_.socket, &first, 1, MSG_PEEK) != 1) return Close();  // it has gone
  if (first == kTlsHandshake) {
    if (tls_.handshaker == Tls::Handshaker::kTaker) {
      accepted_.speaks_tls = true;
      return GiveToTaker();
    }
    accepted_.tls = tls_.context->NewSession(accepted_.socket, "");
    return Handshake();
  }
  if (tls_.context->options().tls_beside_plaintext) return GiveToTaker();
  if (protocol_ == Protocol::kHttp || protocol_ == Protocol::kSql) {
    send(accepted_.socket, kUseHttps.data(), kUseHttps.size(), MSG_NOSIGNAL);
  }
  Refuse("it does not speak TLS, and hbase.server.netty.tls.supportplaintext is false");
}

void Greeting::Handshake() {
  const TlsSession::Step step = accepted_.tls->Handshake();
  if (step == TlsSession::Step::kFailed) return Refuse(accepted_.tls->error());
  if (step == TlsSession::Step::kDone) {
    const bool is_for_client = !tls_.context->options().tls_verify_client_host || accepted_.tls->IsPeerAt(client_);
    return is_for_client ? GiveToTaker() : LookUpName();
  }
  Wait(step == TlsSession::Step::kReads ? asio::socket_base::wait_read : asio::socket_base::wait_write,
       &Greeting::Handshake);
}

// A name server that does not answer keeps only those waiting whose certificates have names alone.
void Greeting::LookUpName() {
  const asio::ip::tcp::endpoint address(asio::ip::make_address(client_), 0);
  names_.async_resolve(address, [self = shared_from_this()](const std::error_code& error, const auto& found) {
    if (!self->socket_.is_open()) return;
    const std::string name = error || found.empty() ? "" : found.begin()->host_name();
    if (self->accepted_.tls->IsPeerAt(name)) return self->GiveToTaker();
    self->Refuse("its certificate is for another address; see hbase.server.netty.tls.verify.client.hostname");
  });
}

void Greeting::Refuse(const std::string& why) {
  spdlog::warn("{} connection from {} refused: {}", ProtocolName(protocol_), client_, why);
  Close();
}

void Greeting::GiveToTaker() {
  if (!take_) return Close();  // the port was closed meanwhile
  deadline_.cancel();
  std::error_code error;
  socket_.release(error);
  if (!error) take_(accepted_);
}

void Greeting::Close() {
  if (!socket_.is_open()) return;  // or given away
  deadline_.cancel();
  // With bytes unread, the close could take back the last answer.
  char unread[4096];
  for (size_t drained = 0; drained < kMostDrainedBytes; drained += sizeof unread) {
    if (recv(accepted_.socket, unread, sizeof unread, MSG_DONTWAIT) <= 0) break;
  }
  std::error_code ignored;
  socket_.shutdown(asio::ip::tcp::socket::shutdown_send, ignored);
  socket_.close(ignored);
}

}  // namespace vaquita::net
