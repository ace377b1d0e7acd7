// engine/rocksdb/no_options_file_system.h: a file system that refuses RocksDB's OPTIONS files.
//
// RocksDB writes every option of every column family to a new file, and parses it again, whenever a column family comes
// or goes: 150 ms for one of 800. It has no switch against that, but goes on when the file cannot be made. Vaquita
// needs no such file: a store's options follow from its table's descriptor.
#pragma once

#include <memory>

#include "rocksdb/file_system.h"

namespace vaquita {

std::shared_ptr<rocksdb::FileSystem> NewNoOptionsFileSystem(std::shared_ptr<rocksdb::FileSystem> base);

// What RocksDB logs about it, each time.
bool IsRefusalOfOptionsFile(const char* log_message);

}  // namespace vaquita
