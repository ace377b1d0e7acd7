// server/data_root/data_format.h: which format a data folder is in (docs/formats.md), so that no server misreads
// another version's bytes.
#pragma once

#include <string>

#include "absl/status/status.h"

namespace vaquita {

inline constexpr int kDataFormat = 1;

// Reads <folder>/FORMAT, or writes it if it is missing. FailedPrecondition, naming both numbers, for a folder of
// another format. REQUIRES: the folder's lock.
absl::Status CheckDataFormat(const std::string& folder);

}  // namespace vaquita
