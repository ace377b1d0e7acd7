// client/hbase/registry.h: tells a client where a cluster's master and hbase:meta are.
//
//   hbase://HOST[:2181],...[/ZNODE]   ZooKeeper, at any of the hosts; the cluster's znode, /hbase if none is named
//   hbase-rpc://HOST:PORT             a master or region server, by HBase's RPC (2.5 and later, and masters of 2.3)
//
// Answers are not cached. Threads: any.
// Source: ZKConnectionRegistry, ZNodePaths, RpcConnectionRegistry (2.6).
#pragma once

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "client/hbase/rpc_client.h"
#include "client/server_link.h"
#include "hbase/HBase.pb.h"
#include "proto/hbase/pb.h"

namespace vaquita::client {

class Registry {
 public:
  virtual ~Registry() = default;
  virtual absl::StatusOr<pb::ServerName> ActiveMaster(TimePoint deadline) = 0;
  virtual absl::StatusOr<pb::ServerName> MetaServer(TimePoint deadline) = 0;
};

// Returns the error of a cluster's address that has none of the forms of client/connection.h.
absl::Status BadAddress(const std::string& address);

// Returns whether `address` has one of the forms above.
bool IsRegistryAddress(const std::string& address);
// Returns kIllegalArgument if the address has none of these forms. `client` outlives the registry.
// `tls`: ZooKeeper's; null: without.
absl::StatusOr<std::unique_ptr<Registry>> MakeRegistry(const std::string& address, RpcClient* client,
                                                       std::shared_ptr<TlsContext> tls);

}  // namespace vaquita::client
