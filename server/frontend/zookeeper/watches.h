// server/frontend/zookeeper/watches.h: the connections that wait for znodes to change. A watch reports one change and
// is removed.
//
// A data watch (of getData and exists) waits for the node's data, creation or end; a child watch (of getChildren) for
// its list of children or its end. Watches belong to connections: a client that connects again sets its own again.
// Threads: one. Source: WatchManager, DataTree (ZooKeeper).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace vaquita::zookeeper {

using ConnectionId = uint64_t;

enum class WatchKind { kData, kChildren };

class Watches {
 public:
  explicit Watches(size_t max_bytes) : max_bytes_(max_bytes) {}

  // Adds a watch; an existing one counts once. Returns false, without adding it, if there are too many.
  bool Add(WatchKind kind, std::string_view path, ConnectionId connection);
  bool Contains(WatchKind kind, std::string_view path, ConnectionId connection) const;
  bool Remove(WatchKind kind, std::string_view path, ConnectionId connection);  // false: there was none
  void RemoveConnection(ConnectionId connection);
  // Removes all of the path's watches of that kind, and returns their connections.
  std::set<ConnectionId> Take(WatchKind kind, std::string_view path);

  bool empty() const { return bytes_ == 0; }
  size_t bytes() const { return bytes_; }  // about the memory that they use
  std::vector<std::string> Paths() const;

 private:
  struct Watch {
    WatchKind kind;
    std::string path;
    auto operator<=>(const Watch&) const = default;
  };
  static size_t Cost(std::string_view path) {
    return 2 * (path.size() + 100);
  }  // it is stored twice, in nodes of trees

  const size_t max_bytes_;
  size_t bytes_ = 0;
  std::map<Watch, std::set<ConnectionId>> by_path_;
  std::map<ConnectionId, std::set<Watch>> by_connection_;
};

}  // namespace vaquita::zookeeper
