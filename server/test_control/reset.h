// server/test_control/reset.h: removes the tables, snapshots and namespaces that a test made.
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

}  // namespace vaquita
