// server/process/region_server_process.h: a region server of a cluster as a process of its own, behind HBase's RPC and
// gRPC.
//
// It finds the master through the data root (server/data_root/master_address.h), registers, takes over or makes its
// folder, and serves the regions that the master gives it. It reports three times per lease, and looks for the master
// again whenever it does not answer. It answers clients only under its lease. Threads: one of its own for the
// membership; the methods here are called by one thread. Source: HRegionServer (2.6).
#pragma once

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/clock.h"
#include "base/options.h"
#include "server/control/process_orders.h"
#include "server/test_control/test_control.h"
#include "server/test_control/tested_process.h"

namespace vaquita {

struct RegionServerProcessOptions {
  std::string data_path;             // the data root
  const Options* options = nullptr;  // outlives the process
  Clock* clock = nullptr;            // null: the system's
  // With it, a test controls the process, as in StandaloneOptions. Outlives the process; may be null.
  TestControl* control = nullptr;
  const ProcessOrders* orders = nullptr;  // outlives the process; null: clients give it no orders
};

class RegionServerProcess : public TestedClusterProcess {
 public:
  // Listens, and begins to look for a master.
  static absl::StatusOr<std::unique_ptr<RegionServerProcess>> Start(const RegionServerProcessOptions& options);
  ~RegionServerProcess() override = default;  // stops, as StopNow

  // Returns whether it is a member and has opened its folder. It stays so until it ends.
  virtual bool serving() const = 0;
  // Returns true if it cannot go on, because the master considers it dead or it cannot open its folder, and sets `*why`
  // to one line. The process must end, and be started again.
  virtual bool ended(absl::Status* why) const = 0;

  // host:port that was bound.
  virtual std::string region_server_address() const = 0;
  virtual std::string grpc_address() const = 0;
  virtual std::string info_address() const = 0;  // HTTP; empty if it is turned off
  virtual std::string data_path() const = 0;     // absolute
  Master* master() override { return nullptr; }

  // Asks the master to move its regions away, and stops as StopNow does. If there is no master, or if regions stop
  // moving, for example because there is no other server, it keeps its regions for its next life.
  virtual void Stop() = 0;
  // Takes no new requests, ends running ones, and closes regions here. For a stop of the whole cluster.
  virtual void StopNow() = 0;
};

}  // namespace vaquita
