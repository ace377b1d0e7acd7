// A region's files for a snapshot or a handoff. Source: FlushSnapshotSubprocedure, SnapshotRegionCallable,
// HRegion.addRegionToSnapshot (2.6).
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "base/status.h"
#include "engine/nonce_store.h"
#include "region/region.h"
#include "region/region_layout.h"

namespace vaquita {
namespace {

absl::StatusOr<RegionFiles> LinkFiles(StoreDb* db, const RegionLayout& layout, const std::string& folder) {
  RegionFiles files;
  for (size_t i = 0; i < layout.stores.size(); ++i) {
    const std::string family = layout.stores[i]->spec().family.StoreName();
    VAQUITA_ASSIGN_OR_RETURN(files[family], db->Export(layout.stores[i], folder + "/" + family));
  }
  return files;
}

}  // namespace

absl::StatusOr<RegionFiles> Region::Export(const std::string& folder, bool flush) {
  if (!flush) return LinkFiles(db_, *Layout(), folder);
  const auto layout = Layout();
  if (layout->stores.size() == 1) {
    VAQUITA_RETURN_IF_ERROR(Flush());
    return LinkFiles(db_, *layout, folder);
  }
  // A mutation of several families must be in the files of all or of none, so no operation runs during the last flush.
  VAQUITA_RETURN_IF_ERROR(FlushToLittle());
  if (!gate_.Pause()) return NotServing();
  const auto open = absl::MakeCleanup([this] { gate_.Open(); });
  VAQUITA_RETURN_IF_ERROR(Flush());
  return LinkFiles(db_, *layout, folder);
}

absl::Status Region::ExportNonces(const std::string& folder, RegionFiles* files) const {
  const std::string family(NonceStore::kFamily);
  VAQUITA_ASSIGN_OR_RETURN(auto exported, db_->nonces()->Export(info_, folder + "/" + family));
  if (!exported.empty()) files->emplace(family, std::move(exported));
  return absl::OkStatus();
}

absl::Status Region::Import(StoreDb* db, const TableDescriptor& table, const std::vector<RegionImport>& regions) {
  std::vector<StoreImport> imports;
  for (const RegionImport& region : regions) {
    for (StoreSpec& spec : StoreSpecs(region.info, table, db->options())) {
      const auto files = region.files->find(spec.family.StoreName());
      if (files == region.files->end()) continue;
      imports.push_back({std::move(spec), region.folder + "/" + files->first, files->second});
    }
    const auto nonces = region.files->find(std::string(NonceStore::kFamily));
    if (nonces == region.files->end()) continue;
    VAQUITA_RETURN_IF_ERROR(db->nonces()->Import(region.info, region.folder + "/" + nonces->first, nonces->second));
  }
  return db->Import(std::move(imports)).status();
}

}  // namespace vaquita
