#include "engine/tolerant_open.h"

#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/absl_text.h"
#include "base/status.h"
#include "engine/rocksdb/file_systems.h"
#include "engine/rocksdb/rocksdb_options.h"
#include "engine/rocksdb/rocksdb_status.h"
#include "engine/store_notes.h"
#include "rocksdb/sst_file_reader.h"

namespace vaquita {
namespace {

using Families = std::vector<rocksdb::ColumnFamilyDescriptor>;

absl::StatusOr<std::vector<std::string>> ListNames(const std::string& path) {
  std::vector<std::string> names;
  VAQUITA_RETURN_IF_ERROR(
      FromRocksDb(rocksdb::DB::ListColumnFamilies(rocksdb::DBOptions(), path, &names), "list the stores of " + path));
  return names;
}

rocksdb::DBOptions TolerantOptions(const Options& options, rocksdb::Env* env) {
  rocksdb::DBOptions db = DatabaseOptions(options, env);
  db.create_if_missing = false;
  db.paranoid_checks = false;
  db.wal_recovery_mode = rocksdb::WALRecoveryMode::kSkipAnyCorruptedRecords;
  db.info_log_level = rocksdb::InfoLogLevel::FATAL_LEVEL;
  return db;
}

// RocksDB says so of a disk that does not answer, or of a process that may open no more files. A place in the file that
// cannot be is an invalid argument of a read: the file names that place, so the file is damaged.
bool IsOfDisk(const rocksdb::Status& status) {
  return !status.IsCorruption() && !status.IsNotSupported() && !status.IsInvalidArgument() &&
         !absl::StrContains(status.ToString(), std::strerror(EINVAL));
}

}  // namespace

OpenDatabase::~OpenDatabase() {
  for (rocksdb::ColumnFamilyHandle* handle : handles) db->DestroyColumnFamilyHandle(handle).PermitUncheckedError();
}

absl::StatusOr<OpenDatabase> OpenToLook(const std::string& path) {
  VAQUITA_ASSIGN_OR_RETURN(const std::vector<std::string> names, ListNames(path));
  const Options options;
  rocksdb::ColumnFamilyOptions family;
  family.force_consistency_checks = false;
  Families families;
  for (const std::string& name : names) families.emplace_back(name, family);
  OpenDatabase database;
  rocksdb::DB* db = nullptr;
  const rocksdb::Status opened = rocksdb::DB::OpenForReadOnly(TolerantOptions(options, rocksdb::Env::Default()), path,
                                                              families, &database.handles, &db);
  VAQUITA_RETURN_IF_ERROR(FromRocksDb(opened, "look into " + path));
  database.db.reset(db);
  return database;
}

absl::StatusOr<OpenDatabase> OpenToMend(const StoreDbOptions& options, const StoreDb::Resolve& resolve,
                                        std::shared_ptr<rocksdb::FileSystem> files) {
  VAQUITA_ASSIGN_OR_RETURN(const std::vector<std::string> names, ListNames(options.path));
  OpenDatabase database;
  database.env = rocksdb::NewCompositeEnv(NewNoOptionsFileSystem(std::move(files)));
  const auto cache = rocksdb::NewLRUCache(options.options->block_cache_bytes);
  Families families;
  for (const std::string& name : names) {
    if (name == rocksdb::kDefaultColumnFamilyName) {
      families.emplace_back(name, NotesOptions());
      continue;
    }
    const auto spec = resolve(name);
    auto settings = std::make_shared<StoreSettings>(spec == nullptr ? KeepAllOf(name) : *spec, options.clock,
                                                    std::make_shared<const CompactionRuns>());
    families.emplace_back(name, StoreOptions(*options.options, cache, std::move(settings)));
    families.back().options.num_levels = kMergeLevels;
  }
  rocksdb::DB* db = nullptr;
  const rocksdb::Status opened = rocksdb::DB::Open(TolerantOptions(*options.options, database.env.get()), options.path,
                                                   families, &database.handles, &db);
  VAQUITA_RETURN_IF_ERROR(FromRocksDb(opened, "open " + options.path));
  database.db.reset(db);
  return database;
}

absl::Status CheckStoreFile(const rocksdb::SstFileMetaData& file, uint64_t* inode) {
  const auto damaged = [&](std::string_view why) {
    return absl::DataLossError(absl::StrCat("store file ", file.relative_filename, " ", std::string(why)));
  };
  const std::string path = absl::StrCat(file.directory, "/", file.relative_filename);
  // A good file would be given up if such an error counted as damage.
  const auto not_read = [&](std::string_view why) {
    return absl::UnavailableError(absl::StrCat("store file ", path, " cannot be read, which need not be damage: ",
                                               AbslText(why), "; if that lasts, restore the file, or move it away"));
  };
  struct stat status;
  if (stat(path.c_str(), &status) != 0) return errno == ENOENT ? damaged("is missing") : not_read(std::strerror(errno));
  *inode = status.st_ino;
  if (static_cast<uint64_t>(status.st_size) != file.size) {
    return damaged(absl::StrCat("has ", status.st_size, " bytes instead of ", file.size));
  }
  rocksdb::SstFileReader reader{rocksdb::Options()};
  const auto bad = [&](const rocksdb::Status& read) {
    return IsOfDisk(read) ? not_read(read.ToString()) : damaged("is damaged: " + read.ToString());
  };
  if (const rocksdb::Status opened = reader.Open(path); !opened.ok()) return bad(opened);
  const std::unique_ptr<rocksdb::Iterator> cells(reader.NewIterator(rocksdb::ReadOptions()));
  cells->SeekToFirst();
  // The reader passes over RocksDB's own tombstones, so the bounds need not be hit.
  bool fits = !cells->Valid() || cells->key().compare(file.smallestkey) >= 0;
  if (cells->status().ok()) cells->SeekToLast();
  fits = fits && (!cells->Valid() || cells->key().compare(file.largestkey) <= 0);
  if (!cells->status().ok()) return bad(cells->status());
  return fits ? absl::OkStatus() : damaged("holds other rows than it was written with");
}

}  // namespace vaquita
