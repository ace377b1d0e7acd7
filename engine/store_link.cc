#include "engine/store_link.h"

#include <atomic>
#include <filesystem>
#include <map>
#include <mutex>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "engine/database.h"
#include "engine/rocksdb/rocksdb_options.h"
#include "engine/rocksdb/rocksdb_status.h"
#include "engine/store_compaction.h"
#include "rocksdb/utilities/checkpoint.h"

namespace vaquita {
namespace {

constexpr size_t kDeepLevels = kMergeLevels - 1;  // all but level 0

// A store's files, hard-linked into a folder of their own until this is destroyed.
class Export {
 public:
  static absl::StatusOr<Export> Make(rocksdb::DB* db, Store* store) {
    static std::atomic<uint64_t> last_number = 0;
    const std::string root = ExportRoot(db->GetName());
    std::error_code error;
    std::filesystem::create_directory(root, error);  // not those above: the database's own may have been renamed
    if (error) return absl::UnavailableError(absl::StrCat("create ", root, ": ", error.message()));

    Export made(absl::StrCat(root, "/", ++last_number));
    rocksdb::Checkpoint* checkpoint = nullptr;
    VAQUITA_RETURN_IF_ERROR(FromRocksDb(rocksdb::Checkpoint::Create(db, &checkpoint), "export"));
    const std::unique_ptr<rocksdb::Checkpoint> owned(checkpoint);
    rocksdb::ExportImportFilesMetaData* files = nullptr;
    VAQUITA_RETURN_IF_ERROR(FromRocksDb(checkpoint->ExportColumnFamily(store->handle(), made.folder_, &files),
                                        "export store " + store->spec().name));
    made.files_.reset(files);
    return made;
  }
  Export(Export&& other) noexcept
      : folder_(std::exchange(other.folder_, std::string())), files_(std::move(other.files_)) {}
  ~Export() {
    std::error_code ignored;  // the next open removes leftovers
    if (!folder_.empty()) std::filesystem::remove_all(folder_, ignored);
  }

  rocksdb::ExportImportFilesMetaData* files() { return files_.get(); }

 private:
  explicit Export(std::string folder) : folder_(std::move(folder)) {}

  std::string folder_;
  std::unique_ptr<rocksdb::ExportImportFilesMetaData> files_;
};

// Compacts the neighbours with the fewest bytes until `store` has no more runs than there are deep levels.
absl::Status ReduceRuns(Store* store) {
  std::lock_guard lock(*store->compaction_mutex());
  const std::vector<SortedRun> runs = store->Runs();
  if (runs.size() <= kDeepLevels) return absl::OkStatus();
  const size_t count = runs.size() - kDeepLevels + 1;
  CompactionPlan best;
  for (size_t first = 0; first + count <= runs.size(); ++first) {
    CompactionPlan plan = PlanRuns(runs, first, count);
    if (best.files.empty() || plan.bytes < best.bytes) best = std::move(plan);
  }
  return RunCompaction(best, store);
}

// Moves the runs of one exported store into the deep levels, the oldest deepest. They keep their order.
void SinkRuns(const std::vector<SortedRun>& runs, rocksdb::ExportImportFilesMetaData* exported) {
  std::map<std::string, int> level_of;
  int level = static_cast<int>(kDeepLevels);
  for (const SortedRun& run : runs) {
    for (const rocksdb::SstFileMetaData& file : run.files) level_of[file.name] = level;
    --level;
  }
  for (rocksdb::LiveFileMetaData& file : exported->files) file.level = level_of.at(file.name);
}

// Readies a source of a merge. It gets no writes meanwhile, so its runs stay as they are until its export.
absl::Status PrepareMerge(Store* store) {
  if (store->HasReferences()) {
    return absl::FailedPreconditionError(
        absl::StrCat("store ", store->spec().name, " has rows outside its region until its next compaction"));
  }
  VAQUITA_RETURN_IF_ERROR(store->Flush());
  return ReduceRuns(store);
}

}  // namespace

std::string ExportRoot(const std::string& db_path) { return db_path + "/exports"; }

absl::StatusOr<rocksdb::ColumnFamilyHandle*> LinkStores(rocksdb::DB* db, std::span<const std::shared_ptr<Store>> from,
                                                        const std::string& name,
                                                        const rocksdb::ColumnFamilyOptions& options) {
  const bool merge = from.size() > 1;
  std::vector<Export> exports;  // removed once the import has linked their files
  rocksdb::ExportImportFilesMetaData all;
  for (const std::shared_ptr<Store>& source : from) {
    Store* const store = source.get();
    VAQUITA_RETURN_IF_ERROR(merge ? PrepareMerge(store) : store->Flush());
    std::unique_lock<std::mutex> steady;  // keeps compactions out between reading the runs and the export
    if (merge) steady = std::unique_lock(*store->compaction_mutex());
    VAQUITA_ASSIGN_OR_RETURN(Export made, Export::Make(db, store));
    if (merge) SinkRuns(store->Runs(), made.files());
    all.db_comparator_name = made.files()->db_comparator_name;
    all.files.insert(all.files.end(), made.files()->files.begin(), made.files()->files.end());
    exports.push_back(std::move(made));
  }

  rocksdb::ColumnFamilyHandle* handle = nullptr;
  if (all.files.empty()) {
    VAQUITA_RETURN_IF_ERROR(FromRocksDb(db->CreateColumnFamily(options, name, &handle), "create store " + name));
    return handle;
  }
  rocksdb::ImportColumnFamilyOptions import;
  import.move_files = true;
  VAQUITA_RETURN_IF_ERROR(
      FromRocksDb(db->CreateColumnFamilyWithImport(options, name, import, all, &handle), "link store " + name));
  return handle;
}

}  // namespace vaquita
