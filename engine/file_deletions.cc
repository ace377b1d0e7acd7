#include "engine/file_deletions.h"

#include "base/log.h"
#include "base/status.h"
#include "engine/rocksdb/rocksdb_status.h"

namespace vaquita {

class FileDeletions::Hold final : public KeptFiles {
 public:
  Hold(FileDeletions* deletions, rocksdb::DB* db, DelayedSyncs* syncs)
      : deletions_(deletions), db_(db), syncs_(syncs) {}
  ~Hold() override {
    const rocksdb::IOStatus synced = syncs_->ReleaseManifest();
    // The new files may not be on the disk: the old ones stay until the database is opened again.
    if (!synced.ok()) spdlog::error("old files are kept, because the manifest cannot be synced: {}", synced.ToString());
    // It takes a while, for which the next one need not wait.
    if (deletions_->Release() && synced.ok()) db_->EnableFileDeletions(/*force=*/false).PermitUncheckedError();
  }
  Hold(const Hold&) = delete;
  Hold& operator=(const Hold&) = delete;

 private:
  FileDeletions* const deletions_;
  rocksdb::DB* const db_;
  DelayedSyncs* const syncs_;
};

bool FileDeletions::Release() {
  std::lock_guard lock(mutex_);
  return --holds_ == 0;
}

absl::StatusOr<std::unique_ptr<KeptFiles>> FileDeletions::Keep(rocksdb::DB* db, DelayedSyncs* syncs) {
  std::lock_guard lock(mutex_);
  if (holds_ == 0) VAQUITA_RETURN_IF_ERROR(FromRocksDb(db->DisableFileDeletions(), "keep files"));
  ++holds_;
  syncs->HoldManifest();
  return std::make_unique<Hold>(this, db, syncs);
}

}  // namespace vaquita
