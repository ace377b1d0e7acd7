#include "server/frontend/zookeeper/znode_tree.h"

#include <iterator>

namespace vaquita::zookeeper {
namespace {

constexpr int kZxidsPerMsBits = 20;  // a million changes each millisecond, until the year 2248

std::string_view LastName(std::string_view path) { return path.substr(path.rfind('/') + 1); }

}  // namespace

std::string ParentPath(std::string_view path) {
  const size_t slash = path.rfind('/');
  return slash == 0 || slash == std::string_view::npos ? "/" : std::string(path.substr(0, slash));
}

ZnodeTree::ZnodeTree(const Clock& clock) : clock_(clock), last_zxid_(clock.NowMs() << kZxidsPerMsBits) {
  Znode& root = nodes_["/"];
  root.created_zxid = root.modified_zxid = root.children_zxid = last_zxid_;
  root.created_ms = root.modified_ms = clock.NowMs();
}

bool ZnodeTree::IsPath(std::string_view path) {
  if (path.empty() || path[0] != '/' || path.find('\0') != std::string_view::npos) return false;
  if (path == "/") return true;
  for (std::string_view rest = path; !rest.empty();) {
    rest.remove_prefix(1);
    const std::string_view name = rest.substr(0, rest.find('/'));
    if (name.empty() || name == "." || name == "..") return false;
    rest.remove_prefix(name.size());
  }
  return true;
}

const Znode* ZnodeTree::Find(std::string_view path) const {
  const auto node = nodes_.find(path);
  return node == nodes_.end() ? nullptr : &node->second;
}

size_t ZnodeTree::CountBelow(std::string_view path) const {
  if (path == "/") return nodes_.size() - 1;
  const std::string begin = std::string(path) + '/';
  const std::string end = std::string(path) + static_cast<char>('/' + 1);
  return std::distance(nodes_.lower_bound(begin), nodes_.lower_bound(end));
}

void ZnodeTree::Set(std::string_view path, std::string_view data) {
  if (!IsPath(path)) return;
  const auto found = nodes_.find(path);
  if (found == nodes_.end()) return Create(std::string(path), data);
  Znode& node = found->second;
  if (node.data == data) return;
  node.data = data;
  node.modified_zxid = ++last_zxid_;
  node.modified_ms = clock_.NowMs();
  ++node.version;
  listener_(EventType::kDataChanged, found->first);
}

void ZnodeTree::Create(const std::string& path, std::string_view data) {
  const std::string parent = ParentPath(path);
  if (Find(parent) == nullptr) Create(parent, "");
  Znode& node = nodes_[path];
  node.data = data;
  node.created_zxid = node.modified_zxid = node.children_zxid = ++last_zxid_;
  node.created_ms = node.modified_ms = clock_.NowMs();
  listener_(EventType::kCreated, path);
  ChangeChildren(parent, [&](Znode& above) { above.children.emplace(LastName(path)); });
}

void ZnodeTree::Remove(std::string_view path) {
  if (path == "/" || Find(path) == nullptr) return;
  const std::string node(path);
  const std::set<std::string, std::less<>> children = Find(node)->children;
  for (const std::string& name : children) Remove(node + "/" + name);
  nodes_.erase(node);
  ++last_zxid_;
  listener_(EventType::kDeleted, node);
  ChangeChildren(ParentPath(node), [&](Znode& above) { above.children.erase(std::string(LastName(node))); });
}

void ZnodeTree::ChangeChildren(const std::string& parent, const std::function<void(Znode&)>& change) {
  Znode& node = nodes_.find(parent)->second;
  change(node);
  node.children_zxid = last_zxid_;
  ++node.children_version;
  listener_(EventType::kChildrenChanged, parent);
}

}  // namespace vaquita::zookeeper
