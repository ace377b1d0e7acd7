#include "engine/store_survey.h"

#include <sys/stat.h>

#include <filesystem>
#include <map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "engine/cell_key.h"
#include "engine/no_options_file_system.h"
#include "engine/rocksdb_options.h"
#include "engine/rocksdb_status.h"
#include "engine/status.h"
#include "engine/store_export.h"
#include "engine/store_link.h"
#include "engine/store_notes.h"
#include "rocksdb/db.h"

namespace vaquita {
namespace {

using Handles = std::vector<rocksdb::ColumnFamilyHandle*>;

// A RocksDB with the handles of all its column families, which go before it.
struct OpenDatabase {
  std::unique_ptr<rocksdb::Env> env;
  std::unique_ptr<rocksdb::DB> db;
  Handles handles;

  OpenDatabase() = default;
  OpenDatabase(OpenDatabase&&) = default;
  ~OpenDatabase() {
    for (rocksdb::ColumnFamilyHandle* handle : handles) db->DestroyColumnFamilyHandle(handle).PermitUncheckedError();
  }
};

bool HasDatabase(const std::string& path) { return std::filesystem::exists(path + "/CURRENT"); }

absl::StatusOr<std::vector<std::string>> ListNames(const std::string& path) {
  std::vector<std::string> names;
  VAQUITA_RETURN_IF_ERROR(
      FromRocksDb(rocksdb::DB::ListColumnFamilies(rocksdb::DBOptions(), path, &names), "list the stores of " + path));
  return names;
}

// A missing file is no reason not to open.
rocksdb::DBOptions TolerantOptions(const Options& options, rocksdb::Env* env) {
  rocksdb::DBOptions db = DatabaseOptions(options, env);
  db.create_if_missing = false;
  db.paranoid_checks = false;
  db.info_log_level = rocksdb::InfoLogLevel::FATAL_LEVEL;
  return db;
}

absl::StatusOr<OpenDatabase> OpenToLook(const std::string& path, const std::vector<std::string>& names) {
  const Options options;
  rocksdb::ColumnFamilyOptions family;
  family.force_consistency_checks = false;
  std::vector<rocksdb::ColumnFamilyDescriptor> families;
  for (const std::string& name : names) families.emplace_back(name, family);
  OpenDatabase database;
  rocksdb::DB* db = nullptr;
  const rocksdb::Status opened = rocksdb::DB::OpenForReadOnly(TolerantOptions(options, rocksdb::Env::Default()), path,
                                                              families, &database.handles, &db);
  VAQUITA_RETURN_IF_ERROR(FromRocksDb(opened, "look into " + path));
  database.db.reset(db);
  return database;
}

// Whether the file is there as it was written; its inode.
bool IsThere(const rocksdb::SstFileMetaData& file, uint64_t* inode) {
  struct stat status;
  const std::string path = absl::StrCat(file.directory, "/", file.relative_filename);
  if (stat(path.c_str(), &status) != 0) return false;
  *inode = status.st_ino;
  return static_cast<uint64_t>(status.st_size) == file.size;
}

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

// What the log has of it, and what can be read of its files. The files' own bounds are known without.
void LookAtCells(rocksdb::DB* db, rocksdb::ColumnFamilyHandle* handle, SurveyedStore* store) {
  rocksdb::ReadOptions read;
  read.fill_cache = false;
  const std::unique_ptr<rocksdb::Iterator> cells(db->NewIterator(read, handle));
  cells->SeekToFirst();
  if (!cells->Valid()) return;
  const std::string first = cells->key().ToString();
  cells->SeekToLast();
  if (cells->Valid()) Widen(first, cells->key().ToString(), store);
}

SurveyedStore LookAt(rocksdb::DB* db, rocksdb::ColumnFamilyHandle* handle) {
  SurveyedStore store{.name = handle->GetName()};
  rocksdb::ColumnFamilyMetaData data;
  db->GetColumnFamilyMetaData(handle, &data);
  for (const rocksdb::LevelMetaData& level : data.levels) {
    for (const rocksdb::SstFileMetaData& file : level.files) {
      uint64_t inode = 0;
      if (IsThere(file, &inode)) {
        store.files.push_back(inode);
      } else {
        store.missing_files.push_back(file.relative_filename);
      }
      Widen(file.smallestkey, file.largestkey, &store);
    }
  }
  uint64_t in_memory = 0;
  db->GetIntProperty(handle, rocksdb::DB::Properties::kNumEntriesActiveMemTable, &in_memory);
  store.has_memstore = in_memory > 0;
  if (store.has_memstore) LookAtCells(db, handle, &store);
  return store;
}

// The files of the store that are there, oldest first, linked into `folder`.
absl::StatusOr<std::vector<ExportedFile>> LinkWhatIsThere(rocksdb::DB* db, rocksdb::ColumnFamilyHandle* handle,
                                                          const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) return absl::UnavailableError(absl::StrCat("create ", folder, ": ", error.message()));
  rocksdb::ColumnFamilyMetaData data;
  db->GetColumnFamilyMetaData(handle, &data);
  std::vector<ExportedFile> files;
  for (const rocksdb::LevelMetaData& level : data.levels) {
    for (const rocksdb::SstFileMetaData& file : level.files) {
      uint64_t inode = 0;
      if (!IsThere(file, &inode)) continue;
      const std::string& name = file.relative_filename;
      std::filesystem::create_hard_link(file.directory + "/" + name, folder + "/" + name, error);
      if (error) return absl::UnavailableError(absl::StrCat("link ", name, " to ", folder, ": ", error.message()));
      files.push_back({name, level.level, file.smallest_seqno, file.largest_seqno, static_cast<int64_t>(file.size)});
    }
  }
  return files;
}

absl::Status MakeAnew(rocksdb::DB* db, rocksdb::ColumnFamilyHandle** handle,
                      const rocksdb::ColumnFamilyOptions& options, const std::string& keep) {
  const std::string name = (*handle)->GetName();
  VAQUITA_RETURN_IF_ERROR(FromRocksDb(db->Flush(rocksdb::FlushOptions(), *handle), "flush store " + name));
  const std::string folder = keep + "/" + name;
  VAQUITA_ASSIGN_OR_RETURN(const auto files, LinkWhatIsThere(db, *handle, folder));
  VAQUITA_RETURN_IF_ERROR(FromRocksDb(db->DropColumnFamily(*handle), "drop store " + name));
  db->DestroyColumnFamilyHandle(std::exchange(*handle, nullptr)).PermitUncheckedError();
  VAQUITA_ASSIGN_OR_RETURN(*handle, ImportStore(db, folder, files, name, options));
  return absl::OkStatus();
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
  VAQUITA_ASSIGN_OR_RETURN(const std::vector<std::string> names, ListNames(path));
  VAQUITA_ASSIGN_OR_RETURN(const OpenDatabase database, OpenToLook(path, names));
  for (rocksdb::ColumnFamilyHandle* handle : database.handles) {
    if (handle->GetName() != rocksdb::kDefaultColumnFamilyName) stores.push_back(LookAt(database.db.get(), handle));
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
  if (!status.ok()) return absl::FailedPreconditionError("data folder " + path + " is in use by another process");
  return std::make_unique<RocksDbLock>(lock);
}

absl::Status ForgetMissingFiles(const StoreDbOptions& options, const StoreDb::Resolve& resolve,
                                const std::string& keep) {
  VAQUITA_ASSIGN_OR_RETURN(const std::vector<std::string> names, ListNames(options.path));
  OpenDatabase database;
  database.env = rocksdb::NewCompositeEnv(NewNoOptionsFileSystem(rocksdb::FileSystem::Default()));
  const auto cache = rocksdb::NewLRUCache(options.options->block_cache_bytes);
  std::vector<rocksdb::ColumnFamilyDescriptor> families;
  for (const std::string& name : names) {
    const auto spec = name == rocksdb::kDefaultColumnFamilyName ? nullptr : resolve(name);
    families.emplace_back(name, spec == nullptr ? NotesOptions()
                                                : StoreOptions(*options.options, cache,
                                                               std::make_shared<StoreSettings>(*spec, options.clock)));
  }
  rocksdb::DB* db = nullptr;
  const rocksdb::Status opened = rocksdb::DB::Open(TolerantOptions(*options.options, database.env.get()), options.path,
                                                   families, &database.handles, &db);
  VAQUITA_RETURN_IF_ERROR(FromRocksDb(opened, "open " + options.path));
  database.db.reset(db);
  absl::Status status;
  for (size_t i = 1; i < database.handles.size() && status.ok(); ++i) {
    if (LookAt(db, database.handles[i]).missing_files.empty()) continue;
    status = MakeAnew(db, &database.handles[i], families[i].options, keep);
  }
  std::erase(database.handles, nullptr);
  return status;
}

}  // namespace vaquita
