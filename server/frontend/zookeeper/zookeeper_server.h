// server/frontend/zookeeper/zookeeper_server.h: ZooKeeper's client protocol over a tree of znodes that clients may only
// read.
//
// HBase's clients ask a ZooKeeper quorum where the cluster is. This is a quorum of one: sessions (negotiated timeouts,
// reconnection, expiry of silent ones), reads, watches that fire once, and the four-letter words; a write is refused
// with NOAUTH, as ZooKeeper does when a node's ACL lets the world only read.
// Threads: one thread serves all connections. SetNode and RemoveNode may be called from any thread; they take effect in
// order, before any request that arrives after them. Start and Stop on one thread.
// Memory: frames, watches, sessions and connections are limited (ZooKeeperOptions); a client that does not read what it
// asked for is not read from either, and its session expires. Replies that clients do not read are limited together.
// Source: ZooKeeperServer, NIOServerCnxn, FinalRequestProcessor, zookeeper.jute (ZooKeeper 3.4 to 3.9).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "base/clock.h"
#include "server/frontend/net/accept_loop.h"

namespace vaquita::zookeeper {

class ZnodeTree;

struct ZooKeeperOptions {
  std::string address = "127.0.0.1";
  uint16_t port = 2181;  // 0: any free one
  // Gives stats their time, and zxids their first value. Outlives the server. Null: the system's.
  Clock* clock = nullptr;
  std::shared_ptr<TlsContext> tls;  // null: clients have none

  // A session's timeout is what its client asks for, within these. ZooKeeper: minSessionTimeout, maxSessionTimeout.
  int32_t min_session_timeout_ms = 4'000;
  int32_t max_session_timeout_ms = 90'000;
  int32_t handshake_timeout_ms = 10'000;  // for the first whole request of a connection

  int32_t max_frame_bytes = 0xfffff;       // ZooKeeper: jute.maxbuffer
  size_t max_unfinished_bytes = 16 << 20;  // in frames over 4 KB that are not all there, of all connections
  size_t max_unsent_bytes = 16 << 20;  // in replies that are not read; beyond that, the connection with most is closed
  size_t max_connections = 4'000;
  size_t max_address_connections = 1'000;  // of one client's address. ZooKeeper: maxClientCnxns
  size_t max_sessions = 64'000;            // then a new one takes the place of one without a connection
  size_t max_watch_bytes = 16 << 20;       // for all connections together, with a little for each watch

  // Brings the part of the tree that a request for `path` reads up to date, where the tree mirrors something that lives
  // elsewhere. Called on the server's thread before each read, and every watch_check_ms for each watched path, but once
  // in a request, or in a check, for all paths of which `mirrored` names the same node; must not wait.
  std::function<void(std::string_view path, ZnodeTree* tree)> refresh;
  // Returns the path by which `refresh` does all that it does for `path`; "" if that is nothing. Null: the same path.
  std::function<std::string_view(std::string_view path)> mirrored;
  int32_t watch_check_ms = 1'000;
};

class ZooKeeperServer {
 public:
  // Listens, and serves a tree that holds "/" only. Unavailable, naming the address, if it cannot listen there.
  static absl::StatusOr<std::unique_ptr<ZooKeeperServer>> Start(const ZooKeeperOptions& options);
  virtual ~ZooKeeperServer() = default;  // stops

  virtual uint16_t port() const = 0;
  // Creates the node, and those above it with no data; of one that exists, replaces its data if it differs.
  virtual void SetNode(std::string_view path, std::string_view data) = 0;
  // Removes the node and those below it, if there.
  virtual void RemoveNode(std::string_view path) = 0;
  // Serves a connection that was accepted elsewhere. Any thread.
  virtual void Give(const net::Accepted& accepted) = 0;
  virtual void Stop() = 0;  // closes all connections and sessions
};

}  // namespace vaquita::zookeeper
