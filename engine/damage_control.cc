#include "engine/damage_control.h"

#include <filesystem>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/absl_text.h"
#include "base/durable_files.h"
#include "base/log.h"
#include "base/status.h"
#include "engine/find_damage.h"
#include "engine/manifest_check.h"
#include "engine/rocksdb/rocksdb_status.h"
#include "engine/tolerant_open.h"

namespace vaquita {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostLoggedStores = 20;

std::string LogName(uint64_t number) { return AppendedFileName({.manifest = false, .number = number}); }

// Links the good files of a store into `folder`.
absl::StatusOr<std::vector<ExportedFile>> LinkGoodFiles(rocksdb::DB* db, rocksdb::ColumnFamilyHandle* handle,
                                                        const std::string& folder) {
  VAQUITA_RETURN_IF_ERROR(RemoveAll(folder));
  VAQUITA_RETURN_IF_ERROR(CreateFolder(folder));
  std::vector<ExportedFile> files;
  absl::Status linked;
  ForEachLiveFile(db, handle, [&](const rocksdb::SstFileMetaData& file, int32_t level) {
    uint64_t inode = 0;
    const absl::Status checked = CheckStoreFile(file, &inode);
    if (absl::IsUnavailable(checked)) linked.Update(checked);
    const bool good = checked.ok();
    const std::string& name = file.relative_filename;
    std::error_code error;
    // A bad file is kept as well, as evidence.
    if (good || inode != 0) fs::create_hard_link(file.directory + "/" + name, folder + "/" + name, error);
    if (error) linked = absl::UnavailableError(absl::StrCat("link ", name, " to ", folder, ": ", error.message()));
    if (!good) return;
    files.push_back({name, level, file.smallest_seqno, file.largest_seqno, static_cast<int64_t>(file.size)});
  });
  VAQUITA_RETURN_IF_ERROR(linked);
  VAQUITA_RETURN_IF_ERROR(SyncPath(folder));
  return files;
}

}  // namespace

absl::StatusOr<FoundMarks> DamageControl::CheckBeforeOpen() {
  VAQUITA_ASSIGN_OR_RETURN(LogCheck check, CheckLogs(options_.path));
  if (!check.manifest.damage.empty()) {
    if (!check.manifest.mendable) {
      return absl::DataLossError(absl::StrCat(ManifestError(options_.path, check.manifest).message(),
                                              "; `vaquita fsck` says what can be done"));
    }
    VAQUITA_RETURN_IF_ERROR(MendManifest(options_.path, check.manifest));
  }
  VAQUITA_ASSIGN_OR_RETURN(record_, DamageRecord::Load(options_.path));
  std::erase_if(record_.gaps, [&](const LogGap& gap) { return !PathExists(options_.path + "/" + LogName(gap.log)); });
  std::erase_if(check.gaps, [&](const LogGap& gap) { return record_.Has(gap); });
  if (!check.gaps.empty() && options_.refuse_damage) {
    return absl::DataLossError(absl::StrCat("database ", options_.path, ": ", DescribeGap(check.gaps.front())));
  }
  if (!check.gaps.empty()) VAQUITA_RETURN_IF_ERROR(RecordGaps(std::move(check.gaps), check.marks));
  return std::move(check.marks);
}

absl::Status DamageControl::RecordGaps(std::vector<LogGap> gaps, const FoundMarks& marks) {
  for (const LogGap& gap : gaps) {
    VAQUITA_RETURN_IF_ERROR(KeepLog(gap));
    spdlog::error("database {}: {}", options_.path, DescribeGap(gap));
  }
  VAQUITA_ASSIGN_OR_RETURN(const auto stores, StoresWithLostCells(options_.path, gaps, marks));
  for (const auto& [name, why] : stores) record_.stores.emplace(name, DamagedStore{.why = why});
  record_.gaps.insert(record_.gaps.end(), gaps.begin(), gaps.end());
  VAQUITA_RETURN_IF_ERROR(record_.Save(options_.path));
  LogStores(stores);
  return absl::OkStatus();
}

absl::Status DamageControl::KeepLog(const LogGap& gap) const {
  const std::string log = options_.path + "/" + LogName(gap.log);
  const std::string kept = DamageFolder(options_.path) + "/" + LogName(gap.log);
  VAQUITA_RETURN_IF_ERROR(CreateFolder(DamageFolder(options_.path)));
  if (!PathExists(log)) return absl::OkStatus();
  if (gap.foreign) return RenamePath(log, kept);
  std::error_code error;
  if (!PathExists(kept)) fs::create_hard_link(log, kept, error);
  if (error) return absl::UnavailableError(absl::StrCat("link ", log, " to ", kept, ": ", error.message()));
  return absl::OkStatus();
}

void DamageControl::LogStores(const std::map<std::string, std::string>& stores) const {
  size_t count = 0;
  for (const auto& [name, why] : stores) {
    if (++count <= kMostLoggedStores) spdlog::error("store {} is not served: {}", name, why);
  }
  spdlog::error("database {}: {} stores are not served; `vaquita fsck` says more", options_.path, count);
}

absl::StatusOr<bool> DamageControl::SetApartBadStores(const StoreDb::Resolve& resolve,
                                                      std::shared_ptr<rocksdb::FileSystem> files) {
  VAQUITA_ASSIGN_OR_RETURN(const auto bad, StoresWithBadFiles(options_.path));
  if (bad.empty()) return false;
  if (options_.refuse_damage || bad.contains(rocksdb::kDefaultColumnFamilyName)) {
    return absl::DataLossError(
        absl::StrCat("database ", options_.path, ", store ", bad.begin()->first, ": ", bad.begin()->second));
  }
  VAQUITA_ASSIGN_OR_RETURN(OpenDatabase open, OpenToMend(options_, resolve, std::move(files)));
  std::vector<rocksdb::ColumnFamilyHandle*> dropped;
  for (rocksdb::ColumnFamilyHandle* handle : open.handles) {
    const auto found = bad.find(handle->GetName());
    if (found == bad.end()) continue;
    const std::string folder = DamageFolder(options_.path) + "/" + found->first;
    VAQUITA_RETURN_IF_ERROR(
        FromRocksDb(open.db->Flush(rocksdb::FlushOptions(), handle), "flush store " + found->first));
    VAQUITA_ASSIGN_OR_RETURN(auto good, LinkGoodFiles(open.db.get(), handle, folder));
    record_.stores[found->first] = {.why = found->second, .set_apart = true, .files = std::move(good)};
    dropped.push_back(handle);
  }
  // Before they go: a crash in between leaves the stores to be set apart again.
  VAQUITA_RETURN_IF_ERROR(record_.Save(options_.path));
  VAQUITA_RETURN_IF_ERROR(FromRocksDb(open.db->DropColumnFamilies(dropped), "set stores apart"));
  LogStores(bad);
  return true;
}

absl::Status DamageControl::StatusOf(std::string_view store) const {
  std::lock_guard lock(mutex_);
  const auto found = record_.stores.find(store);
  if (found == record_.stores.end()) return absl::OkStatus();
  return Error(ErrorKind::kCorruptHFile, absl::StrCat("store ", AbslText(store), " is damaged: ", found->second.why));
}

std::vector<std::string> DamageControl::DamagedStores() const {
  std::lock_guard lock(mutex_);
  std::vector<std::string> names;
  for (const auto& [name, store] : record_.stores) names.push_back(name);
  return names;
}

std::map<std::string, DamagedStore, std::less<>> DamageControl::SetApartStores() const {
  std::lock_guard lock(mutex_);
  auto stores = record_.stores;
  std::erase_if(stores, [](const auto& store) { return !store.second.set_apart; });
  return stores;
}

absl::Status DamageControl::Forget(const std::string& store) {
  std::lock_guard lock(mutex_);
  DamageRecord without = record_;
  if (without.stores.erase(store) == 0) return absl::OkStatus();
  VAQUITA_RETURN_IF_ERROR(without.Save(options_.path));
  record_ = std::move(without);
  return absl::OkStatus();
}

absl::Status DamageControl::Accept(const std::string& keep) {
  std::lock_guard lock(mutex_);
  if (!PathExists(DamageFolder(options_.path))) return absl::OkStatus();
  const std::string parent = fs::path(keep).parent_path().string();
  VAQUITA_RETURN_IF_ERROR(CreateFolder(parent));
  VAQUITA_RETURN_IF_ERROR(RenamePath(DamageFolder(options_.path), keep));
  VAQUITA_RETURN_IF_ERROR(SyncPath(parent));
  VAQUITA_RETURN_IF_ERROR(SyncPath(options_.path));
  record_.stores.clear();
  // Places in logs that are still there would be found again.
  return record_.gaps.empty() ? absl::OkStatus() : record_.Save(options_.path);
}

}  // namespace vaquita
