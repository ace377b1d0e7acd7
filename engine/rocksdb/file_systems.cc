#include "engine/rocksdb/file_systems.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace vaquita {
namespace {

using rocksdb::IOStatus;

class NoFoldersFileSystem final : public rocksdb::FileSystemWrapper {
 public:
  using FileSystemWrapper::FileSystemWrapper;
  const char* Name() const override { return "vaquita.NoFoldersFileSystem"; }

  IOStatus CreateDirIfMissing(const std::string& path, const rocksdb::IOOptions& options,
                              rocksdb::IODebugContext* debug) override {
    return target()->FileExists(path, options, debug);
  }
};

constexpr char kRefusal[] = "Vaquita keeps no OPTIONS files";

class NoOptionsFileSystem final : public rocksdb::FileSystemWrapper {
 public:
  using FileSystemWrapper::FileSystemWrapper;
  const char* Name() const override { return "vaquita.NoOptionsFileSystem"; }

  IOStatus NewWritableFile(const std::string& path, const rocksdb::FileOptions& options,
                           std::unique_ptr<rocksdb::FSWritableFile>* file, rocksdb::IODebugContext* debug) override {
    const std::string_view name = std::string_view(path).substr(path.rfind('/') + 1);
    if (name.starts_with("OPTIONS-")) return IOStatus::NotSupported(kRefusal);
    return target()->NewWritableFile(path, options, file, debug);
  }
};

class InterruptibleFile final : public rocksdb::FSWritableFileOwnerWrapper {
 public:
  InterruptibleFile(std::unique_ptr<rocksdb::FSWritableFile>&& file, const std::atomic<bool>* interrupted)
      : FSWritableFileOwnerWrapper(std::move(file)), interrupted_(*interrupted) {}

  IOStatus Append(const rocksdb::Slice& data, const rocksdb::IOOptions& options,
                  rocksdb::IODebugContext* debug) override {
    if (interrupted_) return Paused();
    return FSWritableFileOwnerWrapper::Append(data, options, debug);
  }
  IOStatus Append(const rocksdb::Slice& data, const rocksdb::IOOptions& options,
                  const rocksdb::DataVerificationInfo& info, rocksdb::IODebugContext* debug) override {
    if (interrupted_) return Paused();
    return FSWritableFileOwnerWrapper::Append(data, options, info, debug);
  }

 private:
  static IOStatus Paused() {
    return rocksdb::status_to_io_status(rocksdb::Status::Incomplete(rocksdb::Status::kManualCompactionPaused));
  }

  const std::atomic<bool>& interrupted_;
};

class InterruptibleFileSystem final : public rocksdb::FileSystemWrapper {
 public:
  InterruptibleFileSystem(const std::shared_ptr<rocksdb::FileSystem>& base,
                          std::shared_ptr<const CompactionRuns> compactions)
      : FileSystemWrapper(base), compactions_(std::move(compactions)) {}
  const char* Name() const override { return "vaquita.InterruptibleFileSystem"; }

  IOStatus NewWritableFile(const std::string& path, const rocksdb::FileOptions& options,
                           std::unique_ptr<rocksdb::FSWritableFile>* file, rocksdb::IODebugContext* debug) override {
    IOStatus status = target()->NewWritableFile(path, options, file, debug);
    if (!status.ok() || !path.ends_with(".sst")) return status;
    if (const std::optional<CompactionRun> run = compactions_->OfThisThread()) {
      *file = std::make_unique<InterruptibleFile>(std::move(*file), run->interrupted);
    }
    return status;
  }

 private:
  const std::shared_ptr<const CompactionRuns> compactions_;
};

class SparingFile final : public rocksdb::FSWritableFileOwnerWrapper {
 public:
  using FSWritableFileOwnerWrapper::FSWritableFileOwnerWrapper;

  void SetPreallocationBlockSize(size_t bytes) override {
    constexpr size_t kMost = size_t{1} << 20;
    FSWritableFileOwnerWrapper::SetPreallocationBlockSize(std::min(bytes, kMost));
  }
};

class SparingFileSystem final : public rocksdb::FileSystemWrapper {
 public:
  using FileSystemWrapper::FileSystemWrapper;
  const char* Name() const override { return "vaquita.SparingFileSystem"; }

  IOStatus NewWritableFile(const std::string& path, const rocksdb::FileOptions& options,
                           std::unique_ptr<rocksdb::FSWritableFile>* file, rocksdb::IODebugContext* debug) override {
    IOStatus status = target()->NewWritableFile(path, options, file, debug);
    if (status.ok()) *file = std::make_unique<SparingFile>(std::move(*file));
    return status;
  }
};

// RocksDB keeps the text of the system's error, not its number. ENFILE's text begins like EMFILE's.
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

std::shared_ptr<rocksdb::FileSystem> NewNoFoldersFileSystem(std::shared_ptr<rocksdb::FileSystem> base) {
  return std::make_shared<NoFoldersFileSystem>(std::move(base));
}

std::shared_ptr<rocksdb::FileSystem> NewNoOptionsFileSystem(std::shared_ptr<rocksdb::FileSystem> base) {
  return std::make_shared<NoOptionsFileSystem>(std::move(base));
}

bool IsRefusalOfOptionsFile(const char* log_message) { return std::strstr(log_message, kRefusal) != nullptr; }

std::shared_ptr<rocksdb::FileSystem> NewInterruptibleFileSystem(std::shared_ptr<rocksdb::FileSystem> base,
                                                                std::shared_ptr<const CompactionRuns> compactions) {
  return std::make_shared<InterruptibleFileSystem>(std::move(base), std::move(compactions));
}

std::shared_ptr<rocksdb::FileSystem> NewSparingFileSystem(std::shared_ptr<rocksdb::FileSystem> base) {
  return std::make_shared<SparingFileSystem>(std::move(base));
}

std::shared_ptr<rocksdb::FileSystem> NewPatientFileSystem(std::shared_ptr<rocksdb::FileSystem> base) {
  return std::make_shared<PatientFileSystem>(std::move(base));
}

}  // namespace vaquita
