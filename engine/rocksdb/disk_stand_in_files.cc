#include "engine/rocksdb/disk_stand_in_files.h"

#include <cstring>
#include <utility>

#include "base/disk_stand_in.h"

namespace vaquita {
namespace {

using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;
using Call = DiskStandIn::Call;

IOStatus FaultAt(const std::string& path, int error) {
  return error == 0 ? IOStatus::OK() : IOStatus::IOError(path, std::strerror(error));
}

class TestedFile final : public rocksdb::FSWritableFileOwnerWrapper {
 public:
  TestedFile(std::unique_ptr<rocksdb::FSWritableFile>&& file, std::string path, DiskStandIn* disk)
      : FSWritableFileOwnerWrapper(std::move(file)), path_(std::move(path)), disk_(disk) {}

  IOStatus Append(const rocksdb::Slice& data, const IOOptions& options, IODebugContext* debug) override {
    IOStatus ordered = FaultAt(path_, disk_->Begin(Call::kWrite));
    if (!ordered.ok()) return ordered;
    const size_t stored = disk_->Stored(data.size());
    IOStatus status = FSWritableFileOwnerWrapper::Append({data.data(), stored}, options, debug);
    return status.ok() && stored < data.size() ? FaultAt(path_, EIO) : status;
  }
  IOStatus Append(const rocksdb::Slice& data, const IOOptions& options, const rocksdb::DataVerificationInfo&,
                  IODebugContext* debug) override {
    return Append(data, options, debug);  // the file below does not verify
  }
  IOStatus Sync(const IOOptions&, IODebugContext*) override {
    const int error = disk_->Begin(Call::kSync);
    return FaultAt(path_, error != 0 ? error : disk_->Sync(path_));
  }
  IOStatus Fsync(const IOOptions& options, IODebugContext* debug) override { return Sync(options, debug); }

 private:
  const std::string path_;
  DiskStandIn* const disk_;
};

class TestedReads final : public rocksdb::FSRandomAccessFileOwnerWrapper {
 public:
  TestedReads(std::unique_ptr<rocksdb::FSRandomAccessFile>&& file, std::string path, DiskStandIn* disk)
      : FSRandomAccessFileOwnerWrapper(std::move(file)), path_(std::move(path)), disk_(disk) {}

  IOStatus Read(uint64_t offset, size_t bytes, const IOOptions& options, rocksdb::Slice* result, char* scratch,
                IODebugContext* debug) const override {
    IOStatus ordered = FaultAt(path_, disk_->Begin(Call::kRead));
    return ordered.ok() ? FSRandomAccessFileOwnerWrapper::Read(offset, bytes, options, result, scratch, debug)
                        : ordered;
  }
  IOStatus MultiRead(rocksdb::FSReadRequest* reads, size_t count, const IOOptions& options,
                     IODebugContext* debug) override {
    IOStatus ordered = FaultAt(path_, disk_->Begin(Call::kRead));
    return ordered.ok() ? FSRandomAccessFileOwnerWrapper::MultiRead(reads, count, options, debug) : ordered;
  }

 private:
  const std::string path_;
  DiskStandIn* const disk_;
};

class TestedFolder final : public rocksdb::FSDirectoryWrapper {
 public:
  TestedFolder(std::unique_ptr<rocksdb::FSDirectory>&& folder, std::string path, DiskStandIn* disk)
      : FSDirectoryWrapper(std::move(folder)), path_(std::move(path)), disk_(disk) {}

  IOStatus Fsync(const IOOptions&, IODebugContext*) override {
    const int error = disk_->Begin(Call::kSync);
    return FaultAt(path_, error != 0 ? error : disk_->Sync(path_));
  }
  IOStatus FsyncWithDirOptions(const IOOptions& options, IODebugContext* debug,
                               const rocksdb::DirFsyncOptions&) override {
    return Fsync(options, debug);
  }

 private:
  const std::string path_;
  DiskStandIn* const disk_;
};

class StandInFileSystem final : public rocksdb::FileSystemWrapper {
 public:
  explicit StandInFileSystem(DiskStandIn* disk) : FileSystemWrapper(rocksdb::FileSystem::Default()), disk_(disk) {}
  const char* Name() const override { return "vaquita.StandInFileSystem"; }

  IOStatus NewRandomAccessFile(const std::string& path, const rocksdb::FileOptions& options,
                               std::unique_ptr<rocksdb::FSRandomAccessFile>* file, IODebugContext* debug) override {
    IOStatus status = FaultAt(path, disk_->Begin(Call::kRead));
    if (status.ok()) status = target()->NewRandomAccessFile(path, options, file, debug);
    if (status.ok()) *file = std::make_unique<TestedReads>(std::move(*file), path, disk_);
    return status;
  }
  IOStatus NewWritableFile(const std::string& path, const rocksdb::FileOptions& options,
                           std::unique_ptr<rocksdb::FSWritableFile>* file, IODebugContext* debug) override {
    IOStatus status = FaultAt(path, disk_->Begin(Call::kNames));
    if (status.ok()) status = target()->NewWritableFile(path, options, file, debug);
    if (status.ok()) *file = std::make_unique<TestedFile>(std::move(*file), path, disk_);
    return status;
  }
  IOStatus NewDirectory(const std::string& path, const IOOptions& options,
                        std::unique_ptr<rocksdb::FSDirectory>* folder, IODebugContext* debug) override {
    IOStatus status = target()->NewDirectory(path, options, folder, debug);
    if (status.ok()) *folder = std::make_unique<TestedFolder>(std::move(*folder), path, disk_);
    return status;
  }
  IOStatus RenameFile(const std::string& from, const std::string& to, const IOOptions& options,
                      IODebugContext* debug) override {
    IOStatus ordered = FaultAt(from, disk_->Begin(Call::kNames));
    return ordered.ok() ? target()->RenameFile(from, to, options, debug) : ordered;
  }
  IOStatus LinkFile(const std::string& from, const std::string& to, const IOOptions& options,
                    IODebugContext* debug) override {
    IOStatus ordered = FaultAt(from, disk_->Begin(Call::kNames));
    return ordered.ok() ? target()->LinkFile(from, to, options, debug) : ordered;
  }
  IOStatus DeleteFile(const std::string& path, const IOOptions& options, IODebugContext* debug) override {
    IOStatus ordered = FaultAt(path, disk_->Begin(Call::kNames));
    return ordered.ok() ? target()->DeleteFile(path, options, debug) : ordered;
  }

 private:
  DiskStandIn* const disk_;
};

}  // namespace

std::shared_ptr<rocksdb::FileSystem> NewDiskFileSystem(const std::string& folder) {
  DiskStandIn* const disk = DiskStandIn::Of(folder);
  return disk == nullptr ? rocksdb::FileSystem::Default() : std::make_shared<StandInFileSystem>(disk);
}

}  // namespace vaquita
