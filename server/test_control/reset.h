// server/test_control/reset.h: removes what a test made in a cluster.
//
// Threads: any.
#pragma once

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace vaquita {

class Master;

// Drops the user tables of a namespace (empty: of all) in any state, and waits for it. Returns their number.
absl::StatusOr<int> DropTables(Master* master, const std::string& ns);

// Drops all snapshots, and all namespaces but HBase's own.
absl::Status DropSnapshotsAndNamespaces(Master* master);

// Drops what was set for users, namespaces and other clusters: quotas, granted rights, properties of HBase's own
// namespaces, replication peers. MasterSwitch::kPeerModification may be on then.
absl::Status DropSettings(Master* master);

}  // namespace vaquita
