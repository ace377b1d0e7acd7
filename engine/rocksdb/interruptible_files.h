// engine/rocksdb/interruptible_files.h: a file system whose store files can be given up while a compaction writes them.
//
// RocksDB 7.8 ends a CompactFiles that runs only with the whole database. But it ends when its file does not take more,
// and if that says that a compaction was paused by hand, RocksDB takes it for no fault of the disk.
#pragma once

#include <memory>

#include "rocksdb/file_system.h"

namespace vaquita {

// For files that are made in a thread with a CompactionRun (engine/rocksdb/compaction_run.h): as soon as it is
// interrupted.
std::shared_ptr<rocksdb::FileSystem> NewInterruptibleFileSystem(std::shared_ptr<rocksdb::FileSystem> base);

}  // namespace vaquita
