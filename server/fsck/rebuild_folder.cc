#include "server/fsck/rebuild_folder.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/durable_files.h"
#include "base/status.h"
#include "engine/nonce_store.h"
#include "engine/salvage.h"
#include "region/region.h"
#include "server/data_root/region_notes.h"
#include "server/data_root/server_folder.h"

namespace vaquita::fsck {
namespace {

constexpr size_t kBatchBytes = kMiB;
constexpr int64_t kMemstoreBytes = 64 * kMiB;
constexpr size_t kMostNamed = 5;  // files that cannot be read

class Rebuild {
 public:
  Rebuild(const RebuildOptions& options, const Picture& picture)
      : options_(options),
        picture_(picture),
        folder_(options.root + "/" + options.place),
        draft_(options.keep + ".draft") {}

  absl::StatusOr<std::string> Run() {
    VAQUITA_ASSIGN_OR_RETURN(notes_, SalvageNotes(folder_));
    VAQUITA_RETURN_IF_ERROR(LearnRegions());
    VAQUITA_RETURN_IF_ERROR(RemoveAll(draft_));
    VAQUITA_RETURN_IF_ERROR(CreateFolder(draft_));
    VAQUITA_ASSIGN_OR_RETURN(db_, StoreDb::Open({draft_, options_.options, options_.clock}, [](std::string_view name) {
                               return std::make_unique<StoreSpec>(KeepAllOf(name));
                             }));
    for (const std::string& store : noted_stores_) VAQUITA_RETURN_IF_ERROR(StoreCalled(store).status());
    VAQUITA_ASSIGN_OR_RETURN(const SalvageReport report,
                             SalvageCells(folder_, noted_stores_, [this](std::string_view store, const CellView& cell) {
                               return Take(store, cell);
                             }));
    VAQUITA_RETURN_IF_ERROR(Write());
    VAQUITA_RETURN_IF_ERROR(FlushAll());
    VAQUITA_RETURN_IF_ERROR(db_->PutNotes(notes_));
    const size_t stores = stores_.size();
    stores_.clear();
    db_.reset();
    VAQUITA_RETURN_IF_ERROR(Exchange());
    return Describe(report, stores);
  }

 private:
  // The regions that live here, and all that the folder says of regions and tables.
  absl::Status LearnRegions() {
    const FolderNotes notes = ReadNotes(notes_);
    for (const auto& [name, noted] : notes.regions) {
      picture_.known_regions.emplace(name, noted.info);
      for (const std::string& family : noted.families) noted_stores_.push_back(Region::StoreName(name, family));
      if (picture_.meta_damage.has_value()) live_.emplace(name, noted.info);
    }
    for (const auto& [name, table] : notes.tables) picture_.former_descriptors.emplace(name, table);
    VAQUITA_ASSIGN_OR_RETURN(const auto owners, OwnersOfFolder(folder_));
    for (const MetaTable::Row& row : picture_.rows) {
      const RegionInfo& info = row.region.info;
      const bool is_here = std::find(owners.begin(), owners.end(), row.region.home) != owners.end();
      (is_here && row.daughters.empty() ? live_ : elsewhere_).emplace(info.EncodedName(), info);
    }
    return absl::OkStatus();
  }

  // Returns the region that gets a cell which `writer` has written; empty: the cell is left out.
  std::string RegionOf(const std::string& writer, std::string_view row) const {
    const auto own = live_.find(writer);
    if (own != live_.end() && own->second.ContainsRow(row)) return writer;
    if (const RegionInfo* const known = picture_.KnownRegion(writer)) {
      for (const auto& [name, info] : live_) {
        if (info.table == known->table && info.ContainsRow(row)) return name;
      }
    }
    return elsewhere_.contains(writer) ? std::string() : writer;
  }

  absl::Status Take(std::string_view store, const CellView& cell) {
    const size_t slash = store.find('/');
    if (slash == std::string_view::npos || store.substr(slash + 1) == NonceStore::kFamily) return absl::OkStatus();
    const std::string region = RegionOf(std::string(store.substr(0, slash)), cell.row);
    if (region.empty()) {
      ++left_out_;
      return absl::OkStatus();
    }
    VAQUITA_ASSIGN_OR_RETURN(Store* const to, StoreCalled(Region::StoreName(region, store.substr(slash + 1))));
    batch_.Add(*to, cell.row, cell.qualifier, cell.timestamp_ms, cell.type, cell.value, cell.ttl_ms);
    return batch_.bytes() < kBatchBytes ? absl::OkStatus() : Write();
  }

  absl::StatusOr<Store*> StoreCalled(const std::string& name) {
    std::shared_ptr<Store>& store = stores_[name];
    if (store == nullptr) {
      VAQUITA_ASSIGN_OR_RETURN(auto made, db_->Create({SpecOf(name, picture_)}));
      store = made.front();
    }
    return store.get();
  }

  absl::Status Write() {
    VAQUITA_RETURN_IF_ERROR(db_->Write(&batch_, Durability::kSkipWal));
    batch_.Clear();
    return db_->MemstoreBytes() < kMemstoreBytes ? absl::OkStatus() : FlushAll();
  }
  absl::Status FlushAll() {
    std::vector<std::shared_ptr<Store>> stores;
    for (const auto& [name, store] : stores_) stores.push_back(store);
    return db_->Flush(stores);
  }

  // Puts the new database in the place of the old one, in one step: what a crash leaves in the folder is whole. The old
  // one gets the name `keep`.
  absl::Status Exchange() const {
    const std::string owners = "/EARLIER_SERVERS";
    if (PathExists(folder_ + owners)) {
      VAQUITA_ASSIGN_OR_RETURN(const std::string names, ReadFile(folder_ + owners));
      VAQUITA_RETURN_IF_ERROR(ReplaceFile(draft_ + owners, names));
    }
    VAQUITA_RETURN_IF_ERROR(SyncFolders(draft_));
    VAQUITA_RETURN_IF_ERROR(RenamePath(draft_, options_.keep));
    VAQUITA_RETURN_IF_ERROR(ExchangePaths(options_.keep, folder_));
    for (const std::string& path : {folder_, options_.keep}) {
      VAQUITA_RETURN_IF_ERROR(SyncPath(std::filesystem::path(path).parent_path().string()));
    }
    return absl::OkStatus();
  }

  std::string Describe(const SalvageReport& report, size_t stores) const {
    std::string text =
        absl::StrCat("rebuilt the database of ", options_.place, " from ", report.store_files, " store files and ",
                     report.logs, " logs: ", report.cells - left_out_, " cells in ", stores, " stores");
    if (left_out_ > 0) absl::StrAppend(&text, "; left out ", left_out_, " cells of regions that are elsewhere");
    if (report.nameless_cells > 0) {
      absl::StrAppend(&text, "; left out ", report.nameless_cells,
                      " cells that the logs have of unknown stores, most probably dropped ones");
    }
    for (size_t i = 0; i < std::min(report.bad.size(), kMostNamed); ++i) absl::StrAppend(&text, "; ", report.bad[i]);
    if (report.bad.size() > kMostNamed) {
      absl::StrAppend(&text, "; and ", report.bad.size() - kMostNamed, " more that could not be read");
    }
    absl::StrAppend(&text, "; rows may be back that were deleted, if a file was still there that a compaction had ",
                    "replaced; the files as they were are in ", options_.keep);
    return text;
  }

  const RebuildOptions& options_;
  Picture picture_;
  const std::string folder_, draft_;
  StoreDb::NoteMap notes_;
  std::vector<std::string> noted_stores_;
  std::map<std::string, RegionInfo, std::less<>> live_;       // the regions whose data belong here
  std::map<std::string, RegionInfo, std::less<>> elsewhere_;  // all others that hbase:meta has
  std::unique_ptr<StoreDb> db_;
  std::map<std::string, std::shared_ptr<Store>> stores_;  // in db_
  StoreBatch batch_{WriteOrder::kLost};                   // the salvage has no order of writes
  int64_t left_out_ = 0;
};

}  // namespace

absl::StatusOr<std::string> RebuildFolder(const RebuildOptions& options, const Picture& picture) {
  return Rebuild(options, picture).Run();
}

StoreSpec SpecOf(std::string_view store, const Picture& picture) {
  const size_t slash = store.find('/');
  StoreSpec spec = KeepAllOf(store);
  const RegionInfo* const region = picture.KnownRegion(std::string(store.substr(0, slash)));
  if (region == nullptr || slash == std::string_view::npos) return spec;
  spec.range = region->range();
  if (const auto table = picture.KnownDescriptor(region->table); table != nullptr) {
    const FamilyDescriptor* const found = table->FindFamilyOfStore(store.substr(slash + 1));
    if (found != nullptr) spec.family = *found;
  }
  return spec;
}

}  // namespace vaquita::fsck
