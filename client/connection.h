// client/connection.h: a client's connection to a cluster, Vaquita's or HBase's, shared by its tables.
//
// It keeps the connections to servers, the cache of region locations (refreshed when a region split or moved) and the
// retry policy. Threads: every method may be called from any thread; one Connection per process is the usual.
// Ownership: Table, Admin, BufferedMutator and ResultScanner keep what they need of the connection alive by themselves.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "model/table_name.h"

namespace vaquita::client {

class Admin;
class BufferedMutator;
class Table;
struct BufferedMutatorOptions;

struct ConnectionOptions {
  // Where the cluster is, and which protocol is spoken with it:
  //   HOST:PORT                          Vaquita's gRPC
  //   hbase://HOST[:2181],...[/ZNODE]    HBase's RPC; the servers are found by ZooKeeper
  //   hbase-rpc://HOST:PORT              HBase's RPC; they are found by asking this server (2.5 and later)
  std::string address = "127.0.0.1:16040";
  int32_t retries = 15;                      // hbase.client.retries.number
  int64_t pause_ms = 100;                    // hbase.client.pause: first back-off, growing as HBase's table does
  int64_t operation_timeout_ms = 1'200'000;  // hbase.client.operation.timeout
  int64_t rpc_timeout_ms = 60'000;           // hbase.rpc.timeout
};

class Connection {
 public:
  // Fails if nothing answers at the address within the RPC timeout; kIllegalArgument for one that is none of the above.
  static absl::StatusOr<std::shared_ptr<Connection>> Open(const ConnectionOptions& options);
  virtual ~Connection() = default;

  virtual std::unique_ptr<Table> GetTable(const TableName& name) = 0;  // does not ask the server
  virtual std::unique_ptr<Admin> GetAdmin() = 0;
  virtual std::unique_ptr<BufferedMutator> GetBufferedMutator(const TableName& name,
                                                              const BufferedMutatorOptions& options) = 0;
};

}  // namespace vaquita::client
