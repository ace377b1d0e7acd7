#include "region/write_group.h"

#include <algorithm>

#include "region/region.h"

namespace vaquita {

std::vector<std::shared_ptr<Region>> WriteGroup::Regions() const {
  std::vector<std::shared_ptr<Region>> regions;
  for (const Put& put : puts_) regions.push_back(put.region);
  std::sort(regions.begin(), regions.end());
  regions.erase(std::unique(regions.begin(), regions.end()), regions.end());
  return regions;
}

absl::Status WriteGroup::Commit() {
  if (empty()) return absl::OkStatus();
  absl::Status written = db_->Write(&batch_, durability_);
  puts_.clear();
  batch_.Clear();
  durability_ = Durability::kUseDefault;
  db_ = nullptr;
  return written;
}

}  // namespace vaquita
