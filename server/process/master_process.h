// server/process/master_process.h: the master of a cluster as a process of its own, behind HBase's RPC, ZooKeeper's
// protocol, gRPC and Phoenix's query server.
//
// One data root may have several masters. The one with the root's lock is active, the others wait as backup masters.
// Only the active one listens, so a waiting master on the same machine may have the same ports. For HTTP the waiting
// ones also listen if they can. Threads: one thread calls all methods. Source: HMaster, ActiveMasterManager (2.6).
#pragma once

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "base/clock.h"
#include "base/options.h"
#include "console/console_work.h"
#include "server/control/process_orders.h"
#include "server/test_control/test_control.h"
#include "server/test_control/tested_process.h"

namespace vaquita {

struct MasterProcessOptions {
  std::string data_path;             // the data root
  const Options* options = nullptr;  // outlives the process
  Clock* clock = nullptr;            // null: the system's
  // With it, a test controls the process, as in StandaloneOptions. Outlives the process; may be null.
  TestControl* control = nullptr;
  MakeConsoleWorks console_works;         // null: the console's pages have no work done
  ConsoleGet console_get;                 // null: the console asks no region server
  const ProcessOrders* orders = nullptr;  // outlives the process; null: clients give it no orders
};

class MasterProcess : public TestedClusterProcess {
 public:
  // Creates a waiting master, which is listed as a backup master.
  static absl::StatusOr<std::unique_ptr<MasterProcess>> Create(const MasterProcessOptions& options);
  ~MasterProcess() override = default;  // stops

  // Becomes active if no other master is. Returns whether it is active. After an error the object cannot be used any
  // more.
  virtual absl::StatusOr<bool> TryToLead() = 0;
  // Returns whether it must end at once, because it cannot be active any more, and sets `*why` to one line. Any thread.
  virtual bool ended(absl::Status* why) const = 0;

  RegionServer* region_server() override { return nullptr; }
  // REQUIRES for these and master(): it is active.
  // host:port that was bound.
  virtual std::string zookeeper_address() const = 0;
  virtual std::string master_address() const = 0;
  virtual std::string grpc_address() const = 0;
  virtual std::string info_address() const = 0;          // HTTP; empty if it is turned off
  virtual std::string query_server_address() const = 0;  // Phoenix's query server; likewise

  virtual std::string data_path() const = 0;  // absolute
  virtual void Stop() = 0;                    // no new requests, running ones end; another master may lead
};

}  // namespace vaquita
