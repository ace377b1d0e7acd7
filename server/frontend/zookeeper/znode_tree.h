// server/frontend/zookeeper/znode_tree.h: the znodes: data, children, and the versions that ZooKeeper keeps of both.
//
// Invariants: a node's parent exists, up to "/", which always does. Each change has a transaction id (zxid) greater
// than all before it, those of earlier servers included: the first one comes from the clock, so that a client that
// knows an earlier server's ids takes this server for newer. Threads: one. Source: DataTree, DataNode, PathUtils
// (ZooKeeper).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "proto/zookeeper/protocol.h"

namespace vaquita::zookeeper {

struct Znode {
  std::string data;
  std::set<std::string, std::less<>> children;  // names, not paths
  int64_t created_zxid = 0;
  int64_t modified_zxid = 0;  // last change of the data
  int64_t children_zxid = 0;  // last change of the list of children
  int64_t created_ms = 0;
  int64_t modified_ms = 0;
  int32_t version = 0;           // changes of the data
  int32_t children_version = 0;  // changes of the list of children
};

class ZnodeTree {
 public:
  // Called with each change of the node at `path`; kChildrenChanged means that a child was added or removed.
  using Listener = std::function<void(EventType type, const std::string& path)>;

  explicit ZnodeTree(const Clock& clock);

  // Returns whether it is "/", or names between single slashes, none of them "." or "..", without NUL.
  static bool IsPath(std::string_view path);

  const Znode* Find(std::string_view path) const;  // null if it does not exist; valid until the next change
  // Creates the node, and those above it without data, or replaces its data if they differ. Ignores a malformed path.
  void Set(std::string_view path, std::string_view data);
  void Remove(std::string_view path);  // with all below it; "/" stays

  int64_t last_zxid() const { return last_zxid_; }
  size_t size() const { return nodes_.size(); }
  size_t CountBelow(std::string_view path) const;  // its children, theirs, and so on
  void SetListener(Listener listener) { listener_ = std::move(listener); }

 private:
  void Create(const std::string& path, std::string_view data);
  void ChangeChildren(const std::string& parent, const std::function<void(Znode&)>& change);

  const Clock& clock_;
  std::map<std::string, Znode, std::less<>> nodes_;  // by path
  int64_t last_zxid_;
  Listener listener_ = [](EventType, const std::string&) {};
};

// "/a/b" gives "/a", "/a" gives "/".
std::string ParentPath(std::string_view path);

}  // namespace vaquita::zookeeper
