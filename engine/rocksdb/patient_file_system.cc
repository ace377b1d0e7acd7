#include "engine/rocksdb/patient_file_system.h"

#include <cerrno>
#include <cstring>
#include <string>

namespace vaquita {
namespace {

using rocksdb::IOStatus;

// RocksDB keeps of the system's error number no more than its text, which ENFILE's begins with, too.
IOStatus Marked(IOStatus status) {
  if (status.IsIOError() && status.ToString().find(std::strerror(EMFILE)) != std::string::npos) {
    status.SetRetryable(true);
  }
  return status;
}

class PatientFileSystem final : public rocksdb::FileSystemWrapper {
 public:
  using FileSystemWrapper::FileSystemWrapper;
  const char* Name() const override { return "vaquita.PatientFileSystem"; }

  IOStatus NewSequentialFile(const std::string& path, const rocksdb::FileOptions& options,
                             std::unique_ptr<rocksdb::FSSequentialFile>* file,
                             rocksdb::IODebugContext* debug) override {
    return Marked(target()->NewSequentialFile(path, options, file, debug));
  }
  IOStatus NewRandomAccessFile(const std::string& path, const rocksdb::FileOptions& options,
                               std::unique_ptr<rocksdb::FSRandomAccessFile>* file,
                               rocksdb::IODebugContext* debug) override {
    return Marked(target()->NewRandomAccessFile(path, options, file, debug));
  }
  IOStatus NewWritableFile(const std::string& path, const rocksdb::FileOptions& options,
                           std::unique_ptr<rocksdb::FSWritableFile>* file, rocksdb::IODebugContext* debug) override {
    return Marked(target()->NewWritableFile(path, options, file, debug));
  }
  IOStatus ReopenWritableFile(const std::string& path, const rocksdb::FileOptions& options,
                              std::unique_ptr<rocksdb::FSWritableFile>* file, rocksdb::IODebugContext* debug) override {
    return Marked(target()->ReopenWritableFile(path, options, file, debug));
  }
  IOStatus NewRandomRWFile(const std::string& path, const rocksdb::FileOptions& options,
                           std::unique_ptr<rocksdb::FSRandomRWFile>* file, rocksdb::IODebugContext* debug) override {
    return Marked(target()->NewRandomRWFile(path, options, file, debug));
  }
  IOStatus ReuseWritableFile(const std::string& path, const std::string& old_path, const rocksdb::FileOptions& options,
                             std::unique_ptr<rocksdb::FSWritableFile>* file, rocksdb::IODebugContext* debug) override {
    return Marked(target()->ReuseWritableFile(path, old_path, options, file, debug));
  }
  IOStatus NewDirectory(const std::string& path, const rocksdb::IOOptions& options,
                        std::unique_ptr<rocksdb::FSDirectory>* folder, rocksdb::IODebugContext* debug) override {
    return Marked(target()->NewDirectory(path, options, folder, debug));
  }
};

}  // namespace

std::shared_ptr<rocksdb::FileSystem> NewPatientFileSystem() {
  return std::make_shared<PatientFileSystem>(rocksdb::FileSystem::Default());
}

}  // namespace vaquita
