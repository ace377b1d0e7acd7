// engine/rocksdb/disk_stand_in_files.h: RocksDB's files on what stands in for the disk (base/disk_stand_in.h).
#pragma once

#include <memory>
#include <string>

#include "rocksdb/file_system.h"

namespace vaquita {

// Returns the machine's file system. If a stand-in is installed that holds `folder`, the files go through it.
std::shared_ptr<rocksdb::FileSystem> NewDiskFileSystem(const std::string& folder);

}  // namespace vaquita
