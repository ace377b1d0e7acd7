#include "server/frontend/zookeeper/znode_service.h"

#include <utility>
#include <vector>

namespace vaquita::zookeeper {
namespace {

constexpr size_t kMaxMultiOperations = 10'000;
constexpr size_t kMaxReplyBytes = 4 << 20;  // for a multi that reads; ZooKeeper's clients take no more by default

// `body` after a reply's header, as a frame.
std::string Frame(int32_t xid, int64_t zxid, ErrorCode error, std::string_view body) {
  std::string frame;
  JuteWriter(&frame).Int(static_cast<int32_t>(16 + body.size())).Int(xid).Long(zxid).Int(static_cast<int32_t>(error));
  frame.append(body);
  return frame;
}

void WriteStat(const Znode& node, std::string* out) {
  JuteWriter(out)
      .Long(node.created_zxid)
      .Long(node.modified_zxid)
      .Long(node.created_ms)
      .Long(node.modified_ms)
      .Int(node.version)
      .Int(node.children_version)
      .Int(0)   // changes of the ACL
      .Long(0)  // the session that owns an ephemeral node
      .Int(static_cast<int32_t>(node.data.size()))
      .Int(static_cast<int32_t>(node.children.size()))
      .Long(node.children_zxid);
}

// The access list of every node: everyone may read, and nobody write.
void WriteAcl(std::string* out) { JuteWriter(out).Int(1).Int(kPermissionRead).String("world").String("anyone"); }

void WriteMultiHeader(OpCode op, bool done, ErrorCode error, std::string* out) {
  JuteWriter(out).Int(static_cast<int32_t>(op)).Bool(done).Int(static_cast<int32_t>(error));
}

void WriteMultiError(ErrorCode error, std::string* out) {
  WriteMultiHeader(OpCode::kErrorResult, false, error, out);
  JuteWriter(out).Int(static_cast<int32_t>(error));
}

void WriteMultiEnd(std::string* out) { WriteMultiHeader(OpCode::kErrorResult, true, static_cast<ErrorCode>(-1), out); }

// Reads the header of an operation of a multi. Returns false at the end.
bool ReadMultiHeader(JuteReader& in, OpCode* op) {
  *op = static_cast<OpCode>(in.Int());
  const bool done = in.Bool();
  in.Int();  // an error, unused in requests
  return in.ok() && !done;
}

// The part of a write after its path.
void SkipWrite(OpCode op, JuteReader& in) {
  const auto skip_acl = [&] {
    for (int32_t count = in.Int(); count > 0 && in.ok(); --count) in.Int(), in.String(), in.String();
  };
  switch (op) {
    case OpCode::kSetAcl:
      skip_acl();
      in.Int();  // version
      break;
    case OpCode::kSetData:
      in.Buffer();
      in.Int();  // version
      break;
    case OpCode::kDelete:
      in.Int();  // version
      break;
    case OpCode::kDeleteContainer:
      break;
    default:  // the kinds of create
      in.Buffer();
      skip_acl();
      in.Int();  // flags
      if (op == OpCode::kCreateTtl) in.Long();
  }
}

bool IsWrite(OpCode op) {
  switch (op) {
    case OpCode::kCreate:
    case OpCode::kCreate2:
    case OpCode::kCreateContainer:
    case OpCode::kCreateTtl:
    case OpCode::kDelete:
    case OpCode::kDeleteContainer:
    case OpCode::kSetData:
    case OpCode::kSetAcl:
      return true;
    default:
      return false;
  }
}

}  // namespace

ZnodeService::ZnodeService(const Clock& clock, size_t max_watch_bytes, Hooks hooks)
    : hooks_(std::move(hooks)), tree_(clock), watches_(max_watch_bytes) {
  tree_.SetListener([this](EventType type, const std::string& path) { OnChange(type, path); });
}

ZnodeService::Next ZnodeService::Handle(ConnectionId connection, std::string_view frame, std::string* reply) {
  refreshed_.clear();
  JuteReader in(frame);
  const int32_t xid = in.Int();
  const OpCode op = static_cast<OpCode>(in.Int());
  if (!in.ok()) return Next::kDrop;
  std::string body;
  const ErrorCode error = Answer(op, connection, in, &body);
  if (error != ErrorCode::kOk) body.clear();
  *reply = Frame(xid, tree_.last_zxid(), error, body);
  return op == OpCode::kCloseSession ? Next::kCloseSession : Next::kContinue;
}

ErrorCode ZnodeService::Answer(OpCode op, ConnectionId connection, JuteReader& in, std::string* out) {
  if (IsWrite(op)) return RefuseWrite(op, in);
  switch (op) {
    case OpCode::kPing:
    case OpCode::kCloseSession:
    case OpCode::kAuth:  // whoever it is may read
      return ErrorCode::kOk;
    case OpCode::kSync:
      JuteWriter(out).String(in.String());
      return in.ok() ? ErrorCode::kOk : ErrorCode::kMarshallingError;
    case OpCode::kExists:
    case OpCode::kGetData:
    case OpCode::kGetAcl:
    case OpCode::kGetChildren:
    case OpCode::kGetChildren2:
    case OpCode::kGetAllChildrenNumber:
      return Read(op, connection, in, out);
    case OpCode::kGetEphemerals:
      JuteWriter(out).Strings(std::vector<std::string>());
      return ErrorCode::kOk;
    case OpCode::kMulti:
      return Multi(in, out);
    case OpCode::kMultiRead:
      return MultiRead(connection, in, out);
    case OpCode::kSetWatches:
    case OpCode::kSetWatches2:
      return SetWatches(op == OpCode::kSetWatches2, connection, in);
    case OpCode::kCheckWatches:
    case OpCode::kRemoveWatches:
      return CheckOrRemoveWatches(op == OpCode::kRemoveWatches, connection, in);
    default:
      return ErrorCode::kUnimplemented;
  }
}

ErrorCode ZnodeService::Read(OpCode op, ConnectionId connection, JuteReader& in, std::string* out) {
  const bool may_watch = op != OpCode::kGetAcl && op != OpCode::kGetAllChildrenNumber;
  const std::string_view path = in.String();
  const bool watch = may_watch && in.Bool();
  if (!in.ok()) return ErrorCode::kMarshallingError;
  if (!ZnodeTree::IsPath(path)) return ErrorCode::kBadArguments;

  const Znode* node = Find(path);
  const bool of_children = op == OpCode::kGetChildren || op == OpCode::kGetChildren2;
  if (watch && (node != nullptr || op == OpCode::kExists) &&  // exists waits for a node that is not there
      !watches_.Add(of_children ? WatchKind::kChildren : WatchKind::kData, path, connection)) {
    return ErrorCode::kSystemError;
  }
  if (node == nullptr) return ErrorCode::kNoNode;

  if (op == OpCode::kGetData) JuteWriter(out).Buffer(node->data);
  if (op == OpCode::kGetAcl) WriteAcl(out);
  if (of_children) JuteWriter(out).Strings(node->children);
  if (op == OpCode::kGetAllChildrenNumber) {
    JuteWriter(out).Int(static_cast<int32_t>(tree_.CountBelow(path)));
  } else if (op != OpCode::kGetChildren) {
    WriteStat(*node, out);
  }
  return ErrorCode::kOk;
}

// As ZooKeeper refuses a writer whom the ACL does not name: a node that is missing is said first.
ErrorCode ZnodeService::RefuseWrite(OpCode op, JuteReader& in) {
  const std::string_view path = in.String();
  SkipWrite(op, in);
  if (!in.ok()) return ErrorCode::kMarshallingError;
  if (!ZnodeTree::IsPath(path)) return ErrorCode::kBadArguments;
  const bool changes_node = op == OpCode::kSetData || op == OpCode::kSetAcl;
  return Find(changes_node ? path : ParentPath(path)) == nullptr ? ErrorCode::kNoNode : ErrorCode::kNoAuth;
}

ErrorCode ZnodeService::Check(JuteReader& in) {
  const std::string_view path = in.String();
  const int32_t version = in.Int();
  if (!in.ok()) return ErrorCode::kMarshallingError;
  const Znode* node = Find(path);
  if (node == nullptr) return ErrorCode::kNoNode;
  return version == -1 || version == node->version ? ErrorCode::kOk : ErrorCode::kBadVersion;
}

// All or nothing, so one write fails it all: the operations before say OK, those after that they were not tried.
ErrorCode ZnodeService::Multi(JuteReader& in, std::string* out) {
  std::vector<ErrorCode> errors;
  bool failed = false;
  for (OpCode op; ReadMultiHeader(in, &op);) {
    if (op != OpCode::kCheck && !IsWrite(op)) return ErrorCode::kBadArguments;
    const ErrorCode error = op == OpCode::kCheck ? Check(in) : RefuseWrite(op, in);
    if (!in.ok() || errors.size() == kMaxMultiOperations) return ErrorCode::kMarshallingError;
    errors.push_back(failed ? ErrorCode::kRuntimeInconsistency : error);
    failed |= error != ErrorCode::kOk;
  }
  if (!in.ok()) return ErrorCode::kMarshallingError;
  for (const ErrorCode error : errors) {
    if (failed) {
      WriteMultiError(error, out);
    } else {
      WriteMultiHeader(OpCode::kCheck, false, ErrorCode::kOk, out);
    }
  }
  WriteMultiEnd(out);
  return ErrorCode::kOk;
}

ErrorCode ZnodeService::MultiRead(ConnectionId connection, JuteReader& in, std::string* out) {
  size_t operations = 0;
  for (OpCode op; ReadMultiHeader(in, &op);) {
    if (op != OpCode::kGetData && op != OpCode::kGetChildren) return ErrorCode::kBadArguments;
    std::string body;
    const ErrorCode error = Read(op, connection, in, &body);
    if (!in.ok() || ++operations > kMaxMultiOperations) return ErrorCode::kMarshallingError;
    if (error != ErrorCode::kOk) {
      WriteMultiError(error, out);
    } else {
      WriteMultiHeader(op, false, ErrorCode::kOk, out);
      out->append(body);
    }
    if (out->size() > kMaxReplyBytes) return ErrorCode::kSystemError;
  }
  if (!in.ok()) return ErrorCode::kMarshallingError;
  WriteMultiEnd(out);
  return ErrorCode::kOk;
}

// A client that has connected again sets its watches again. It gets the changes since the last zxid that it saw at
// once.
ErrorCode ZnodeService::SetWatches(bool with_persistent, ConnectionId connection, JuteReader& in) {
  const int64_t since_zxid = in.Long();
  const std::vector<std::string_view> data = in.Strings();
  const std::vector<std::string_view> exist = in.Strings();
  const std::vector<std::string_view> children = in.Strings();
  bool persistent = false;
  for (int lists = with_persistent ? 2 : 0; lists > 0; --lists) persistent |= !in.Strings().empty();
  if (!in.ok()) return ErrorCode::kMarshallingError;
  if (persistent) return ErrorCode::kUnimplemented;  // as the requests that set them
  bool all_set = true;
  for (const std::string_view path : data) all_set &= Rearm(WatchKind::kData, false, path, since_zxid, connection);
  for (const std::string_view path : exist) all_set &= Rearm(WatchKind::kData, true, path, since_zxid, connection);
  for (const std::string_view path : children)
    all_set &= Rearm(WatchKind::kChildren, false, path, since_zxid, connection);
  return all_set ? ErrorCode::kOk : ErrorCode::kSystemError;
}

// False: there are too many watches.
bool ZnodeService::Rearm(WatchKind kind, bool wants_creation, std::string_view path, int64_t since_zxid,
                         ConnectionId connection) {
  if (!ZnodeTree::IsPath(path)) return true;  // nothing will ever happen there
  const Znode* node = Find(path);
  if (wants_creation && node != nullptr) {
    Notify(connection, EventType::kCreated, path);
  } else if (!wants_creation && node == nullptr) {
    Notify(connection, EventType::kDeleted, path);
  } else if (node != nullptr && kind == WatchKind::kData && node->modified_zxid > since_zxid) {
    Notify(connection, EventType::kDataChanged, path);
  } else if (node != nullptr && kind == WatchKind::kChildren && node->children_zxid > since_zxid) {
    Notify(connection, EventType::kChildrenChanged, path);
  } else {
    return watches_.Add(kind, path, connection);
  }
  return true;
}

ErrorCode ZnodeService::CheckOrRemoveWatches(bool remove, ConnectionId connection, JuteReader& in) {
  const std::string_view path = in.String();
  const int32_t type = in.Int();  // WatcherType: 1 children, 2 data, 3 any
  if (!in.ok()) return ErrorCode::kMarshallingError;
  if (type < 1 || type > 3) return ErrorCode::kBadArguments;
  bool found = false;
  for (const auto& [kind, bit] : {std::pair(WatchKind::kChildren, 1), std::pair(WatchKind::kData, 2)}) {
    if ((type & bit) == 0) continue;
    found |= remove ? watches_.Remove(kind, path, connection) : watches_.Contains(kind, path, connection);
  }
  return found ? ErrorCode::kOk : ErrorCode::kNoWatcher;
}

const Znode* ZnodeService::Find(std::string_view path) {
  if (hooks_.refresh) {
    const std::string_view node = hooks_.mirrored ? hooks_.mirrored(path) : path;
    if (!node.empty() && refreshed_.emplace(node).second) hooks_.refresh(node, &tree_);
  }
  return tree_.Find(path);
}

void ZnodeService::RefreshWatched() {
  refreshed_.clear();
  for (const std::string& path : watches_.Paths()) Find(path);
}

void ZnodeService::OnChange(EventType type, const std::string& path) {
  std::set<ConnectionId> waiting;
  if (type != EventType::kChildrenChanged) waiting = watches_.Take(WatchKind::kData, path);
  if (type == EventType::kChildrenChanged || type == EventType::kDeleted) {
    waiting.merge(watches_.Take(WatchKind::kChildren, path));
  }
  for (const ConnectionId connection : waiting) Notify(connection, type, path);
}

void ZnodeService::Notify(ConnectionId connection, EventType type, std::string_view path) {
  std::string event;
  JuteWriter(&event).Int(static_cast<int32_t>(type)).Int(kStateSyncConnected).String(path);
  hooks_.deliver(connection, Frame(kNotificationXid, -1, ErrorCode::kOk, event));
}

}  // namespace vaquita::zookeeper
