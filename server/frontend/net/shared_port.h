// server/frontend/net/shared_port.h: one port for all protocols, which recognizes a protocol by a client's first bytes.
//
// In every protocol the client sends first: HBase's RPC "HBas" (or "Regi", "Secu"), gRPC HTTP/2's preface, HTTP its
// method, ZooKeeper a length or a word of four letters. The port peeks at these bytes, and gives the connection to the
// server of its protocol. It closes a connection whose client sends nothing in ten seconds. Threads: Bind, Start and
// Stop on one; the port's own thread calls the takers.
#pragma once

#include <asio/io_context.hpp>
#include <map>
#include <string>
#include <string_view>
#include <thread>

#include "absl/status/statusor.h"
#include "server/frontend/net/accept_loop.h"

namespace vaquita::net {

// Returns the protocol of a client that sent these first bytes, at least four.
Protocol ProtocolOf(std::string_view first);

class SharedPort {
 public:
  using Takers = std::map<Protocol, AcceptLoop::Take>;

  ~SharedPort() { Stop(); }

  // As AcceptLoop::Bind.
  absl::StatusOr<int> Bind(const std::string& address, int port);
  // `takers` has all protocols.
  void Start(Takers takers);
  void Stop();

 private:
  class Newcomer;
  void Add(const Accepted& accepted);

  asio::io_context io_{1};
  AcceptLoop accept_loop_{io_, Protocol::kHBaseRpc};
  Takers takers_;
  std::thread thread_;
};

}  // namespace vaquita::net
