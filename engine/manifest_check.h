// engine/manifest_check.h: checks CURRENT and the MANIFEST, which say which files make which store, and repairs them.
//
// The MANIFEST has a copy (rocksdb/manifest_copies.h); CURRENT contains only its name. Threads: any. REQUIRES: nobody
// has the database open.
#pragma once

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/append_marks.h"

namespace vaquita {

struct ManifestCheck {
  std::string damage;      // the fault in words; empty: nothing is wrong
  bool mendable = false;   // without any loss
  uint64_t manifest = 0;   // the number of the MANIFEST that CURRENT names, or should name
  bool from_copy = false;  // its bytes are in its copy
};

// Returns whether the folder has any file of a database.
bool HasDatabase(const std::string& database);

// Checks a folder that has a database. Returns an error if the folder cannot be read.
absl::StatusOr<ManifestCheck> CheckManifest(const std::string& database, const FoundMarks& marks);

// DataLoss, with what is damaged, unless all is well.
absl::Status ManifestError(const std::string& database, const ManifestCheck& check);

// Mends it, and removes copies that have no MANIFEST. A damaged MANIFEST is kept in damage/. REQUIRES: it is mendable.
absl::Status MendManifest(const std::string& database, const ManifestCheck& check);

}  // namespace vaquita
