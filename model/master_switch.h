// model/master_switch.h: the functions of a master that can be switched off.
#pragma once

namespace vaquita {

// A function that is switched off stays so over a restart.
enum class MasterSwitch {
  kSplit,
  kMerge,
  kBalancer,
  kNormalizer,
  kCatalogJanitor,
  kCleaner,
  kSnapshotCleanup,
  kPeerModification
};

}  // namespace vaquita
