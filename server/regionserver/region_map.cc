#include "server/regionserver/region_map.h"

#include <mutex>
#include <utility>

namespace vaquita {

std::shared_ptr<Region> RegionMap::Find(std::string_view name) const {
  std::shared_lock lock(mutex_);
  const auto it = by_name_.find(name);
  return it == by_name_.end() ? nullptr : it->second;
}

std::shared_ptr<Region> RegionMap::FindWithReplicas(std::string_view name) const {
  if (auto region = Find(name); region != nullptr || !has_replicas_.load(std::memory_order_acquire)) return region;
  std::shared_lock lock(mutex_);
  const auto it = replicas_.find(name);
  return it == replicas_.end() ? nullptr : it->second.region;
}

int32_t RegionMap::ReplicaIdOf(std::string_view name) const {
  if (!has_replicas_.load(std::memory_order_acquire)) return 0;
  std::shared_lock lock(mutex_);
  const auto it = replicas_.find(name);
  return it == replicas_.end() ? 0 : it->second.id;
}

void RegionMap::AddReplicas(const std::shared_ptr<Region>& region) {
  const int32_t count = region->table()->RegionReplication();
  if (count == 1) return;
  std::vector<std::string>& names = names_of_replicas_[region.get()];
  for (int32_t id = 1; id < count; ++id) {
    const RegionInfo info = ReplicaOf(region->info(), id);
    for (std::string& name : std::vector<std::string>{info.EncodedName(), info.Name()}) {
      replicas_[name] = {region, id};
      names.push_back(std::move(name));
    }
  }
  has_replicas_.store(true, std::memory_order_release);
}

void RegionMap::RemoveReplicas(const Region& region) {
  const auto names = names_of_replicas_.find(&region);
  if (names == names_of_replicas_.end()) return;
  for (const std::string& name : names->second) replicas_.erase(name);
  names_of_replicas_.erase(names);
  has_replicas_.store(!replicas_.empty(), std::memory_order_release);
}

void RegionMap::UpdateReplicas(const std::shared_ptr<Region>& region) {
  std::unique_lock lock(mutex_);
  const auto served = by_name_.find(region->info().EncodedName());
  if (served == by_name_.end() || served->second != region) return;
  version_.fetch_add(1, std::memory_order_release);
  RemoveReplicas(*region);
  AddReplicas(region);
}

std::string RegionMap::FindName(const TableName& table, std::string_view row) const {
  // No encoded name is behind this one.
  const Place last(table, row, "~");
  std::shared_lock lock(mutex_);
  auto it = by_place_.upper_bound(last);
  if (it == by_place_.begin()) return "";
  const auto& [place, region] = *--it;
  return std::get<0>(place) == table && region->info().ContainsRow(row) ? std::get<2>(place) : "";
}

std::vector<std::shared_ptr<Region>> RegionMap::All() const {
  std::vector<std::shared_ptr<Region>> all;
  std::shared_lock lock(mutex_);
  all.reserve(by_place_.size());
  for (const auto& [place, region] : by_place_) all.push_back(region);
  return all;
}

void RegionMap::Replace(const std::vector<std::shared_ptr<Region>>& old_ones,
                        const std::vector<std::shared_ptr<Region>>& new_ones) {
  std::unique_lock lock(mutex_);
  version_.fetch_add(1, std::memory_order_release);
  for (const auto& region : old_ones) {
    std::string name = region->info().EncodedName();
    by_name_.erase(name);
    by_name_.erase(region->info().Name());
    by_place_.erase(PlaceOf(*region, std::move(name)));
    RemoveReplicas(*region);
  }
  for (const auto& region : new_ones) {
    std::string name = region->info().EncodedName();
    by_name_[name] = region;
    by_name_[region->info().Name()] = region;
    by_place_[PlaceOf(*region, std::move(name))] = region;
    AddReplicas(region);
  }
}

}  // namespace vaquita
