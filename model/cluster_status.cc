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

}  // namespace vaquita
