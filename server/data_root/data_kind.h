// server/data_root/data_kind.h: whether a data folder is a standalone server's or a cluster's, which keep regions in
// different places: neither may open the other's, and find it empty.
//
// Threads: any. REQUIRES: the folder's lock.
#pragma once

#include <string>

#include "absl/status/status.h"

namespace vaquita {

// FailedPrecondition, in one line, if region servers of a cluster have left anything in it.
absl::Status CheckIsStandalones(const std::string& folder);
// The same for a standalone server's.
absl::Status CheckIsClusters(const std::string& folder);

}  // namespace vaquita
