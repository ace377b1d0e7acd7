// server/frontend/net/shared_port.h: one port for all protocols, told apart by the first bytes that a client sends.
//
// In every protocol the client speaks first: HBase's RPC with "HBas" (or "Regi", "Secu"), gRPC with HTTP/2's preface,
// HTTP with its method, ZooKeeper with a length or a word of four letters. A connection is looked at, not read from,
// and then given to the server of its protocol; one that says nothing in ten seconds is closed. Threads: Bind, Start
// and Stop on one; the takers are called on the port's own.
#pragma once

#include <asio/io_context.hpp>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <thread>

#include "absl/status/statusor.h"
#include "server/frontend/net/accept_loop.h"

namespace vaquita::net {

// The protocol of a client whose first bytes, at least four, these are.
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
