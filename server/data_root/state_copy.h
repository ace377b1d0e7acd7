// server/data_root/state_copy.h: copies a server's whole state to another folder, mostly by hard links.
//
// Store files never change, so they are linked. Other files (logs, manifests, notes) are copied, because the server
// writes to them. Nobody may have the state open meanwhile. Threads: one for each folder.
#pragma once

#include <string>

#include "absl/status/status.h"

namespace vaquita {

// The folder of saved states inside a data folder. A copy of the state leaves it out.
inline constexpr char kSavedStates[] = "saved";

// Makes `to` a copy of the state in `from`. `to` may be there, without a state. Errors name the file.
absl::Status CopyState(const std::string& from, const std::string& to);

// Replaces the state in `folder` by a copy of the one in `from`; the lock and the saved states stay. If the copy cannot
// be made, the state in `folder` is as before.
absl::Status ReplaceState(const std::string& from, const std::string& folder);

}  // namespace vaquita
