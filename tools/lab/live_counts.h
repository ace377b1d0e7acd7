// tools/lab/live_counts.h: what a running cluster's regions have done so far, to lay beside an emulation of the same
// load.
//
// Vaquita tells its stores' counters by gRPC, HBase its region server's by HTTP (/jmx, on the port of its web page).
// Threads: one at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "client/connection.h"
#include "region/table_name.h"

namespace vaquita {

// Since the counting began.
struct LiveCounts {
  int64_t flushes = 0;
  int64_t compactions = 0;
  double compacted_bytes = 0;  // -1: not told
  friend bool operator==(const LiveCounts&, const LiveCounts&) = default;
};

class LiveCounter {
 public:
  virtual ~LiveCounter() = default;
  // Counts begin at the first call. A split takes a region's counters away, so it is to be called often.
  virtual absl::StatusOr<LiveCounts> Read() = 0;
  // How long counts must stand still before they are known to be the last ones.
  virtual int64_t quiet_ms() const = 0;
};

// Of `table`; `grpc` is a connection to Vaquita by gRPC.
std::unique_ptr<LiveCounter> CountVaquita(std::shared_ptr<client::Connection> grpc, const TableName& table);

// Of a region server's web page at `address` (host:port): all tables together, so it had best be quiet otherwise.
std::unique_ptr<LiveCounter> CountHBase(const std::string& address);

}  // namespace vaquita
