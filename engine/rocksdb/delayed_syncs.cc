#include "engine/rocksdb/delayed_syncs.h"

#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/durable_files.h"
#include "base/status.h"
#include "engine/rocksdb/manifest_copies.h"

namespace vaquita {
class DelayedSyncs::Manifest final : public rocksdb::FSWritableFileOwnerWrapper {
 public:
  Manifest(std::unique_ptr<rocksdb::FSWritableFile>&& file, DelayedSyncs* syncs)
      : FSWritableFileOwnerWrapper(std::move(file)), syncs_(syncs) {}
  ~Manifest() override { SyncIfWaiting().PermitUncheckedError(); }

  rocksdb::IOStatus Append(const rocksdb::Slice& data, const rocksdb::IOOptions& options,
                           rocksdb::IODebugContext* debug) override {
    rocksdb::IOStatus linked = syncs_->SyncLinksUnlessHeld();
    return linked.ok() ? FSWritableFileOwnerWrapper::Append(data, options, debug) : linked;
  }
  rocksdb::IOStatus Append(const rocksdb::Slice& data, const rocksdb::IOOptions& options,
                           const rocksdb::DataVerificationInfo& verification, rocksdb::IODebugContext* debug) override {
    rocksdb::IOStatus linked = syncs_->SyncLinksUnlessHeld();
    return linked.ok() ? FSWritableFileOwnerWrapper::Append(data, options, verification, debug) : linked;
  }
  rocksdb::IOStatus Sync(const rocksdb::IOOptions& options, rocksdb::IODebugContext* debug) override {
    if (syncs_->all_held_) return rocksdb::IOStatus::OK();
    {
      std::lock_guard lock(syncs_->mutex_);
      // A new manifest is synced before CURRENT names it.
      if (syncs_->manifest_holds_ > 0 && is_synced_) {
        syncs_->waiting_ = this;
        return rocksdb::IOStatus::OK();
      }
      rocksdb::IOStatus linked = syncs_->SyncLinksLocked();
      if (!linked.ok()) return linked;
    }
    rocksdb::IOStatus synced = FSWritableFileOwnerWrapper::Sync(options, debug);
    if (synced.ok()) is_synced_ = true;
    return synced;
  }
  rocksdb::IOStatus SyncNow() { return FSWritableFileOwnerWrapper::Sync(rocksdb::IOOptions(), nullptr); }

  rocksdb::IOStatus Close(const rocksdb::IOOptions& options, rocksdb::IODebugContext* debug) override {
    rocksdb::IOStatus synced = SyncIfWaiting();
    rocksdb::IOStatus closed = FSWritableFileOwnerWrapper::Close(options, debug);
    return synced.ok() ? closed : synced;
  }

 private:
  // Before the file goes, what was put off is done.
  rocksdb::IOStatus SyncIfWaiting() {
    std::lock_guard lock(syncs_->mutex_);
    if (syncs_->waiting_ != this) return rocksdb::IOStatus::OK();
    syncs_->waiting_ = nullptr;
    rocksdb::IOStatus linked = syncs_->SyncLinksLocked();
    return linked.ok() ? SyncNow() : linked;
  }

  DelayedSyncs* const syncs_;
  bool is_synced_ = false;
};

class DelayedSyncs::NewFile final : public rocksdb::FSWritableFileOwnerWrapper {
 public:
  NewFile(std::unique_ptr<rocksdb::FSWritableFile>&& file, const DelayedSyncs* syncs)
      : FSWritableFileOwnerWrapper(std::move(file)), syncs_(syncs) {}
  rocksdb::IOStatus Sync(const rocksdb::IOOptions& options, rocksdb::IODebugContext* debug) override {
    return syncs_->all_held_ ? rocksdb::IOStatus::OK() : FSWritableFileOwnerWrapper::Sync(options, debug);
  }

 private:
  const DelayedSyncs* const syncs_;
};

class DelayedSyncs::NewFolder final : public rocksdb::FSDirectoryWrapper {
 public:
  NewFolder(std::unique_ptr<rocksdb::FSDirectory>&& folder, const DelayedSyncs* syncs)
      : FSDirectoryWrapper(std::move(folder)), syncs_(syncs) {}
  rocksdb::IOStatus Fsync(const rocksdb::IOOptions& options, rocksdb::IODebugContext* debug) override {
    return syncs_->all_held_ ? rocksdb::IOStatus::OK() : FSDirectoryWrapper::Fsync(options, debug);
  }
  rocksdb::IOStatus FsyncWithDirOptions(const rocksdb::IOOptions& options, rocksdb::IODebugContext* debug,
                                        const rocksdb::DirFsyncOptions& reason) override {
    return syncs_->all_held_ ? rocksdb::IOStatus::OK()
                             : FSDirectoryWrapper::FsyncWithDirOptions(options, debug, reason);
  }

 private:
  const DelayedSyncs* const syncs_;
};

class DelayedSyncs::SyncFileSystem final : public rocksdb::FileSystemWrapper {
 public:
  SyncFileSystem(const std::shared_ptr<rocksdb::FileSystem>& base, DelayedSyncs* syncs)
      : FileSystemWrapper(base), syncs_(syncs) {}
  const char* Name() const override { return "vaquita.DelayedSyncs"; }

  rocksdb::IOStatus NewWritableFile(const std::string& path, const rocksdb::FileOptions& options,
                                    std::unique_ptr<rocksdb::FSWritableFile>* file,
                                    rocksdb::IODebugContext* debug) override {
    rocksdb::IOStatus status = target()->NewWritableFile(path, options, file, debug);
    const std::string_view name = std::string_view(path).substr(path.rfind('/') + 1);
    if (!status.ok()) return status;
    if (name.starts_with("MANIFEST-")) {
      *file = std::make_unique<Manifest>(std::move(*file), syncs_);
    } else if (syncs_->all_held_) {
      *file = std::make_unique<NewFile>(std::move(*file), syncs_);
    }
    return status;
  }

  rocksdb::IOStatus NewDirectory(const std::string& path, const rocksdb::IOOptions& options,
                                 std::unique_ptr<rocksdb::FSDirectory>* folder,
                                 rocksdb::IODebugContext* debug) override {
    rocksdb::IOStatus status = target()->NewDirectory(path, options, folder, debug);
    if (status.ok() && syncs_->all_held_) *folder = std::make_unique<NewFolder>(std::move(*folder), syncs_);
    return status;
  }

  rocksdb::IOStatus LinkFile(const std::string& from, const std::string& to, const rocksdb::IOOptions& options,
                             rocksdb::IODebugContext* debug) override {
    rocksdb::IOStatus status = target()->LinkFile(from, to, options, debug);
    // Names elsewhere are their makers' to sync.
    if (!status.ok() || std::string_view(to).substr(0, to.rfind('/')) != syncs_->folder_) return status;
    std::lock_guard lock(syncs_->mutex_);
    syncs_->links_wait_ = true;
    return status;
  }

 private:
  DelayedSyncs* const syncs_;
};

std::shared_ptr<rocksdb::FileSystem> DelayedSyncs::Wrap(std::shared_ptr<rocksdb::FileSystem> base, std::string folder) {
  folder_ = std::move(folder);
  return std::make_shared<SyncFileSystem>(std::move(base), this);
}

void DelayedSyncs::HoldManifest() {
  std::lock_guard lock(mutex_);
  ++manifest_holds_;
}

rocksdb::IOStatus DelayedSyncs::ReleaseManifest() {
  std::lock_guard lock(mutex_);
  return --manifest_holds_ > 0 ? rocksdb::IOStatus::OK() : SyncLocked();
}

rocksdb::IOStatus DelayedSyncs::SyncManifest() {
  std::lock_guard lock(mutex_);
  return SyncLocked();
}

rocksdb::IOStatus DelayedSyncs::SyncLocked() {
  if (has_failed_ || waiting_ == nullptr) return failure_;
  failure_ = SyncLinksLocked();
  if (failure_.ok()) failure_ = waiting_->SyncNow();
  if (failure_.ok()) {
    waiting_ = nullptr;
  } else {
    has_failed_ = true;
  }
  return failure_;
}

// Nobody waits for a sync that runs.
rocksdb::IOStatus DelayedSyncs::Failure() const {
  if (!has_failed_) return rocksdb::IOStatus::OK();
  std::lock_guard lock(mutex_);
  return failure_;
}

rocksdb::IOStatus DelayedSyncs::SyncLinksUnlessHeld() {
  std::lock_guard lock(mutex_);
  return all_held_ || manifest_holds_ > 0 ? rocksdb::IOStatus::OK() : SyncLinksLocked();
}

rocksdb::IOStatus DelayedSyncs::SyncLinksLocked() {
  if (!links_wait_) return rocksdb::IOStatus::OK();
  const absl::Status synced = SyncPath(folder_);
  if (!synced.ok()) return rocksdb::IOStatus::IOError(std::string(synced.message()));
  links_wait_ = false;
  return rocksdb::IOStatus::OK();
}

absl::Status DelayedSyncs::ReleaseAll(const std::string& folder, std::string_view but) {
  all_held_ = false;
  std::error_code error;
  for (const auto& file : std::filesystem::directory_iterator(folder, error)) {
    // Closing the lock's file, through whichever descriptor, would release the lock.
    const std::string name = file.path().filename().string();
    if (!file.is_regular_file(error) || name == "LOCK") continue;
    if (name.starts_with(kManifestCopyPrefix) || name == but) continue;
    VAQUITA_RETURN_IF_ERROR(SyncPath(file.path()));
  }
  if (error) return absl::UnavailableError(absl::StrCat("list ", folder, ": ", error.message()));
  return SyncPath(folder);
}

}  // namespace vaquita
