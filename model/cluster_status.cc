#include "model/cluster_status.h"

namespace vaquita {

std::string_view TableStateName(TableState state) {
  switch (state) {
    case TableState::kEnabled:
      return "ENABLED";
    case TableState::kDisabled:
      return "DISABLED";
    case TableState::kEnabling:
      return "ENABLING";
    case TableState::kDisabling:
      return "DISABLING";
  }
  return "";
}

std::string_view RegionStateName(RegionState state) {
  switch (state) {
    case RegionState::kOffline:
      return "OFFLINE";
    case RegionState::kOpening:
      return "OPENING";
    case RegionState::kOpen:
      return "OPEN";
    case RegionState::kClosing:
      return "CLOSING";
    case RegionState::kClosed:
      return "CLOSED";
    case RegionState::kSplitting:
      return "SPLITTING";
    case RegionState::kSplit:
      return "SPLIT";
    case RegionState::kMerging:
      return "MERGING";
    case RegionState::kMerged:
      return "MERGED";
    case RegionState::kFailedOpen:
      return "FAILED_OPEN";
    case RegionState::kSplittingNew:
      return "SPLITTING_NEW";
    case RegionState::kMergingNew:
      return "MERGING_NEW";
  }
  return "";
}

std::string_view LockTypeName(LockedResource::Type type) {
  switch (type) {
    case LockedResource::Type::kServer:
      return "SERVER";
    case LockedResource::Type::kNamespace:
      return "NAMESPACE";
    case LockedResource::Type::kTable:
      return "TABLE";
    case LockedResource::Type::kRegion:
      return "REGION";
    case LockedResource::Type::kPeer:
      return "PEER";
  }
  return "";
}

std::vector<LockedResource> LocksOf(const std::vector<Procedure>& procedures) {
  std::vector<LockedResource> locks;
  for (const Procedure& owner : procedures) {
    if (!owner.locked || owner.lock.empty()) continue;
    LockedResource& lock = locks.emplace_back();
    lock.name = owner.lock;
    lock.owner = owner.id;
    if (lock.name.ends_with(':')) {
      lock.type = LockedResource::Type::kNamespace;
      lock.name.pop_back();
    }
    for (const Procedure& other : procedures) {
      const bool waits = other.state == Procedure::State::kRunning && !other.locked && other.lock == owner.lock;
      if (waits) lock.waiting.push_back(other.id);
    }
  }
  return locks;
}

}  // namespace vaquita
