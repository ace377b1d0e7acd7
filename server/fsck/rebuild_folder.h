// server/fsck/rebuild_folder.h: rebuilds the database of a server's folder from its store files and logs, after both
// MANIFEST and copy are lost, which say which files make which store.
//
// A cell goes to the region that wrote it, if this folder is still its home. Otherwise, as after a split or a merge, it
// goes to the region of its table here that contains its row. If there is none, it stays with the region that wrote it,
// as orphaned data. Cells that were deleted or compacted away but are still in a file appear again, so the operator has
// to accept data loss. Threads: one.
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
  std::string keep;   // a path where nothing is, which gets the database as it was
  const Options* options = nullptr;
  Clock* clock = nullptr;
};

// Returns a sentence with numbers about the work. REQUIRES: nobody has the folder open. After a crash the folder is as
// it was, or the new database is in its place and the old one in `keep`.
absl::StatusOr<std::string> RebuildFolder(const RebuildOptions& options, const Picture& picture);

// Returns the spec of a store. If the picture does not know its region or its table, the spec keeps every cell.
StoreSpec SpecOf(std::string_view store, const Picture& picture);

}  // namespace vaquita::fsck
