// engine/rocksdb/no_folders_file_system.h: a file system that makes no folders for RocksDB.
//
// RocksDB makes sure of its folder whenever it makes a column family. One that was renamed while the database is open,
// to take it away from a process that may only be asleep, would be there again under its old name (server_folder.h).
// Whoever opens a database makes its folder.
#pragma once

#include <memory>

#include "rocksdb/file_system.h"

namespace vaquita {

std::shared_ptr<rocksdb::FileSystem> NewNoFoldersFileSystem(std::shared_ptr<rocksdb::FileSystem> base);

}  // namespace vaquita
