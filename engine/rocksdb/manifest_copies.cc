#include "engine/rocksdb/manifest_copies.h"

#include <string>
#include <utility>

#include "base/log.h"

namespace vaquita {
namespace {

using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;

bool IsManifest(const std::string& path) {
  return std::string_view(path).substr(path.rfind('/') + 1).starts_with("MANIFEST-");
}

std::string CopyOf(const std::string& path) {
  return std::string(path).insert(path.rfind('/') + 1, kManifestCopyPrefix.data(), kManifestCopyPrefix.size());
}

class CopiedFile final : public rocksdb::FSWritableFileOwnerWrapper {
 public:
  CopiedFile(std::unique_ptr<rocksdb::FSWritableFile>&& file, std::unique_ptr<rocksdb::FSWritableFile> copy,
             std::shared_ptr<rocksdb::FileSystem> files, std::string copy_path)
      : FSWritableFileOwnerWrapper(std::move(file)),
        copy_(std::move(copy)),
        files_(std::move(files)),
        copy_path_(std::move(copy_path)) {}

  IOStatus Append(const rocksdb::Slice& data, const IOOptions& options, IODebugContext* debug) override {
    Copy(data, options);
    return FSWritableFileOwnerWrapper::Append(data, options, debug);
  }
  IOStatus Append(const rocksdb::Slice& data, const IOOptions& options,
                  const rocksdb::DataVerificationInfo& verification, IODebugContext* debug) override {
    Copy(data, options);
    return FSWritableFileOwnerWrapper::Append(data, options, verification, debug);
  }
  IOStatus Flush(const IOOptions& options, IODebugContext* debug) override {
    if (copy_ != nullptr) Check(copy_->Flush(options, nullptr));
    return FSWritableFileOwnerWrapper::Flush(options, debug);
  }
  IOStatus Close(const IOOptions& options, IODebugContext* debug) override {
    if (copy_ != nullptr) Check(copy_->Close(options, nullptr));
    copy_.reset();
    return FSWritableFileOwnerWrapper::Close(options, debug);
  }

 private:
  void Copy(const rocksdb::Slice& data, const IOOptions& options) {
    if (copy_ != nullptr) Check(copy_->Append(data, options, nullptr));
  }
  // A copy with a part missing would be of no use.
  void Check(const IOStatus& written) {
    if (written.ok()) return;
    spdlog::warn("{} cannot be written, and is removed: {}", copy_path_, written.ToString());
    copy_.reset();
    files_->DeleteFile(copy_path_, IOOptions(), nullptr).PermitUncheckedError();
  }

  std::unique_ptr<rocksdb::FSWritableFile> copy_;  // null: closed or removed
  const std::shared_ptr<rocksdb::FileSystem> files_;
  const std::string copy_path_;
};

class ManifestCopyingFileSystem final : public rocksdb::FileSystemWrapper {
 public:
  using FileSystemWrapper::FileSystemWrapper;
  const char* Name() const override { return "vaquita.ManifestCopyingFileSystem"; }

  IOStatus NewWritableFile(const std::string& path, const rocksdb::FileOptions& options,
                           std::unique_ptr<rocksdb::FSWritableFile>* file, IODebugContext* debug) override {
    IOStatus status = target()->NewWritableFile(path, options, file, debug);
    if (!status.ok() || !IsManifest(path)) return status;
    std::string copy_path = CopyOf(path);
    std::unique_ptr<rocksdb::FSWritableFile> copy;
    const IOStatus copied = target()->NewWritableFile(copy_path, options, &copy, nullptr);
    if (!copied.ok()) {
      spdlog::warn("{} cannot be made: {}", copy_path, copied.ToString());
      return status;
    }
    *file = std::make_unique<CopiedFile>(std::move(*file), std::move(copy), target_, std::move(copy_path));
    return status;
  }

  IOStatus DeleteFile(const std::string& path, const IOOptions& options, IODebugContext* debug) override {
    if (IsManifest(path)) target()->DeleteFile(CopyOf(path), options, nullptr).PermitUncheckedError();
    return target()->DeleteFile(path, options, debug);
  }
};

}  // namespace

std::shared_ptr<rocksdb::FileSystem> NewManifestCopyingFileSystem(const std::shared_ptr<rocksdb::FileSystem>& base) {
  return std::make_shared<ManifestCopyingFileSystem>(base);
}

}  // namespace vaquita
