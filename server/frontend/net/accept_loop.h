// server/frontend/net/accept_loop.h: a port, and the loop that accepts its connections, for any protocol.
//
// No error ends the loop: if the process has no descriptor left, it tries again a moment later. It refuses a connection
// above the bound of its protocol (server/frontend/net/descriptors.h).
// Threads: Bind before the context runs; the rest on the context's thread.
#pragma once

#include <asio/io_context.hpp>
#include <asio/ip/tcp.hpp>
#include <asio/steady_timer.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "base/tls/tls_context.h"
#include "server/frontend/net/descriptors.h"

namespace vaquita::net {

// A connection's socket. Its owner closes it.
struct Accepted {
  int socket = -1;  // does not block
  asio::ip::tcp protocol = asio::ip::tcp::v4();
  std::shared_ptr<TlsSession> tls;  // null: the client speaks without, or the taker makes the handshake
  bool speaks_tls = false;          // the taker is to make it

  asio::ip::tcp::socket Open(asio::io_context& context) const { return {context, protocol, socket}; }
};

// The TLS of a port.
struct Tls {
  enum class Handshaker { kLoop, kTaker };
  std::shared_ptr<TlsContext> context;  // null: the port has none
  Handshaker handshaker = Handshaker::kLoop;
  std::chrono::milliseconds patience{10'000};  // with a client, until its handshake is done
};

// Lets one line in ten seconds into the log, however many connections come. Threads: one.
class RareLines {
 public:
  bool MayLog() {
    const auto now = std::chrono::steady_clock::now();
    if (now < quiet_until_) return false;
    quiet_until_ = now + std::chrono::seconds(10);
    return true;
  }

 private:
  std::chrono::steady_clock::time_point quiet_until_;
};

class AcceptLoop {
 public:
  using Take = std::function<void(const Accepted&)>;

  // `context` outlives it.
  AcceptLoop(asio::io_context& context, Protocol protocol);

  // Binds the port (0: any free one), which it returns, and listens; connections wait until Start. Unavailable, naming
  // protocol and address, if it cannot; the caller adds the property that sets the port.
  absl::StatusOr<int> Bind(const std::string& address, int port);
  // Before Start: clients may speak TLS, or have to (server/frontend/net/greeting.h).
  void UseTls(Tls tls) { tls_ = std::move(tls); }
  // Gives each connection to `take`, and each refused one to `refuse`, or closes it if there is no `refuse`.
  void Start(Take take, Take refuse = nullptr);
  // Takes over a connection that was accepted elsewhere, as if it had come to this port. Any thread, after Start.
  void Give(const Accepted& accepted);
  void Close();  // also from any thread once the context has stopped

 private:
  void Wait();
  void AcceptAll();
  void Decide(int socket);
  void Greet(const Accepted& accepted);
  void Pause(int error);

  const Protocol protocol_;
  asio::io_context& context_;
  asio::ip::tcp::acceptor acceptor_;
  asio::steady_timer pause_;
  asio::ip::tcp ip_ = asio::ip::tcp::v4();
  Tls tls_;
  Take take_;
  Take refuse_;
  RareLines lines_;
};

}  // namespace vaquita::net
