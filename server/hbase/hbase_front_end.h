// server/hbase/hbase_front_end.h: HBase's own protocol over a Master and a RegionServer: RPC on the master's and the
// region server's port, and ZooKeeper's protocol to find them.
//
// Both RPC ports offer every service, so that a client may use either address for anything. Threads: one thread calls
// all methods.
#pragma once

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/clock.h"
#include "engine/options.h"
#include "server/master.h"
#include "server/region_server.h"

namespace vaquita {

class HBaseFrontEnd {
 public:
  // Binds the RPC ports that `options` name, which a server's name has in it. Clients that connect wait until Serve.
  // `options` and `clock` outlive it.
  static absl::StatusOr<std::unique_ptr<HBaseFrontEnd>> Listen(const Options* options, Clock* clock);
  virtual ~HBaseFrontEnd() = default;  // stops

  virtual int master_port() const = 0;
  virtual int region_server_port() const = 0;
  virtual int zookeeper_port() const = 0;  // once it serves

  // `master_name` and `server_name` are "host,port,startcode". `master` and `server` outlive Stop.
  virtual absl::Status Serve(Master* master, RegionServer* server, const std::string& master_name,
                             const std::string& server_name) = 0;
  virtual void Stop() = 0;  // no new calls; running ones end
};

}  // namespace vaquita
