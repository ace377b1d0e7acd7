// server/frontend/hbase/hbase_front_end.h: HBase's own protocol over a Master and a RegionServer, or over one of them
// that is a process by itself: RPC on the master's and the region server's port, and ZooKeeper's protocol, at the
// master, to find them.
//
// Each RPC port that there is offers every service that there is, so that a client of a process that is both may use
// either address for anything. Threads: one thread calls all methods.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/clock.h"
#include "base/options.h"
#include "model/cluster_view.h"
#include "server/frontend/hbase/rpc/monitored_call.h"
#include "server/frontend/hbase/rpc/rpc_load.h"
#include "server/frontend/net/accept_loop.h"
#include "server/frontend/net/call_gate.h"
#include "server/master/master.h"
#include "server/regionserver/region_server.h"

namespace vaquita {

// The roles of a cluster's process.
enum class ProcessRole { kMaster, kRegionServer, kBoth };

class HBaseFrontEnd {
 public:
  // Binds the RPC ports of the role, which `options` name and a server's name has in it. Clients that connect wait
  // until Serve. `options`, `clock` and `gate` (null: calls go through none) outlive it.
  static absl::StatusOr<std::unique_ptr<HBaseFrontEnd>> Listen(ProcessRole role, const Options* options, Clock* clock,
                                                               net::CallGate* gate = nullptr);
  virtual ~HBaseFrontEnd() = default;  // stops

  // 0: the role has no such port.
  virtual int master_port() const = 0;
  virtual int region_server_port() const = 0;
  virtual int zookeeper_port() const = 0;                        // once it serves
  virtual RpcLoad load() const = 0;                              // any thread
  virtual std::vector<MonitoredCall> running_calls() const = 0;  // those that hold handlers; any thread

  // Null `master`: it is another process. `server` is then the region server; of a master alone it is the one that has
  // the master's own regions. Both, and what `look` needs, outlive Stop.
  virtual absl::Status Serve(Master* master, RegionServer* server, const LookAtCluster& look) = 0;
  // Serve connections that were accepted elsewhere. Any thread, after Serve.
  virtual void Give(const net::Accepted& accepted) = 0;
  virtual void GiveZooKeeper(const net::Accepted& accepted) = 0;
  // Takes the servers away while clients stay connected: waits for the calls that run; later ones wait for Resume,
  // which brings other servers. REQUIRES: a gate; Serve.
  virtual void Pause() = 0;
  virtual absl::Status Resume(Master* master, RegionServer* server, const LookAtCluster& look) = 0;
  virtual void Stop() = 0;  // no new calls; running ones end
};

}  // namespace vaquita
