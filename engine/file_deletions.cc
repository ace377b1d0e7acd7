#include "engine/file_deletions.h"

#include "base/log.h"
#include "base/status.h"
#include "engine/rocksdb/rocksdb_status.h"

namespace vaquita {

class FileDeletions::Hold final : public KeptFiles {
 public:
  Hold(FileDeletions* deletions, rocksdb::DB* db, DelayedSyncs* syncs)
      : deletions_(deletions), db_(db), syncs_(syncs) {}
  ~Hold() override { deletions_->Release(db_, syncs_); }
  Hold(const Hold&) = delete;
  Hold& operator=(const Hold&) = delete;

 private:
  FileDeletions* const deletions_;
  rocksdb::DB* const db_;
  DelayedSyncs* const syncs_;
};

void FileDeletions::Release(rocksdb::DB* db, DelayedSyncs* syncs) {
  {
    std::lock_guard lock(mutex_);
    if (--holds_ > 0) return;
    if (const rocksdb::IOStatus synced = syncs->ReleaseManifest(); !synced.ok()) {
      // The new files may not be on the disk: the old ones stay until the database is opened again.
      spdlog::error("old files are kept, because the manifest cannot be synced: {}", synced.ToString());
      return;
    }
  }
  // It takes a while, for which the next one need not wait: RocksDB counts, too.
  db->EnableFileDeletions(/*force=*/false).PermitUncheckedError();
}

absl::StatusOr<std::unique_ptr<KeptFiles>> FileDeletions::Keep(rocksdb::DB* db, DelayedSyncs* syncs) {
  std::lock_guard lock(mutex_);
  if (holds_ == 0) {
    VAQUITA_RETURN_IF_ERROR(FromRocksDb(db->DisableFileDeletions(), "keep files"));
    syncs->HoldManifest();
  }
  ++holds_;
  return std::make_unique<Hold>(this, db, syncs);
}

}  // namespace vaquita
