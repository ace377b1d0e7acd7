// client/connection.h: a client's connection to a cluster of Vaquita or HBase, shared by its tables.
//
// It has the connections to servers, the cache of region locations (refreshed when a region has split or moved) and the
// retry policy. Threads: every method may be called from any thread; usually a process has one Connection. Ownership:
// Table, Admin, BufferedMutator and ResultScanner keep the parts of the connection that they need alive.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "model/table_name.h"

namespace vaquita {
class TlsContext;
}

namespace vaquita::client {

class Admin;
class BufferedMutator;
class Table;
struct BufferedMutatorOptions;

struct ConnectionOptions {
  // The cluster's address and protocol:
  //   HOST:PORT                          Vaquita's gRPC
  //   hbase://HOST[:2181],...[/ZNODE]    HBase's RPC; the servers are found by ZooKeeper
  //   hbase-rpc://HOST:PORT              HBase's RPC; they are found by asking this server (2.5 and later)
  // An IPv6 address has brackets: "[::1]:16040".
  std::string address = "127.0.0.1:16040";
  // Null: without TLS. vaquita.tls.enabled in its options: all connections have it; hbase.client.netty.tls.enabled:
  // those of HBase's RPC.
  std::shared_ptr<TlsContext> tls;
  // The client's user, for servers where users have rights. By gRPC: the token, else the certificate of `tls`, else the
  // name, which is no proof; by HBase's RPC: the certificate, else the name. Empty name: the operating system's user
  // (base/os_user.h).
  std::string user;
  std::string token;
  std::string acts_for;                      // by gRPC: a superuser calls in the name of this user; empty: it does not
  int32_t retries = 15;                      // hbase.client.retries.number
  int64_t pause_ms = 100;                    // hbase.client.pause: first back-off, growing as HBase's table does
  int64_t operation_timeout_ms = 1'200'000;  // hbase.client.operation.timeout
  int64_t rpc_timeout_ms = 60'000;           // hbase.rpc.timeout
  // Called when an operation, or Open, has waited for about a second and goes on to wait: with the last attempt's
  // error, and the milliseconds after which it gives up. At most once for an operation, on its thread. May be null.
  std::function<void(const absl::Status& error, int64_t most_ms)> on_wait;
  // Returns whether nobody waits for answers any more. Then a failed attempt is not repeated. Any thread; may be null.
  std::function<bool()> given_up;
};

// Returns kIllegalArgument if the cluster's address has none of the forms above.
absl::Status CheckAddress(const std::string& address);

class Connection {
 public:
  // Fails if no server answers at the address within the RPC timeout. Returns kIllegalArgument if the address has none
  // of the forms above, or by gRPC if the token has a byte that is not visible ASCII.
  static absl::StatusOr<std::shared_ptr<Connection>> Open(const ConnectionOptions& options);
  virtual ~Connection() = default;

  // Returns whether a fiber (base/fibers.h) that waits for an answer lets others of its thread run.
  virtual bool SuspendsFibers() const = 0;

  virtual std::unique_ptr<Table> GetTable(const TableName& name) = 0;  // does not ask the server
  virtual std::unique_ptr<Admin> GetAdmin() = 0;
  virtual std::unique_ptr<BufferedMutator> GetBufferedMutator(const TableName& name,
                                                              const BufferedMutatorOptions& options) = 0;
};

}  // namespace vaquita::client
