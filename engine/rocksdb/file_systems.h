// engine/rocksdb/file_systems.h: file systems that change how RocksDB uses its files.
//
// Each is a layer over the file system `base`. RocksDB has no options for these changes.
#pragma once

#include <memory>

#include "engine/rocksdb/compaction_runs.h"
#include "rocksdb/file_system.h"

namespace vaquita {

// Creates no folders. RocksDB creates its folder, if it is missing, with every column family. But a folder may have
// been renamed on purpose, to take it away from a process that may only be asleep (server_folder.h), and must not come
// back under its old name. The opener of a database creates its folder.
std::shared_ptr<rocksdb::FileSystem> NewNoFoldersFileSystem(std::shared_ptr<rocksdb::FileSystem> base);

// Refuses OPTIONS files. RocksDB writes every option of every column family to a new file, and parses it again,
// whenever a column family comes or goes: 150 ms for one of 800. It goes on if the file cannot be created. Vaquita does
// not need the file: a store's options follow from its table's descriptor.
std::shared_ptr<rocksdb::FileSystem> NewNoOptionsFileSystem(std::shared_ptr<rocksdb::FileSystem> base);
// Returns whether RocksDB's log message is about a refused OPTIONS file.
bool IsRefusalOfOptionsFile(const char* log_message);

// Refuses writes to store files once their thread's compaction is interrupted. RocksDB 7.8 can end a running
// CompactFiles only with the whole database. But it ends one whose file refuses a write, and if the error says that a
// compaction was paused by hand, RocksDB does not count it as a fault of the disk.
std::shared_ptr<rocksdb::FileSystem> NewInterruptibleFileSystem(std::shared_ptr<rocksdb::FileSystem> base,
                                                                std::shared_ptr<const CompactionRuns> compactions);

// Preallocates logs and other files by 1 MiB at most. RocksDB preallocates as much of a log as a memstore can hold, 70
// MB and more, which an empty server would take from the disk, too. A call for each MiB costs nothing beside writing
// it.
std::shared_ptr<rocksdb::FileSystem> NewSparingFileSystem(std::shared_ptr<rocksdb::FileSystem> base);

// Marks "too many open files" as a temporary error. RocksDB repeats an operation once a second if its error is marked
// as temporary (IOStatus::SetRetryable), as after a full disk. Any other error of a flush or of the log ends its writes
// for ever.
std::shared_ptr<rocksdb::FileSystem> NewPatientFileSystem(std::shared_ptr<rocksdb::FileSystem> base);

}  // namespace vaquita
