// server/master/meta/master_options.h: what a master is opened with, and what can be switched off in it.
#pragma once

#include <string>

namespace vaquita {

class Clock;
struct Options;

struct MasterOptions {
  std::string server_name;
  const Options* options = nullptr;
  Clock* clock = nullptr;
  std::string root;  // the cluster's data root: the master's own database, handoffs, snapshots
  // The name of the region server in this process, which goes on with the folder of one that has ended (own_server.h).
  // Empty: there is none.
  std::string own_server;
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
