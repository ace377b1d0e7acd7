// engine/rocksdb/manifest_copies.h: a second file with the bytes of a database's MANIFEST.
//
// The MANIFEST alone says which files make which store. Files do not know: a split, a merge and a snapshot link those
// of other stores. So what is written to a MANIFEST is also written to its copy, which manifest_check.h puts in its
// place if it is lost or damaged. The copy is not synced: after a power cut it may end early, which shows. A copy that
// cannot be written is removed, with a warning. Threads: as RocksDB's file systems.
#pragma once

#include <memory>
#include <string_view>

#include "rocksdb/file_system.h"

namespace vaquita {

// The copy of "MANIFEST-000012" is "COPY-OF-MANIFEST-000012", in the same folder.
inline constexpr std::string_view kManifestCopyPrefix = "COPY-OF-";

std::shared_ptr<rocksdb::FileSystem> NewManifestCopyingFileSystem(const std::shared_ptr<rocksdb::FileSystem>& base);

}  // namespace vaquita
