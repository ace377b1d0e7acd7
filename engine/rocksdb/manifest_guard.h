// engine/rocksdb/manifest_guard.h: keeps files that the MANIFEST on the disk may name.
//
// After an error of the disk RocksDB (7.8) deletes files too early, and the next start would miss them:
// - It takes a new MANIFEST for the current one if it could not write the state of all stores to it, and deletes the
//   one that CURRENT names.
// - If the sync of a MANIFEST fails, it deletes the new files of the edit, which may be in the MANIFEST all the same.
//   So it does if CURRENT names a new MANIFEST, and the sync of that name fails.
// Such deletions fail here: of the MANIFEST that CURRENT names, and of store files from the first failed write of a
// MANIFEST or of CURRENT until CURRENT names a new one for good. The next open of the database deletes what is not
// needed. Threads: as RocksDB's file systems.
#pragma once

#include <memory>

#include "rocksdb/file_system.h"

namespace vaquita {

std::shared_ptr<rocksdb::FileSystem> NewManifestGuardingFileSystem(const std::shared_ptr<rocksdb::FileSystem>& base);

}  // namespace vaquita
