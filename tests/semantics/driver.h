// tests/semantics/driver.h: runs a script's commands on its own server, in a temporary folder, behind the client's
// interfaces.
//
// A Session uses client::Table and client::Admin only, so a driver decides only the way to the server.
// Threads: one at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "absl/status/status.h"
#include "client/admin.h"
#include "client/table.h"

namespace vaquita::semantics {

class Driver {
 public:
  virtual ~Driver() = default;

  virtual std::unique_ptr<client::Table> GetTable(const TableName& name) = 0;
  virtual client::Admin* admin() = 0;

  // Compacts the table, and returns when that is done.
  virtual absl::Status Compact(const TableName& table, bool major) { return admin()->Compact(table, "", major); }
  // Moves the server's clock, which stands still otherwise and starts at kStartMs.
  virtual void Advance(int64_t ms) = 0;
  // Stops the server and starts it again on its folder. Tables and scanners from before are dead.
  virtual absl::Status Restart() = 0;
};

// Calls Master and RegionServer directly.
absl::StatusOr<std::unique_ptr<Driver>> StartInProcessDriver();
// Calls them, too, but Restart cuts the power (base/test_disk.h), and every mutation has FSYNC_WAL. One at a
// time.
absl::StatusOr<std::unique_ptr<Driver>> StartPowerCutDriver(uint64_t seed);
// Go through the client library, by gRPC and by HBase's own RPC.
absl::StatusOr<std::unique_ptr<Driver>> StartGrpcDriver();
absl::StatusOr<std::unique_ptr<Driver>> StartHBaseRpcDriver();

}  // namespace vaquita::semantics
