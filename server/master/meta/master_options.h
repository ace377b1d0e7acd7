// server/master/meta/master_options.h: what a master is opened with, and what can be switched off in it.
#pragma once

#include <string>

namespace vaquita {

class Clock;
struct Options;

struct MasterOptions {
  std::string path;  // the master's folder
  std::string server_name;
  const Options* options = nullptr;
  Clock* clock = nullptr;
  std::string snapshots_path;  // the cluster's snapshots
  // The cluster's data root, where handoffs are; empty: there is one region server, in this process.
  std::string root;
};

// What can be switched off, and stays so over a restart.
enum class MasterSwitch {
  kBalancer,
  kSplit,
  kMerge,
  kNormalizer,
  kCatalogJanitor,
  kCleaner,
  kSnapshotCleanup,
  kPeerModification
};

}  // namespace vaquita
