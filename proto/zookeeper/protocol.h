// proto/zookeeper/protocol.h: the numbers of ZooKeeper's protocol.
//
// Source: ZooDefs.OpCode, KeeperException.Code, Watcher.Event.EventType, ClientCnxn (ZooKeeper 3.9).
#pragma once

#include <cstdint>

namespace vaquita::zookeeper {

enum class OpCode : int32_t {
  kCreate = 1,
  kDelete = 2,
  kExists = 3,
  kGetData = 4,
  kSetData = 5,
  kGetAcl = 6,
  kSetAcl = 7,
  kGetChildren = 8,
  kSync = 9,
  kPing = 11,
  kGetChildren2 = 12,
  kCheck = 13,
  kMulti = 14,
  kCreate2 = 15,
  kCheckWatches = 17,
  kRemoveWatches = 18,
  kCreateContainer = 19,
  kDeleteContainer = 20,
  kCreateTtl = 21,
  kMultiRead = 22,
  kAuth = 100,
  kSetWatches = 101,
  kGetEphemerals = 103,
  kGetAllChildrenNumber = 104,
  kSetWatches2 = 105,
  kCloseSession = -11,
  kErrorResult = -1,  // in the answer to a multi
};

enum class ErrorCode : int32_t {
  kOk = 0,
  kSystemError = -1,
  kRuntimeInconsistency = -2,  // for a multi's operations after the failed one
  kMarshallingError = -5,
  kUnimplemented = -6,
  kBadArguments = -8,
  kNoNode = -101,
  kNoAuth = -102,
  kBadVersion = -103,
  kNoWatcher = -121,
};

enum class EventType : int32_t {
  kCreated = 1,
  kDeleted = 2,
  kDataChanged = 3,
  kChildrenChanged = 4,
};

inline constexpr int32_t kNotificationXid = -1;    // for a watch's event, which is not an answer
inline constexpr int32_t kStateSyncConnected = 3;  // KeeperState, in events
inline constexpr int32_t kPermissionRead = 1;      // ZooDefs.Perms
inline constexpr int32_t kPasswordBytes = 16;

}  // namespace vaquita::zookeeper
