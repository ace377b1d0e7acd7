// server/data_root/state_copy.h: a server's whole state in another folder, by hard links.
//
// Store files never change, so they are linked; the rest (logs, manifests, notes) is copied, since the server goes on
// writing to it. Nothing may have the state open meanwhile. Threads: one a folder.
#pragma once

#include <string>

#include "absl/status/status.h"

namespace vaquita {

// A data folder has this, and it is no part of the state.
inline constexpr char kSavedStates[] = "saved";

// Makes `to` a copy of the state in `from`. `to` may be there, without a state. Errors name the file.
absl::Status CopyState(const std::string& from, const std::string& to);

// Removes the state from a folder; its lock and the saved states stay.
absl::Status RemoveState(const std::string& folder);

}  // namespace vaquita
