#include "engine/file_deletions.h"

#include "engine/rocksdb_status.h"
#include "engine/status.h"

namespace vaquita {

class FileDeletions::Hold final : public KeptFiles {
 public:
  Hold(FileDeletions* deletions, rocksdb::DB* db) : deletions_(deletions), db_(db) {}
  ~Hold() override {
    std::lock_guard lock(deletions_->mutex_);
    if (--deletions_->holds_ == 0) db_->EnableFileDeletions(/*force=*/false).PermitUncheckedError();
  }
  Hold(const Hold&) = delete;
  Hold& operator=(const Hold&) = delete;

 private:
  FileDeletions* const deletions_;
  rocksdb::DB* const db_;
};

absl::StatusOr<std::unique_ptr<KeptFiles>> FileDeletions::Keep(rocksdb::DB* db) {
  std::lock_guard lock(mutex_);
  if (holds_ == 0) VAQUITA_RETURN_IF_ERROR(FromRocksDb(db->DisableFileDeletions(), "keep files"));
  ++holds_;
  return std::make_unique<Hold>(this, db);
}

}  // namespace vaquita
