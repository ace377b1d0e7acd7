#include "region/write_group.h"

#include <algorithm>

#include "absl/cleanup/cleanup.h"
#include "base/status.h"
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
  const auto clear = absl::MakeCleanup([this] {
    puts_.clear();
    batch_.Clear();
    durability_ = Durability::kUseDefault;
    broken_ = false;
  });
  if (broken_) return Error(ErrorKind::kIO, "out of memory");
  return db_->Write(&batch_, durability_);
}

}  // namespace vaquita
