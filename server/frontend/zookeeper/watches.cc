#include "server/frontend/zookeeper/watches.h"

#include <utility>

namespace vaquita::zookeeper {

bool Watches::Add(WatchKind kind, std::string_view path, ConnectionId connection) {
  if (Contains(kind, path, connection)) return true;
  if (bytes_ + Cost(path) > max_bytes_) return false;
  bytes_ += Cost(path);
  Watch watch{kind, std::string(path)};
  by_path_[watch].insert(connection);
  by_connection_[connection].insert(std::move(watch));
  return true;
}

bool Watches::Contains(WatchKind kind, std::string_view path, ConnectionId connection) const {
  const auto found = by_path_.find({kind, std::string(path)});
  return found != by_path_.end() && found->second.contains(connection);
}

bool Watches::Remove(WatchKind kind, std::string_view path, ConnectionId connection) {
  if (!Contains(kind, path, connection)) return false;
  const Watch watch{kind, std::string(path)};
  const auto on_path = by_path_.find(watch);
  on_path->second.erase(connection);
  if (on_path->second.empty()) by_path_.erase(on_path);
  const auto of_connection = by_connection_.find(connection);
  of_connection->second.erase(watch);
  if (of_connection->second.empty()) by_connection_.erase(of_connection);
  bytes_ -= Cost(path);
  return true;
}

void Watches::RemoveConnection(ConnectionId connection) {
  const auto found = by_connection_.find(connection);
  if (found == by_connection_.end()) return;
  const std::set<Watch> watches = found->second;
  for (const Watch& watch : watches) Remove(watch.kind, watch.path, connection);
}

std::set<ConnectionId> Watches::Take(WatchKind kind, std::string_view path) {
  const auto found = by_path_.find({kind, std::string(path)});
  if (found == by_path_.end()) return {};
  const std::set<ConnectionId> connections = found->second;
  for (const ConnectionId connection : connections) Remove(kind, path, connection);
  return connections;
}

std::vector<std::string> Watches::Paths() const {
  std::vector<std::string> paths;
  for (const auto& [watch, connections] : by_path_) paths.push_back(watch.path);
  return paths;
}

}  // namespace vaquita::zookeeper
