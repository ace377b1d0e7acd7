#include "engine/rocksdb/manifest_guard.h"

#include <atomic>
#include <string>
#include <string_view>
#include <utility>

namespace vaquita {
namespace {

using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;

std::string_view LastName(std::string_view path) { return path.substr(path.rfind('/') + 1); }

// Notes that a write failed.
class GuardedManifest final : public rocksdb::FSWritableFileOwnerWrapper {
 public:
  GuardedManifest(std::unique_ptr<rocksdb::FSWritableFile>&& file, std::shared_ptr<std::atomic<bool>> in_doubt)
      : FSWritableFileOwnerWrapper(std::move(file)), in_doubt_(std::move(in_doubt)) {}

  IOStatus Append(const rocksdb::Slice& data, const IOOptions& options, IODebugContext* debug) override {
    return Noted(FSWritableFileOwnerWrapper::Append(data, options, debug));
  }
  IOStatus Append(const rocksdb::Slice& data, const IOOptions& options,
                  const rocksdb::DataVerificationInfo& verification, IODebugContext* debug) override {
    return Noted(FSWritableFileOwnerWrapper::Append(data, options, verification, debug));
  }
  IOStatus Flush(const IOOptions& options, IODebugContext* debug) override {
    return Noted(FSWritableFileOwnerWrapper::Flush(options, debug));
  }
  IOStatus Sync(const IOOptions& options, IODebugContext* debug) override {
    return Noted(FSWritableFileOwnerWrapper::Sync(options, debug));
  }
  IOStatus Fsync(const IOOptions& options, IODebugContext* debug) override {
    return Noted(FSWritableFileOwnerWrapper::Fsync(options, debug));
  }

 private:
  IOStatus Noted(IOStatus status) {
    if (!status.ok()) *in_doubt_ = true;
    return status;
  }

  const std::shared_ptr<std::atomic<bool>> in_doubt_;
};

// Notes whether the sync of CURRENT's new name succeeded.
class GuardedFolder final : public rocksdb::FSDirectoryWrapper {
 public:
  GuardedFolder(std::unique_ptr<rocksdb::FSDirectory>&& folder, std::shared_ptr<std::atomic<bool>> in_doubt)
      : FSDirectoryWrapper(std::move(folder)), in_doubt_(std::move(in_doubt)) {}

  IOStatus FsyncWithDirOptions(const IOOptions& options, IODebugContext* debug,
                               const rocksdb::DirFsyncOptions& reason) override {
    IOStatus status = FSDirectoryWrapper::FsyncWithDirOptions(options, debug, reason);
    if (reason.reason == rocksdb::DirFsyncOptions::kFileRenamed && LastName(reason.renamed_new_name) == "CURRENT") {
      *in_doubt_ = !status.ok();
    }
    return status;
  }

 private:
  const std::shared_ptr<std::atomic<bool>> in_doubt_;
};

class ManifestGuardingFileSystem final : public rocksdb::FileSystemWrapper {
 public:
  using FileSystemWrapper::FileSystemWrapper;
  const char* Name() const override { return "vaquita.ManifestGuardingFileSystem"; }

  IOStatus NewWritableFile(const std::string& path, const rocksdb::FileOptions& options,
                           std::unique_ptr<rocksdb::FSWritableFile>* file, IODebugContext* debug) override {
    IOStatus status = target()->NewWritableFile(path, options, file, debug);
    if (!status.ok() || !LastName(path).starts_with("MANIFEST-")) return status;
    *file = std::make_unique<GuardedManifest>(std::move(*file), in_doubt_);
    return status;
  }

  IOStatus NewDirectory(const std::string& path, const IOOptions& options,
                        std::unique_ptr<rocksdb::FSDirectory>* folder, IODebugContext* debug) override {
    IOStatus status = target()->NewDirectory(path, options, folder, debug);
    if (status.ok()) *folder = std::make_unique<GuardedFolder>(std::move(*folder), in_doubt_);
    return status;
  }

  IOStatus RenameFile(const std::string& from, const std::string& to, const IOOptions& options,
                      IODebugContext* debug) override {
    IOStatus status = target()->RenameFile(from, to, options, debug);
    if (!status.ok() && LastName(to) == "CURRENT") *in_doubt_ = true;
    return status;
  }

  IOStatus DeleteFile(const std::string& path, const IOOptions& options, IODebugContext* debug) override {
    if (LastName(path).starts_with("MANIFEST-") && MayBeCurrent(path)) {
      return IOStatus::IOError(path, "it stays, because CURRENT may name it");
    }
    if (LastName(path).ends_with(".sst") && *in_doubt_) {
      return IOStatus::IOError(path, "it stays, because a MANIFEST may name it that could not be written");
    }
    return target()->DeleteFile(path, options, debug);
  }

 private:
  bool MayBeCurrent(const std::string& path) {
    const std::string_view name = LastName(path);
    const std::string current = path.substr(0, path.size() - name.size()) + "CURRENT";
    if (target()->FileExists(current, IOOptions(), nullptr).IsNotFound()) return false;
    std::string named;
    const IOStatus read = rocksdb::ReadFileToString(target(), current, &named);
    return !read.ok() || named == std::string(name) + "\n";
  }

  // A write of a MANIFEST or of CURRENT failed, and CURRENT does not yet name a newer one for good. Files and folders
  // may outlive the file system.
  const std::shared_ptr<std::atomic<bool>> in_doubt_ = std::make_shared<std::atomic<bool>>(false);
};

}  // namespace

std::shared_ptr<rocksdb::FileSystem> NewManifestGuardingFileSystem(const std::shared_ptr<rocksdb::FileSystem>& base) {
  return std::make_shared<ManifestGuardingFileSystem>(base);
}

}  // namespace vaquita
