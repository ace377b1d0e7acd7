#include "engine/manifest_sync.h"

#include <string>
#include <string_view>
#include <utility>

namespace vaquita {

class ManifestSyncs::Manifest final : public rocksdb::FSWritableFileOwnerWrapper {
 public:
  Manifest(std::unique_ptr<rocksdb::FSWritableFile>&& file, ManifestSyncs* syncs)
      : FSWritableFileOwnerWrapper(std::move(file)), syncs_(syncs) {}
  ~Manifest() override { Forget().PermitUncheckedError(); }

  rocksdb::IOStatus Sync(const rocksdb::IOOptions& options, rocksdb::IODebugContext* debug) override {
    {
      std::lock_guard lock(syncs_->mutex_);
      if (syncs_->holds_ > 0) {
        syncs_->waiting_ = this;
        return rocksdb::IOStatus::OK();
      }
    }
    return FSWritableFileOwnerWrapper::Sync(options, debug);
  }
  rocksdb::IOStatus SyncNow() { return FSWritableFileOwnerWrapper::Sync(rocksdb::IOOptions(), nullptr); }

  rocksdb::IOStatus Close(const rocksdb::IOOptions& options, rocksdb::IODebugContext* debug) override {
    rocksdb::IOStatus status = Forget();
    rocksdb::IOStatus closed = FSWritableFileOwnerWrapper::Close(options, debug);
    return status.ok() ? closed : status;
  }

 private:
  // A sync that waits is done before the file goes.
  rocksdb::IOStatus Forget() {
    std::lock_guard lock(syncs_->mutex_);
    if (syncs_->waiting_ != this) return rocksdb::IOStatus::OK();
    syncs_->waiting_ = nullptr;
    return SyncNow();
  }

  ManifestSyncs* const syncs_;
};

class ManifestSyncs::SyncFileSystem final : public rocksdb::FileSystemWrapper {
 public:
  SyncFileSystem(std::shared_ptr<rocksdb::FileSystem> base, ManifestSyncs* syncs)
      : FileSystemWrapper(std::move(base)), syncs_(syncs) {}
  const char* Name() const override { return "vaquita.ManifestSyncs"; }

  rocksdb::IOStatus NewWritableFile(const std::string& path, const rocksdb::FileOptions& options,
                                    std::unique_ptr<rocksdb::FSWritableFile>* file,
                                    rocksdb::IODebugContext* debug) override {
    rocksdb::IOStatus status = target()->NewWritableFile(path, options, file, debug);
    const std::string_view name = std::string_view(path).substr(path.rfind('/') + 1);
    if (status.ok() && name.starts_with("MANIFEST-")) *file = std::make_unique<Manifest>(std::move(*file), syncs_);
    return status;
  }

 private:
  ManifestSyncs* const syncs_;
};

std::shared_ptr<rocksdb::FileSystem> ManifestSyncs::Wrap(std::shared_ptr<rocksdb::FileSystem> base) {
  return std::make_shared<SyncFileSystem>(std::move(base), this);
}

void ManifestSyncs::Hold() {
  std::lock_guard lock(mutex_);
  ++holds_;
}

rocksdb::IOStatus ManifestSyncs::Release() {
  std::lock_guard lock(mutex_);
  if (--holds_ > 0 || waiting_ == nullptr) return rocksdb::IOStatus::OK();
  return static_cast<Manifest*>(std::exchange(waiting_, nullptr))->SyncNow();
}

}  // namespace vaquita
