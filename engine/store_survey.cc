#include "engine/store_survey.h"

#include <sys/stat.h>

#include <filesystem>
#include <map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "engine/cells/cell_key.h"
#include "engine/damage_record.h"
#include "engine/find_damage.h"
#include "engine/manifest_check.h"
#include "engine/rocksdb/rocksdb_status.h"
#include "engine/store_link.h"
#include "engine/store_notes.h"
#include "engine/tolerant_open.h"
#include "rocksdb/db.h"

namespace vaquita {
namespace {

std::string RowOf(const std::string& encoded) {
  std::string scratch;
  CellKey key;
  return ParseCellKey(encoded, &scratch, &key).ok() ? std::string(key.row) : std::string();
}

void Widen(const std::string& first_key, const std::string& last_key, SurveyedStore* store) {
  const std::string first = RowOf(first_key);
  const std::string last = RowOf(last_key);
  if (store->empty || first < store->first_row) store->first_row = first;
  if (store->empty || last > store->last_row) store->last_row = last;
  store->empty = false;
}

// Reads the store's cells in the log and in readable files. The files' bounds are known without reading.
void SurveyCells(rocksdb::DB* db, rocksdb::ColumnFamilyHandle* handle, SurveyedStore* store) {
  rocksdb::ReadOptions read;
  read.fill_cache = false;
  const std::unique_ptr<rocksdb::Iterator> cells(db->NewIterator(read, handle));
  cells->SeekToFirst();
  if (cells->Valid()) {
    const std::string first = cells->key().ToString();
    cells->SeekToLast();
    if (cells->Valid()) Widen(first, cells->key().ToString(), store);
  }
  store->unreadable = !cells->status().ok() && store->bad_files.empty();
}

absl::StatusOr<SurveyedStore> SurveyStore(rocksdb::DB* db, rocksdb::ColumnFamilyHandle* handle) {
  SurveyedStore store{.name = handle->GetName()};
  absl::Status read;
  ForEachLiveFile(db, handle, [&](const rocksdb::SstFileMetaData& file, int32_t) {
    uint64_t inode = 0;
    const absl::Status checked = CheckStoreFile(file, &inode);
    if (absl::IsUnavailable(checked)) read.Update(checked);
    if (checked.ok()) {
      store.files.push_back(inode);
    } else {
      store.bad_files.emplace(file.relative_filename, checked.message());
    }
    Widen(file.smallestkey, file.largestkey, &store);
  });
  VAQUITA_RETURN_IF_ERROR(read);
  uint64_t in_memory = 0;
  db->GetIntProperty(handle, rocksdb::DB::Properties::kNumEntriesActiveMemTable, &in_memory);
  store.has_memstore = in_memory > 0;
  if (store.has_memstore) SurveyCells(db, handle, &store);
  return store;
}

// Returns why stores may have lost cells, by the record and by the logs.
absl::StatusOr<std::map<std::string, std::string>> LostCells(const std::string& path, const DamageRecord& record) {
  VAQUITA_ASSIGN_OR_RETURN(LogCheck logs, CheckLogs(path));
  VAQUITA_RETURN_IF_ERROR(ManifestError(path, logs.manifest));
  std::erase_if(logs.gaps, [&](const LogGap& gap) { return record.Has(gap); });
  std::map<std::string, std::string> lost;
  if (!logs.gaps.empty()) {
    VAQUITA_ASSIGN_OR_RETURN(lost, StoresWithLostCells(path, logs.gaps, logs.marks));
  }
  for (const auto& [name, store] : record.stores) lost[name] = store.why;
  return lost;
}

// A store that was taken out of the database: its good files are elsewhere in the folder.
SurveyedStore SurveySetApart(const std::string& path, const std::string& name, const DamagedStore& damaged) {
  SurveyedStore store{.name = name, .empty = false, .damage = damaged.why};
  for (const ExportedFile& file : damaged.files) {
    struct stat status;
    const std::string at = absl::StrCat(DamageFolder(path), "/", name, "/", file.name);
    if (stat(at.c_str(), &status) == 0) store.files.push_back(status.st_ino);
  }
  return store;
}

class RocksDbLock final : public DatabaseLock {
 public:
  explicit RocksDbLock(rocksdb::FileLock* lock) : lock_(lock) {}
  ~RocksDbLock() override { rocksdb::Env::Default()->UnlockFile(lock_).PermitUncheckedError(); }

 private:
  rocksdb::FileLock* const lock_;
};

}  // namespace

absl::StatusOr<std::vector<SurveyedStore>> SurveyStores(const std::string& path, StoreDb::NoteMap* notes) {
  std::vector<SurveyedStore> stores;
  if (!HasDatabase(path)) return stores;
  VAQUITA_ASSIGN_OR_RETURN(const DamageRecord record, DamageRecord::Load(path));
  VAQUITA_ASSIGN_OR_RETURN(const auto lost, LostCells(path, record));
  VAQUITA_ASSIGN_OR_RETURN(const OpenDatabase database, OpenToLook(path));
  for (rocksdb::ColumnFamilyHandle* handle : database.handles) {
    if (handle->GetName() == rocksdb::kDefaultColumnFamilyName) continue;
    VAQUITA_ASSIGN_OR_RETURN(SurveyedStore store, SurveyStore(database.db.get(), handle));
    if (const auto found = lost.find(store.name); found != lost.end()) store.damage = found->second;
    stores.push_back(std::move(store));
  }
  for (const auto& [name, damaged] : record.stores) {
    if (damaged.set_apart) stores.push_back(SurveySetApart(path, name, damaged));
  }
  if (notes == nullptr) return stores;
  VAQUITA_ASSIGN_OR_RETURN(*notes, ReadNotes(database.db.get()));
  return stores;
}

bool HasUnusedLinks(const std::string& path) {
  std::error_code error;
  const std::filesystem::directory_iterator links(ExportRoot(path), error);
  return !error && links != std::filesystem::directory_iterator();
}

absl::StatusOr<std::unique_ptr<DatabaseLock>> DatabaseLock::Take(const std::string& path) {
  rocksdb::FileLock* lock = nullptr;
  const rocksdb::Status status = rocksdb::Env::Default()->LockFile(path + "/LOCK", &lock);
  VAQUITA_RETURN_IF_ERROR(FromRocksDbOpen(status, path));
  return std::make_unique<RocksDbLock>(lock);
}

}  // namespace vaquita
