// server/master/assignment/online_servers.h: the region servers that the master can reach, and what each said of itself
// last.
//
// A server in the master's own process (standalone) does not report: it is asked for its metrics. Threads: any. Source:
// ServerManager's online servers (2.6).
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "model/cluster_status.h"

namespace vaquita {

class RegionServerControl;

struct OnlineServer {
  std::string name;          // "host,port,startcode"
  std::string grpc_address;  // host:port
  std::shared_ptr<RegionServerControl> control;
  bool in_process = false;  // the master's
};

class OnlineServers {
 public:
  void Put(OnlineServer server);  // or replaces it
  void Remove(std::string_view name);

  // Unavailable: it is not there.
  absl::StatusOr<std::shared_ptr<RegionServerControl>> Find(std::string_view name) const;
  std::vector<OnlineServer> All() const;  // by name
  std::vector<std::string> Names() const;
  std::string GrpcAddress(std::string_view name) const;  // empty: it is not there, or in the master's process

  // The server's last report. Metrics returns that, or asks a server that is in the master's process.
  void SetMetrics(ServerMetrics metrics);
  std::vector<ServerMetrics> Metrics() const;

 private:
  struct Entry {
    OnlineServer server;
    ServerMetrics metrics;
  };
  mutable std::mutex mutex_;
  std::map<std::string, Entry, std::less<>> servers_;
};

}  // namespace vaquita
