// engine/rocksdb/patient_file_system.h: the machine's file system, where too many open files are an error that passes.
//
// RocksDB tries again by itself, once a second, what failed with an error that says so (IOStatus::SetRetryable), as it
// does after a full disk. Any other error of a flush or of the log ends its writes for ever.
#pragma once

#include <memory>

#include "rocksdb/file_system.h"

namespace vaquita {

std::shared_ptr<rocksdb::FileSystem> NewPatientFileSystem();

}  // namespace vaquita
