#include "engine/store_export.h"

#include <atomic>
#include <filesystem>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "engine/database.h"
#include "engine/rocksdb/rocksdb_status.h"
#include "engine/store_link.h"
#include "rocksdb/comparator.h"

namespace vaquita {
namespace {

// A folder below the database's exports that lives as long as this.
class TemporaryExport {
 public:
  explicit TemporaryExport(rocksdb::DB* db) {
    static std::atomic<uint64_t> last_number = 0;
    path_ = absl::StrCat(ExportRoot(db->GetName()), "/import-", ++last_number);
  }
  ~TemporaryExport() {
    std::error_code ignored;  // the next open removes leftovers
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryExport(const TemporaryExport&) = delete;
  TemporaryExport& operator=(const TemporaryExport&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// Creates the folder and its parent at most: a database whose own folder was renamed must not create it again.
absl::Status CreateFolderOnce(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directory(std::filesystem::path(path).parent_path(), error);
  if (!error) std::filesystem::create_directory(path, error);
  if (error) return absl::UnavailableError(absl::StrCat("create ", path, ": ", error.message()));
  return absl::OkStatus();
}

absl::Status LinkFile(const std::string& from, const std::string& to) {
  std::error_code error;
  std::filesystem::create_hard_link(from, to, error);
  if (error) return absl::UnavailableError(absl::StrCat("link ", from, " to ", to, ": ", error.message()));
  return absl::OkStatus();
}

rocksdb::LiveFileMetaData ImportedFile(const ExportedFile& file, const std::string& folder) {
  rocksdb::LiveFileMetaData imported;
  imported.name = "/" + file.name;
  imported.relative_filename = file.name;
  imported.db_path = folder;
  imported.directory = folder;
  imported.size = static_cast<uint64_t>(file.bytes);
  imported.level = file.level;
  imported.smallest_seqno = file.smallest_sequence;
  imported.largest_seqno = file.largest_sequence;
  return imported;
}

}  // namespace

absl::StatusOr<std::vector<ExportedFile>> ExportStore(const Store& store, const std::string& folder) {
  VAQUITA_RETURN_IF_ERROR(CreateFolderOnce(folder));
  std::vector<ExportedFile> exported;
  for (const SortedRun& run : store.Runs()) {
    for (const rocksdb::SstFileMetaData& file : run.files) {
      const std::string& name = file.relative_filename;
      VAQUITA_RETURN_IF_ERROR(LinkFile(file.directory + "/" + name, folder + "/" + name));
      exported.push_back({.name = name,
                          .level = run.level,
                          .smallest_sequence = file.smallest_seqno,
                          .largest_sequence = file.largest_seqno,
                          .bytes = static_cast<int64_t>(file.size)});
    }
  }
  return exported;
}

absl::StatusOr<rocksdb::ColumnFamilyHandle*> ImportStore(rocksdb::DB* db, const std::string& folder,
                                                         std::span<const ExportedFile> files, const std::string& name,
                                                         const rocksdb::ColumnFamilyOptions& options) {
  rocksdb::ColumnFamilyHandle* handle = nullptr;
  if (files.empty()) {
    VAQUITA_RETURN_IF_ERROR(FromRocksDb(db->CreateColumnFamily(options, name, &handle), "create store " + name));
    return handle;
  }
  // RocksDB copies what it imports, or takes it away: it is given links of its own to take.
  const TemporaryExport links(db);
  VAQUITA_RETURN_IF_ERROR(CreateFolderOnce(links.path()));
  rocksdb::ExportImportFilesMetaData all;
  all.db_comparator_name = rocksdb::BytewiseComparator()->Name();
  for (const ExportedFile& file : files) {
    VAQUITA_RETURN_IF_ERROR(LinkFile(folder + "/" + file.name, links.path() + "/" + file.name));
    all.files.push_back(ImportedFile(file, links.path()));
  }
  rocksdb::ImportColumnFamilyOptions import;
  import.move_files = true;
  VAQUITA_RETURN_IF_ERROR(
      FromRocksDb(db->CreateColumnFamilyWithImport(options, name, import, all, &handle), "import store " + name));
  return handle;
}

}  // namespace vaquita
