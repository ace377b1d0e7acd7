// server/frontend/zookeeper/znode_service.h: answers the requests of established sessions: reads, watches, refusals of
// writes.
//
// It does not know sockets: a request's bytes come in, the reply's go out, and watches' events are delivered. Threads:
// one.
// Source: FinalRequestProcessor, PrepRequestProcessor, DataTree.setWatches, zookeeper.jute (ZooKeeper 3.9).
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "proto/zookeeper/jute.h"
#include "proto/zookeeper/protocol.h"
#include "server/frontend/zookeeper/watches.h"
#include "server/frontend/zookeeper/znode_tree.h"

namespace vaquita::zookeeper {

class ZnodeService {
 public:
  struct Hooks {
    // Sends a frame to a connection. A watch's event goes before the reply that would show its change.
    std::function<void(ConnectionId connection, std::string frame)> deliver;
    // As ZooKeeperOptions'; may be empty.
    std::function<void(std::string_view path, ZnodeTree* tree)> refresh;
    std::function<std::string_view(std::string_view path)> mirrored;
  };

  // `clock` outlives it.
  ZnodeService(const Clock& clock, size_t max_watch_bytes, Hooks hooks);

  enum class Next { kContinue, kCloseSession, kDrop };
  // Answers one request, a frame without its length, with a frame in `*reply`, its length in front. Returns kDrop if
  // the frame is malformed and cannot be answered.
  Next Handle(ConnectionId connection, std::string_view frame, std::string* reply);

  void Forget(ConnectionId connection) { watches_.RemoveConnection(connection); }
  void RefreshWatched();  // fires the watches whose nodes have changed where the tree mirrors something else

  ZnodeTree& tree() { return tree_; }
  const Watches& watches() const { return watches_; }

 private:
  // Answers a request with an error, or with a body in `*out`.
  ErrorCode Answer(OpCode op, ConnectionId connection, JuteReader& in, std::string* out);
  ErrorCode Read(OpCode op, ConnectionId connection, JuteReader& in, std::string* out);
  ErrorCode RefuseWrite(OpCode op, JuteReader& in);
  ErrorCode Check(JuteReader& in);
  ErrorCode Multi(JuteReader& in, std::string* out);
  ErrorCode MultiRead(ConnectionId connection, JuteReader& in, std::string* out);
  ErrorCode SetWatches(bool with_persistent, ConnectionId connection, JuteReader& in);
  ErrorCode CheckOrRemoveWatches(bool remove, ConnectionId connection, JuteReader& in);

  const Znode* Find(std::string_view path);  // refreshed
  bool Rearm(WatchKind kind, bool wants_creation, std::string_view path, int64_t since_zxid, ConnectionId connection);
  void OnChange(EventType type, const std::string& path);
  void Notify(ConnectionId connection, EventType type, std::string_view path);

  const Hooks hooks_;
  ZnodeTree tree_;
  Watches watches_;
  std::set<std::string, std::less<>> refreshed_;  // by the request or check that is under way
};

}  // namespace vaquita::zookeeper
