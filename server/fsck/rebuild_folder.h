// server/fsck/rebuild_folder.h: rebuilds the database of a server's folder from its store files and logs, when nobody
// knows any more which files make which store.
//
// A cell goes to the region that wrote it, if that still lives here; else to the region of its table that has its row
// here, as after a split or a merge; else it stays with the region that wrote it, whose data then are an orphan's.
// Cells that were deleted, or replaced by a compaction, and still in a file, come back: only with the operator's word.
// Threads: one.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "base/clock.h"
#include "base/options.h"
#include "engine/store_db.h"
#include "server/fsck/picture.h"

namespace vaquita::fsck {

struct RebuildOptions {
  std::string root;
  std::string place;  // the folder, below the root
  std::string keep;   // a new folder, which gets the database as it was
  const Options* options = nullptr;
  Clock* clock = nullptr;
};

// Returns what was done, in words with numbers. REQUIRES: nobody has the folder open. A crash leaves the folder as it
// was, or its files in `keep`.
absl::StatusOr<std::string> RebuildFolder(const RebuildOptions& options, const Picture& picture);

// The spec of a store as far as the picture knows its region and its table; what is not known loses nothing.
StoreSpec SpecOf(std::string_view store, const Picture& picture);

}  // namespace vaquita::fsck
