// client/test_server/running_server.h: a server for a test, in a process of its own on free ports.
//
// Its data are in a folder that is removed with it. The server ends with this object, and with this process, however
// that ends: it reads the end of its standard input. Threads: every method may be called from any thread. Errors of the
// server have HBase's exception, where it gave one, and its own message.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/connection.h"

namespace vaquita::testing {

struct ServerOptions {
  std::map<std::string, std::vector<std::string>> tables;  // with their families
  std::string seed;                                        // commands of HBase's shell that run then, one on each line
  std::map<std::string, std::string> properties;           // as hbase-site.xml has them
  // The server's program. Empty: the environment variable VAQUITA_BINARY, else `vaquita` in PATH.
  std::string program;
};

// A failure on demand (docs/test-control.md): the calls that it hits, and their fate.
struct Fault {
  std::vector<std::string> methods;  // HBase's names: "Get", "Mutate", "Multi", "Scan"; none: all
  std::string table;
  int32_t skip = 0;             // the first so many calls pass
  int32_t times = 0;            // so many are hit; 0: all, until the fault is cleared
  std::string exception_class;  // the answer to these calls; without a package: one of HBase's
  std::string message;
  std::chrono::milliseconds delay{0};
  std::string drop;          // the connection closes "before" or "after" the call is done
  bool lose_answer = false;  // the call is done and never answered
};

// A call that the server got.
struct Call {
  int64_t number = 0;
  std::string method;
  std::string table;
  std::vector<std::string> rows;  // at most 16
  int32_t row_count = 0;
  std::string result;  // "OK", or the class of the exception
};

class RunningServer {
 public:
  // Starts a server and waits until it serves. If it does not, the error has its command and the end of its log.
  static absl::StatusOr<std::unique_ptr<RunningServer>> Start(const ServerOptions& options);
  virtual ~RunningServer() = default;  // ends it; that takes some milliseconds

  virtual const std::string& address() const = 0;    // gRPC's, for ConnectionOptions
  virtual const std::string& zookeeper() const = 0;  // host:port, for HBase's own clients and for "hbase://..."
  virtual int64_t pid() const = 0;
  virtual std::string LastLogLines() const = 0;  // 50, under a heading

  virtual absl::StatusOr<std::shared_ptr<client::Connection>> Connect() = 0;

  // Drops all tables, namespaces, snapshots and faults, forgets calls, and returns to the machine's time.
  virtual absl::Status Reset() = 0;
  virtual absl::StatusOr<std::string> Seed(std::string_view script) = 0;  // returns the commands' output
  virtual absl::Status Save(std::string_view name) = 0;                   // the whole state
  virtual absl::Status Restore(std::string_view name) = 0;

  // Moves the server's clock, and does everything that is then due (TTL, leases, chores). Returns the clock's time, in
  // ms since 1970.
  virtual absl::StatusOr<int64_t> AdvanceTime(std::chrono::milliseconds by) = 0;
  virtual absl::StatusOr<int64_t> FreezeTime(int64_t at_ms) = 0;

  virtual absl::StatusOr<int64_t> AddFault(const Fault& fault) = 0;  // its number
  virtual absl::StatusOr<int64_t> FaultHits(int64_t fault) = 0;      // to how many calls it has applied
  virtual absl::Status ClearFaults() = 0;
  virtual absl::StatusOr<std::vector<Call>> Calls(int64_t since = 0) = 0;  // the last 10,000, the oldest first
};

}  // namespace vaquita::testing
