// server/frontend/net/greeting.h: a new connection of a port with TLS, until it is known whether its client speaks TLS.
//
// A client of TLS begins with the byte 22, which no other protocol here begins with. Such a client gets its handshake;
// another one is let through, or refused if the port has TLS alone. A client that does not get through in ten seconds
// is closed. From then on its descriptor may be another connection's, and nothing touches it. Threads: the context's.
// Source: OptionalSslHandler (Netty), NettyRpcServer (HBase 2.6).
#pragma once

#include <asio/io_context.hpp>
#include <asio/ip/tcp.hpp>
#include <asio/steady_timer.hpp>
#include <memory>
#include <string>

#include "base/tls/tls_context.h"
#include "server/frontend/net/accept_loop.h"

namespace vaquita::net {

class Greeting : public std::enable_shared_from_this<Greeting> {
 public:
  // Gives the connection to `take`, which must live as long as the context runs.
  Greeting(asio::io_context& context, Accepted accepted, Protocol protocol, const Tls* tls,
           const AcceptLoop::Take* take);
  void Start();

 private:
  // Calls `next` once the socket is ready, unless it is closed by then.
  void Wait(asio::socket_base::wait_type ready, void (Greeting::*next)());
  void Recognize();
  void Handshake();
  void LookUpName();
  void Refuse(const std::string& why);
  void GiveToTaker();
  void Close();

  Accepted accepted_;
  const Protocol protocol_;
  const Tls& tls_;
  const AcceptLoop::Take& take_;
  asio::ip::tcp::socket socket_;
  asio::steady_timer deadline_;
  asio::ip::tcp::resolver names_;
  std::string client_;  // its address
};

}  // namespace vaquita::net
