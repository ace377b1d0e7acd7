// server/data_root/data_format.h: the format number of a data folder (docs/formats.md), by which a server refuses a
// folder of another format.
#pragma once

#include <string>

#include "absl/status/status.h"

namespace vaquita {

inline constexpr int kDataFormat = 2;

// Reads <folder>/FORMAT, or writes it if it is missing. A folder of format 1 becomes one of format 2 here, before
// anything of it is in the new form, so that releases that know format 1 alone refuse it from then on; the engine
// converts what is still in the old form whenever it opens hbase:meta. Returns FailedPrecondition, naming both numbers, if the folder
// has another format. REQUIRES: the folder's lock.
absl::Status CheckDataFormat(const std::string& folder);

}  // namespace vaquita
