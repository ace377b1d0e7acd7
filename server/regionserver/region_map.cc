#include "server/regionserver/region_map.h"

#include <algorithm>
#include <mutex>
#include <tuple>

namespace vaquita {

std::shared_ptr<Region> RegionMap::Find(std::string_view name) const {
  std::shared_lock lock(mutex_);
  for (const ByName* names : {&by_encoded_name_, &by_full_name_}) {
    if (const auto it = names->find(name); it != names->end()) return it->second;
  }
  return nullptr;
}

std::vector<std::shared_ptr<Region>> RegionMap::All() const {
  std::vector<std::shared_ptr<Region>> all;
  {
    std::shared_lock lock(mutex_);
    all.reserve(by_encoded_name_.size());
    for (const auto& [name, region] : by_encoded_name_) all.push_back(region);
  }
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
    return std::tie(a->info().table, a->info().start_key) < std::tie(b->info().table, b->info().start_key);
  });
  return all;
}

int RegionMap::CountOfTable(const TableName& table) const {
  std::shared_lock lock(mutex_);
  return static_cast<int>(std::count_if(by_encoded_name_.begin(), by_encoded_name_.end(),
                                        [&](const auto& entry) { return entry.second->info().table == table; }));
}

void RegionMap::Replace(const std::vector<std::shared_ptr<Region>>& old_ones,
                        const std::vector<std::shared_ptr<Region>>& new_ones) {
  std::unique_lock lock(mutex_);
  for (const auto& region : old_ones) {
    by_encoded_name_.erase(region->info().EncodedName());
    by_full_name_.erase(region->info().Name());
  }
  for (const auto& region : new_ones) {
    by_encoded_name_[region->info().EncodedName()] = region;
    by_full_name_[region->info().Name()] = region;
  }
}

}  // namespace vaquita
