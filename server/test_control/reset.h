// server/test_control/reset.h: a server without anything that a test made.
//
// Threads: any.
#pragma once

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace vaquita {

class Master;

// Drops the user tables of a namespace (empty: of all), whatever state they are in; returns how many. Waits.
absl::StatusOr<int> DropTables(Master* master, const std::string& ns);

// Drops all snapshots, and all namespaces but HBase's own.
absl::Status DropSnapshotsAndNamespaces(Master* master);

}  // namespace vaquita
