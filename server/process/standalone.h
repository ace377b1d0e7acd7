// server/process/standalone.h: master and region server in one process over one data folder, behind HBase's RPC,
// ZooKeeper's protocol, gRPC, HTTP and Phoenix's query server.
//
// Threads: Start and Stop on one thread. Without a listener (`serve` false) it is the in-process server of tests: call
// master() and region_server() directly.
#pragma once

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "base/clock.h"
#include "base/options.h"
#include "console/console_work.h"
#include "server/control/process_orders.h"
#include "server/process/service_addresses.h"
#include "server/test_control/test_control.h"
#include "server/test_control/tested_process.h"

namespace vaquita {

struct StandaloneOptions {
  std::string data_path;             // empty: a temporary folder, removed at Stop
  const Options* options = nullptr;  // outlives the Standalone
  Clock* clock = nullptr;            // null: the system's
  bool serve = true;                 // listen on the ports of `options`
  // With it, a test controls the server: the server uses the control's clock, and calls go through its gate. Outlives
  // the Standalone; null: no test controls the server.
  TestControl* control = nullptr;
  MakeConsoleWorks console_works;         // null: the console's pages have no work done
  const ProcessOrders* orders = nullptr;  // outlives the Standalone; null: clients give the process no orders
};

class Standalone : public TestedProcess {
 public:
  // FailedPrecondition, in one clear line, when another server has the folder open.
  static absl::StatusOr<std::unique_ptr<Standalone>> Start(const StandaloneOptions& options);
  // host:port that was bound; empty when not serving.
  virtual std::string zookeeper_address() const = 0;
  virtual std::string master_address() const = 0;
  virtual std::string region_server_address() const = 0;
  virtual std::string grpc_address() const = 0;
  virtual std::string master_info_address() const = 0;         // HTTP; empty if it is turned off
  virtual std::string region_server_info_address() const = 0;  // likewise
  virtual std::string query_server_address() const = 0;        // Phoenix's query server; likewise
  // Where clients find all of these (vaquita.advertised.*, or where they listen).
  virtual ServiceAddresses advertised() const = 0;
  virtual std::string data_path() const = 0;  // absolute
  // Returns whether it has to stop, because its data folder cannot be written to any more; `*why` says so then.
  virtual bool ended(absl::Status* why) const = 0;
  virtual void Stop() = 0;  // no new requests, running ones end, regions close
};

}  // namespace vaquita
