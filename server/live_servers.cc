#include "server/live_servers.h"

#include <utility>

#include "server/region_server_control.h"

namespace vaquita {

void LiveServers::Put(LiveServer server) {
  std::lock_guard lock(mutex_);
  Entry& entry = servers_[server.name];
  entry.metrics.server_name = server.name;
  entry.metrics.grpc_address = server.grpc_address;
  entry.server = std::move(server);
}

void LiveServers::Remove(std::string_view name) {
  std::lock_guard lock(mutex_);
  if (const auto it = servers_.find(name); it != servers_.end()) servers_.erase(it);
}

absl::StatusOr<std::shared_ptr<RegionServerControl>> LiveServers::Find(std::string_view name) const {
  std::lock_guard lock(mutex_);
  const auto it = servers_.find(name);
  if (it == servers_.end()) return absl::UnavailableError("region server " + std::string(name) + " is not there");
  return it->second.server.control;
}

std::vector<LiveServer> LiveServers::All() const {
  std::lock_guard lock(mutex_);
  std::vector<LiveServer> all;
  all.reserve(servers_.size());
  for (const auto& [name, entry] : servers_) all.push_back(entry.server);
  return all;
}

std::vector<std::string> LiveServers::Names() const {
  std::lock_guard lock(mutex_);
  std::vector<std::string> names;
  names.reserve(servers_.size());
  for (const auto& [name, entry] : servers_) names.push_back(name);
  return names;
}

std::string LiveServers::GrpcAddress(std::string_view name) const {
  std::lock_guard lock(mutex_);
  const auto it = servers_.find(name);
  return it == servers_.end() ? "" : it->second.server.grpc_address;
}

void LiveServers::SetMetrics(ServerMetrics metrics) {
  std::lock_guard lock(mutex_);
  if (const auto it = servers_.find(metrics.server_name); it != servers_.end()) it->second.metrics = std::move(metrics);
}

std::vector<ServerMetrics> LiveServers::Metrics() const {
  std::vector<ServerMetrics> all;
  std::vector<std::shared_ptr<RegionServerControl>> in_process;
  {
    std::lock_guard lock(mutex_);
    for (const auto& [name, entry] : servers_) {
      if (entry.server.grpc_address.empty()) {
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
