// client/hbase/registry.h: who tells a client where a cluster's master and hbase:meta are.
//
//   hbase://HOST[:2181],...[/ZNODE]   ZooKeeper, at any of the hosts; the cluster's znode, /hbase if none is named
//   hbase-rpc://HOST:PORT             a master or region server, by HBase's RPC (2.5 and later, and masters of 2.3)
// Nothing is kept: each question is asked anew.
// Threads: any.
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

// Whether `address` is one of the above.
bool IsRegistryAddress(const std::string& address);
// kIllegalArgument for an address that is none of them. `client` outlives the registry.
absl::StatusOr<std::unique_ptr<Registry>> MakeRegistry(const std::string& address, RpcClient* client);

}  // namespace vaquita::client
