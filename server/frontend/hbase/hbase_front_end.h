// server/frontend/hbase/hbase_front_end.h: serves HBase's own protocols over a Master, a RegionServer or both: HBase's
// RPC on the master's and the region server's port, and ZooKeeper's protocol, by which clients find them.
//
// Each RPC port offers all services of the process, so a client of a process with both roles may use either address.
// Only a master serves ZooKeeper's protocol. Threads: one thread calls all methods.
#pragma once

#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/clock.h"
#include "base/options.h"
#include "model/cluster_view.h"
#include "server/access/access_control.h"
#include "server/frontend/hbase/rpc/monitored_call.h"
#include "server/frontend/hbase/rpc/rpc_load.h"
#include "server/frontend/net/accept_loop.h"
#include "server/frontend/net/call_gate.h"

namespace vaquita {

class Master;
class RegionServer;

// The roles of a cluster's process.
enum class ProcessRole { kMaster, kRegionServer, kBoth };

class HBaseFrontEnd {
 public:
  // Binds the RPC ports of the role, which `options` name and a server's name has in it. Clients that connect wait
  // until Serve. `options`, `clock`, `access` (null: users have no rights) and `gate` (null: calls go through none)
  // outlive it.
  static absl::StatusOr<std::unique_ptr<HBaseFrontEnd>> Listen(ProcessRole role, const Options* options, Clock* clock,
                                                               const AccessControl* access,
                                                               net::CallGate* gate = nullptr);
  virtual ~HBaseFrontEnd() = default;  // stops

  // 0: the role has no such port.
  virtual int master_port() const = 0;
  virtual int region_server_port() const = 0;
  virtual int zookeeper_port() const = 0;                        // once it serves
  virtual RpcLoad load() const = 0;                              // any thread
  virtual std::vector<MonitoredCall> running_calls() const = 0;  // those that hold handlers; any thread

  // `master` null: it is another process. `server` is the region server, or in a master's process the one that has the
  // master's own regions. Both, and what `cluster_view` needs, outlive Stop.
  virtual absl::Status Serve(Master* master, RegionServer* server, const ClusterViewSource& cluster_view) = 0;
  // Serve connections that were accepted elsewhere. Any thread, after Serve.
  virtual void Give(const net::Accepted& accepted) = 0;
  virtual void GiveZooKeeper(const net::Accepted& accepted) = 0;
  // Pause waits for the running calls, and then uses the servers no more; clients stay connected, and their calls wait.
  // Resume serves them by other servers. REQUIRES: a gate; Serve.
  virtual void Pause() = 0;
  virtual absl::Status Resume(Master* master, RegionServer* server, const ClusterViewSource& cluster_view) = 0;
  virtual void Stop() = 0;  // no new calls; running ones end
};

}  // namespace vaquita
