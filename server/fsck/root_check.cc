#include "server/fsck/root_check.h"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string_view>
#include <system_error>
#include <vector>

#include "base/durable_files.h"
#include "base/status.h"
#include "engine/append_marks.h"
#include "engine/manifest_check.h"
#include "engine/nonce_store.h"
#include "engine/store_survey.h"
#include "proto/hbase/stored_values.h"
#include "server/data_root/handoff.h"
#include "server/data_root/server_folder.h"
#include "server/master/meta/namespaces.h"
#include "server/master/meta/scan_all.h"

namespace vaquita {
namespace {

namespace fs = std::filesystem;

using NameSet = std::set<std::string, std::less<>>;

std::string Advice(const std::string& root) {
  return ": run `vaquita fsck --data " + root + " --repair`, which rebuilds hbase:meta from what the folders know";
}

// Folders in `parent` that are not empty.
absl::StatusOr<std::vector<std::string>> FullFolders(const std::string& parent) {
  VAQUITA_ASSIGN_OR_RETURN(const auto names, ListFolder(parent));
  std::vector<std::string> folders;
  for (const std::string& name : names) {
    const std::string path = parent + "/" + name;
    std::error_code error;
    const bool is_full = fs::is_directory(path, error) && !fs::is_empty(path, error);
    if (error && error != std::errc::no_such_file_or_directory) {
      return absl::UnavailableError("look into " + path + ": " + error.message());
    }
    if (is_full) folders.push_back(path);
  }
  return folders;
}

// All regions that hbase:meta has, or had: its deleted cells stay until a major compaction.
absl::StatusOr<NameSet> RegionsEverInMeta(MetaTable& meta) {
  VAQUITA_ASSIGN_OR_RETURN(const ResultBatch batch, ScanAll(*meta.region(), HistoryScan()));
  NameSet names;
  for (size_t i = 0; i < batch.cells.size(); ++i) {
    // Splits and merges name regions in other rows, too.
    const auto info = DecodeRegionInfo(batch.cells[i].value);
    if (info.ok()) names.insert(info->EncodedName());
    // A deletion may have left only the marker, whose row ends with the encoded name: ".<32 digits>.".
    const std::string_view row = batch.cells[i].row;
    constexpr size_t kHash = 32;
    if (row.size() > kHash + 2 && row.back() == '.') names.emplace(row.substr(row.size() - kHash - 1, kHash));
  }
  return names;
}

std::set<uint64_t> FilesOfSnapshots(const std::string& root) {
  std::set<uint64_t> inodes;
  std::error_code error;
  for (fs::recursive_directory_iterator it(root + "/snapshots", error), end; !error && it != end; it.increment(error)) {
    struct stat status;
    if (it->path().extension() == ".sst" && stat(it->path().c_str(), &status) == 0) inodes.insert(status.st_ino);
  }
  return inodes;
}

// Returns the encoded name of the region of the first store that has cells, is not in `known`, and is no copy of a
// snapshot's files. Empty: there is no such store, a server has the database open and will report its regions, or the
// database's CURRENT or MANIFEST is damaged.
absl::StatusOr<std::string> UnheardRegion(const std::string& folder, const std::string& root, const NameSet& known) {
  if (!HasDatabase(folder)) return std::string();
  const auto lock = DatabaseLock::Take(folder);
  if (absl::IsFailedPrecondition(lock.status())) return std::string();  // a server has it
  VAQUITA_RETURN_IF_ERROR(lock.status());
  // Its server's start mends that, or names it. It is no fault of hbase:meta.
  VAQUITA_ASSIGN_OR_RETURN(const ManifestCheck manifest, CheckManifest(folder, AppendMarks::Read(folder)));
  if (!manifest.damage.empty()) return std::string();
  VAQUITA_ASSIGN_OR_RETURN(const auto stores, SurveyStores(folder));
  std::set<uint64_t> in_snapshots;
  bool looked = false;
  for (const SurveyedStore& store : stores) {
    const std::string region = store.name.substr(0, store.name.find('/'));
    const bool is_nonces = std::string_view(store.name).substr(region.size() + 1) == NonceStore::kFamily;
    if (store.empty || is_nonces || known.contains(region)) continue;
    if (!looked) in_snapshots = FilesOfSnapshots(root);
    looked = true;
    const bool is_copy = !store.has_memstore && std::all_of(store.files.begin(), store.files.end(),
                                                            [&](uint64_t file) { return in_snapshots.contains(file); });
    if (!is_copy) return region;
  }
  return std::string();
}

absl::Status Unheard(const std::string& root, const std::string& folder, const std::string& region) {
  return absl::FailedPreconditionError("hbase:meta in " + root + "/master has no region at all, and " + folder +
                                       " has data of region " + region + Advice(root));
}

}  // namespace

absl::Status CheckMetaIsThere(const std::string& root) {
  const std::string master = root + "/master";
  if (HasDatabase(master)) return absl::OkStatus();
  for (const char* part : {"server", "handoff", "recovering"}) {
    VAQUITA_ASSIGN_OR_RETURN(const auto folders, FullFolders(root + "/" + part));
    if (folders.empty()) continue;
    return absl::FailedPreconditionError("hbase:meta is missing: " + master + " has no database, and " +
                                         folders.front() + " has data" + Advice(root));
  }
  return absl::OkStatus();
}

bool IsMetaDamage(const absl::Status& status) {
  return absl::IsDataLoss(status) || IsError(status, ErrorKind::kCorruptHFile);
}

absl::Status MetaOpenError(const absl::Status& status, const std::string& root) {
  if (status.ok() || absl::IsFailedPrecondition(status)) return status;  // in use by another process
  const std::string doing = "the database of hbase:meta cannot be opened";
  // A repair replaces the database, so it is no advice for an error that may pass.
  if (!IsMetaDamage(status)) return Annotate(status, doing);
  return Annotate(absl::Status(status.code(), std::string(status.message()) + Advice(root)), doing);
}

absl::Status CheckMetaIsNotEmptied(const std::string& root, MetaTable& meta) {
  const auto is_of_users = [](const RegionInfo& region) { return !IsMastersOwn(region.table); };
  VAQUITA_ASSIGN_OR_RETURN(const bool has_regions, meta.HasRegion(is_of_users));
  if (has_regions) return absl::OkStatus();
  VAQUITA_ASSIGN_OR_RETURN(std::vector<std::string> folders, FullFolders(root + "/server"));
  VAQUITA_ASSIGN_OR_RETURN(std::vector<std::string> recovering, FullFolders(root + "/recovering"));
  for (std::string& folder : recovering) {
    if (!IsLeftoverFolder(fs::path(folder).filename().string(), true)) folders.push_back(std::move(folder));
  }
  VAQUITA_ASSIGN_OR_RETURN(const std::vector<std::string> handoffs, ListHandoffs(root));
  if (folders.empty() && handoffs.empty()) return absl::OkStatus();
  VAQUITA_ASSIGN_OR_RETURN(const NameSet known, RegionsEverInMeta(meta));
  for (const std::string& folder : folders) {
    auto region = UnheardRegion(folder, root, known);
    VAQUITA_RETURN_IF_ERROR(Annotate(region.status(), "look into " + folder));
    if (!region->empty()) return Unheard(root, folder, *region);
  }
  for (const std::string& region : handoffs) {
    if (!known.contains(region)) return Unheard(root, HandoffFolder(root, region), region);
  }
  return absl::OkStatus();
}

}  // namespace vaquita
