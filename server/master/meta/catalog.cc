#include "server/master/meta/catalog.h"

#include <algorithm>
#include <mutex>
#include <utility>

#include "base/status.h"
#include "model/encoded_names.h"

namespace vaquita {
namespace {

absl::Status UnknownRegion(std::string_view name) {
  return Error(ErrorKind::kUnknownRegion, name.empty() ? "the region's name is empty" : ToShortStringBinary(name));
}

}  // namespace

Catalog::Key Catalog::KeyOf(const RegionInfo& info) { return {info.start_key, std::to_string(info.id)}; }

absl::StatusOr<const Catalog::Table*> Catalog::Find(const TableName& table) const {
  const auto it = tables_.find(table);
  if (const auto broken = broken_.find(table); broken != broken_.end()) {
    return Error(ErrorKind::kDoNotRetryIO, "table " + table.ToString() + " is out of service: " + broken->second +
                                               "; run `vaquita fsck --repair`");
  }
  if (it == tables_.end()) return Error(ErrorKind::kTableNotFound, table.ToString());
  return &it->second;
}

bool Catalog::Contains(const TableName& table) const {
  std::shared_lock lock(mutex_);
  return tables_.contains(table) || broken_.contains(table);
}

bool Catalog::IsBroken(const TableName& table) const {
  std::shared_lock lock(mutex_);
  return broken_.contains(table);
}

void Catalog::PutBroken(const TableName& table, const std::string& why) {
  std::unique_lock lock(mutex_);
  broken_.emplace(table, why);
}

absl::StatusOr<std::shared_ptr<const TableDescriptor>> Catalog::Descriptor(const TableName& table) const {
  std::shared_lock lock(mutex_);
  VAQUITA_ASSIGN_OR_RETURN(const Table* found, Find(table));
  return found->descriptor;
}

absl::StatusOr<TableState> Catalog::State(const TableName& table) const {
  std::shared_lock lock(mutex_);
  VAQUITA_ASSIGN_OR_RETURN(const Table* found, Find(table));
  return found->state;
}

absl::StatusOr<std::vector<AssignedRegion>> Catalog::Regions(const TableName& table) const {
  std::shared_lock lock(mutex_);
  VAQUITA_ASSIGN_OR_RETURN(const Table* found, Find(table));
  std::vector<AssignedRegion> regions;
  regions.reserve(found->regions.size());
  for (const auto& [key, region] : found->regions) regions.push_back(region);
  return regions;
}

absl::StatusOr<AssignedRegion> Catalog::Locate(const TableName& table, std::string_view row) const {
  std::shared_lock lock(mutex_);
  VAQUITA_ASSIGN_OR_RETURN(const Table* found, Find(table));
  const auto it = found->regions.upper_bound({std::string(row), "~"});  // no id is after that
  if (it == found->regions.begin() || !std::prev(it)->second.info.ContainsRow(row)) {
    return Error(ErrorKind::kIO, "No region of " + table.ToString() + " holds row " + ToShortStringBinary(row));
  }
  return std::prev(it)->second;
}

absl::StatusOr<AssignedRegion> Catalog::FindRegion(std::string_view region) const {
  std::shared_lock lock(mutex_);
  const auto place = places_.find(EncodedNameIn(region));
  if (place == places_.end()) return UnknownRegion(region);
  AssignedRegion found = tables_.at(place->second.table).regions.at(place->second.key);
  found.info.replica_id = place->second.replica_id;
  return found;
}

std::vector<TableName> Catalog::Tables() const {
  std::shared_lock lock(mutex_);
  std::vector<TableName> names;
  for (const auto& [name, table] : tables_) names.push_back(name);
  return names;
}

Catalog::RegionCounts Catalog::CountRegions() const {
  RegionCounts counts;
  std::shared_lock lock(mutex_);
  for (const auto& [name, table] : tables_) {
    for (const auto& [key, region] : table.regions) ++counts[{region.server_name, region.state}];
  }
  return counts;
}

std::map<TableState, int64_t> Catalog::CountTables() const {
  std::map<TableState, int64_t> counts;
  std::shared_lock lock(mutex_);
  for (const auto& [name, table] : tables_) ++counts[table.state];
  return counts;
}

std::map<TableName, size_t> Catalog::CountRegionsOfTables() const {
  std::map<TableName, size_t> counts;
  std::shared_lock lock(mutex_);
  for (const auto& [name, table] : tables_) counts[name] = table.regions.size();
  return counts;
}

size_t Catalog::TablesIn(std::string_view ns) const {
  std::shared_lock lock(mutex_);
  const auto is_in = [&](const auto& entry) { return entry.first.ns == ns; };
  return std::count_if(tables_.begin(), tables_.end(), is_in) + std::count_if(broken_.begin(), broken_.end(), is_in);
}

void Catalog::PutTable(std::shared_ptr<const TableDescriptor> descriptor, TableState state,
                       std::vector<AssignedRegion> regions) {
  std::unique_lock lock(mutex_);
  Table& table = tables_[descriptor->name];
  table.descriptor = std::move(descriptor);
  table.state = state;
  for (const AssignedRegion& region : regions) AddRegion(table, region);
}

void Catalog::DropTable(const TableName& name) {
  std::unique_lock lock(mutex_);
  const auto it = tables_.find(name);
  if (it == tables_.end()) return;
  for (const auto& [key, region] : it->second.regions) RemovePlaces(it->second, region.info);
  tables_.erase(it);
}

void Catalog::SetDescriptor(std::shared_ptr<const TableDescriptor> descriptor) {
  std::unique_lock lock(mutex_);
  Table& table = tables_.at(descriptor->name);
  for (const auto& [key, region] : table.regions) RemovePlaces(table, region.info);
  table.descriptor = std::move(descriptor);
  for (const auto& [key, region] : table.regions) AddPlaces(table, region.info);
}

void Catalog::SetState(const TableName& table, TableState state) {
  std::unique_lock lock(mutex_);
  tables_.at(table).state = state;
}

void Catalog::SetRegions(const TableName& name, const std::vector<AssignedRegion>& regions) {
  std::unique_lock lock(mutex_);
  Table& table = tables_.at(name);
  for (const auto& [key, region] : table.regions) RemovePlaces(table, region.info);
  table.regions.clear();
  for (const AssignedRegion& region : regions) AddRegion(table, region);
}

void Catalog::ReplaceRegions(const TableName& name, const std::vector<RegionInfo>& old_ones,
                             const std::vector<AssignedRegion>& new_ones) {
  std::unique_lock lock(mutex_);
  Table& table = tables_.at(name);
  for (const RegionInfo& info : old_ones) RemoveRegion(table, info);
  for (const AssignedRegion& region : new_ones) AddRegion(table, region);
}

absl::Status Catalog::SetOffline(std::string_view region) {
  std::unique_lock lock(mutex_);
  const auto place = places_.find(EncodedNameIn(region));
  if (place == places_.end()) return UnknownRegion(region);
  if (place->second.replica_id != 0) return absl::OkStatus();
  AssignedRegion& found = tables_.at(place->second.table).regions.at(place->second.key);
  found.state = RegionState::kOffline;
  found.server_name.clear();
  return absl::OkStatus();
}

void Catalog::AddRegion(Table& table, const AssignedRegion& region) {
  AddPlaces(table, region.info);
  table.regions[KeyOf(region.info)] = region;
}

void Catalog::AddPlaces(const Table& table, const RegionInfo& info) {
  for (int32_t id = 0; id < table.descriptor->RegionReplication(); ++id) {
    places_[ReplicaOf(info, id).EncodedName()] = {info.table, KeyOf(info), id};
  }
}

void Catalog::RemovePlaces(const Table& table, const RegionInfo& info) {
  for (int32_t id = 0; id < table.descriptor->RegionReplication(); ++id)
    places_.erase(ReplicaOf(info, id).EncodedName());
}

void Catalog::RemoveRegion(Table& table, const RegionInfo& info) {
  RemovePlaces(table, info);
  table.regions.erase(KeyOf(info));
}

}  // namespace vaquita
