#include "engine/rocksdb/interruptible_files.h"

#include <atomic>
#include <string>
#include <utility>

#include "engine/rocksdb/compaction_run.h"

namespace vaquita {
namespace {

class InterruptibleFile final : public rocksdb::FSWritableFileOwnerWrapper {
 public:
  InterruptibleFile(std::unique_ptr<rocksdb::FSWritableFile>&& file, const std::atomic<bool>* interrupted)
      : FSWritableFileOwnerWrapper(std::move(file)), interrupted_(*interrupted) {}

  rocksdb::IOStatus Append(const rocksdb::Slice& data, const rocksdb::IOOptions& options,
                           rocksdb::IODebugContext* debug) override {
    if (interrupted_) return Paused();
    return FSWritableFileOwnerWrapper::Append(data, options, debug);
  }
  rocksdb::IOStatus Append(const rocksdb::Slice& data, const rocksdb::IOOptions& options,
                           const rocksdb::DataVerificationInfo& info, rocksdb::IODebugContext* debug) override {
    if (interrupted_) return Paused();
    return FSWritableFileOwnerWrapper::Append(data, options, info, debug);
  }

 private:
  static rocksdb::IOStatus Paused() {
    return rocksdb::status_to_io_status(rocksdb::Status::Incomplete(rocksdb::Status::kManualCompactionPaused));
  }

  const std::atomic<bool>& interrupted_;
};

class InterruptibleFileSystem final : public rocksdb::FileSystemWrapper {
 public:
  using FileSystemWrapper::FileSystemWrapper;
  const char* Name() const override { return "vaquita.InterruptibleFileSystem"; }

  rocksdb::IOStatus NewWritableFile(const std::string& path, const rocksdb::FileOptions& options,
                                    std::unique_ptr<rocksdb::FSWritableFile>* file,
                                    rocksdb::IODebugContext* debug) override {
    rocksdb::IOStatus status = target()->NewWritableFile(path, options, file, debug);
    const CompactionRun* const run = CompactionRun::Current();
    if (status.ok() && run != nullptr && path.ends_with(".sst")) {
      *file = std::make_unique<InterruptibleFile>(std::move(*file), run->interrupted());
    }
    return status;
  }
};

}  // namespace

std::shared_ptr<rocksdb::FileSystem> NewInterruptibleFileSystem(std::shared_ptr<rocksdb::FileSystem> base) {
  return std::make_shared<InterruptibleFileSystem>(std::move(base));
}

}  // namespace vaquita
