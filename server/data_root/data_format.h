// server/data_root/data_format.h: the format number of a data folder (docs/formats.md), by which a server refuses a
// folder of another format.
#pragma once

#include <string>

#include "absl/status/status.h"

namespace vaquita {

inline constexpr int kDataFormat = 4;

// Returns whether the folder has a part of a server's data.
bool IsDataFolder(const std::string& folder);

// The folder inside a data folder in which `vaquita restore` makes the data. It goes when all are in their place.
inline constexpr char kRestoringFolder[] = "/restoring";

// Returns FailedPrecondition if a restoration of a backup into the folder did not end: it has a part of the tables;
// InvalidArgument if that cannot be known, for example because the folder is another user's.
absl::Status CheckRestored(const std::string& folder);

// Returns InvalidArgument, naming some of the files, if the folder is neither a data folder nor empty: a server must
// not write among somebody else's files. A folder that does not exist is empty. CheckRestored's error comes first.
// Writes nothing.
absl::Status CheckNotForeign(const std::string& folder);

// Reads <folder>/FORMAT, or writes it if it is missing. A folder of an earlier format becomes one of this format
// here, before anything of it is in the new form, so that older releases refuse it from then on. What is still in the
// old form is converted when its database is opened. Returns FailedPrecondition, naming both numbers, if the
// folder has another format, or as CheckRestored does. REQUIRES: the folder's lock.
absl::Status CheckDataFormat(const std::string& folder);

}  // namespace vaquita
