#include "server/master/assignment/online_servers.h"

#include <utility>

#include "server/control/region_server_control.h"

namespace vaquita {

void OnlineServers::Put(OnlineServer server) {
  std::lock_guard lock(mutex_);
  Entry& entry = servers_[server.name];
  entry.metrics.server_name = server.name;
  entry.metrics.grpc_address = server.grpc_address;
  entry.server = std::move(server);
}

void OnlineServers::Remove(std::string_view name) {
  std::lock_guard lock(mutex_);
  if (const auto it = servers_.find(name); it != servers_.end()) servers_.erase(it);
}

absl::StatusOr<std::shared_ptr<RegionServerControl>> OnlineServers::Find(std::string_view name) const {
  std::lock_guard lock(mutex_);
  const auto it = servers_.find(name);
  if (it == servers_.end()) return absl::UnavailableError("region server " + std::string(name) + " is not online");
  return it->second.server.control;
}

std::vector<OnlineServer> OnlineServers::All() const {
  std::lock_guard lock(mutex_);
  std::vector<OnlineServer> all;
  all.reserve(servers_.size());
  for (const auto& [name, entry] : servers_) all.push_back(entry.server);
  return all;
}

std::vector<std::string> OnlineServers::Names() const {
  std::lock_guard lock(mutex_);
  std::vector<std::string> names;
  names.reserve(servers_.size());
  for (const auto& [name, entry] : servers_) names.push_back(name);
  return names;
}

std::string OnlineServers::GrpcAddress(std::string_view name) const {
  std::lock_guard lock(mutex_);
  const auto it = servers_.find(name);
  return it == servers_.end() || it->second.server.in_process ? "" : it->second.server.grpc_address;
}

void OnlineServers::SetMetrics(ServerMetrics metrics) {
  std::lock_guard lock(mutex_);
  if (const auto it = servers_.find(metrics.server_name); it != servers_.end()) it->second.metrics = std::move(metrics);
}

std::vector<ServerMetrics> OnlineServers::Metrics() const {
  std::vector<ServerMetrics> all;
  std::vector<std::shared_ptr<RegionServerControl>> in_process;
  {
    std::lock_guard lock(mutex_);
    for (const auto& [name, entry] : servers_) {
      if (entry.server.in_process) {
        in_process.push_back(entry.server.control);
      } else {
        all.push_back(entry.metrics);
      }
    }
  }
  for (const auto& control : in_process) {
    if (auto report = control->Report(); report.ok()) all.push_back(std::move(report->metrics));
  }
  return all;
}

}  // namespace vaquita
