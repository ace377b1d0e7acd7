// server/data_root/data_format.h: the format number of a data folder (docs/formats.md), by which a server refuses a
// folder of another format.
#pragma once

#include <string>

#include "absl/status/status.h"

namespace vaquita {

inline constexpr int kDataFormat = 1;

// Reads <folder>/FORMAT, or writes it if it is missing. Returns FailedPrecondition, naming both numbers, if the folder
// has another format. REQUIRES: the folder's lock.
absl::Status CheckDataFormat(const std::string& folder);

}  // namespace vaquita
