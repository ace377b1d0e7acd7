// Compares the folders of a stopped data root with hbase:meta.
#include <algorithm>
#include <set>
#include <string>
#include <tuple>

#include "model/server_name.h"
#include "server/fsck/checker.h"

namespace vaquita::fsck {
namespace {

bool IsEmpty(const RegionData& data) {
  return std::all_of(data.stores.begin(), data.stores.end(), [](const StoreOnDisk& store) { return store.empty; });
}

bool HasStore(const RegionData& data, const std::string& family) {
  return std::any_of(data.stores.begin(), data.stores.end(),
                     [&](const StoreOnDisk& store) { return store.family == family; });
}

Orphan MakeOrphan(const RegionData& data) {
  Orphan orphan{.data = &data};
  bool is_first = true;
  for (const StoreOnDisk& store : data.stores) {
    if (store.empty) continue;
    if (is_first || store.first_row < orphan.first_row) orphan.first_row = store.first_row;
    if (is_first || store.last_row > orphan.last_row) orphan.last_row = store.last_row;
    is_first = false;
  }
  return orphan;
}

}  // namespace

// Nothing else can be said without it.
void Checker::AddMetaDamage() {
  size_t regions = 0, known = 0;
  std::set<TableName> tables;
  for (const RegionData& data : picture_.data) {
    if (data.is_sidelined) continue;
    ++regions;
    const RegionInfo* const info = picture_.KnownRegion(data.region);
    if (info == nullptr) continue;
    ++known;
    tables.insert(info->table);
  }
  Finding& finding = Add(FindingKind::kNoMeta, nullptr, "", picture_.meta_damage->why);
  // A folder that cannot be read may have tables that nobody else knows. Once hbase:meta is there without them, their
  // data are nobody's.
  const bool lacks_folders = !picture_.unreadable_folders.empty();
  finding.advice = std::string(lacks_folders ? "first see to the folders that cannot be read; else " : "") +
                   "--repair" + (lacks_folders ? " --accept-data-loss" : "") + " moves " + picture_.meta_damage->place +
                   "/ to sideline/ and rebuilds hbase:meta: the folders have " + std::to_string(regions) +
                   " regions, and know " + std::to_string(known) + " of them, of " + std::to_string(tables.size()) +
                   " tables. All become ENABLED. What only master/ knew is not rebuilt: the users' rights, quotas, "
                   "replication peers, switches, procedures that ran, and which tables were disabled";
  finding.repair = {.step = RepairStep::kRebuildMeta, .loses_data = lacks_folders};
  AddUnreadableFolders();
}

void Checker::AddUnreadableFolders() {
  for (const DamagedPlace& folder : picture_.unreadable_folders) {
    Finding& finding = Add(FindingKind::kUnreadableFolder, nullptr, "", folder.place + ": " + folder.why);
    finding.advice = "nothing repairs that";
    if (folder.remedy == Remedy::kMend) {
      finding.advice = "--repair, or else the server's next start, mends that, and nothing is lost";
      finding.repair = {.step = RepairStep::kMendFolder, .place = folder.place};
    } else if (folder.remedy == Remedy::kRebuild) {
      finding.advice =
          "--repair --accept-data-loss rebuilds the database from its store files and logs; deleted rows may be back, "
          "and data of clones may be with the table that they were cloned from";
      finding.repair = {.step = RepairStep::kRebuildFolder, .loses_data = true, .place = folder.place};
    }
  }
}

void Checker::SortData() {
  for (const RegionData& data : picture_.data) {
    if (data.is_sidelined) {
      sidelined_[data.region] = &data;
      continue;
    }
    data_[data.region].push_back(&data);
    owners_.insert(data.owners.begin(), data.owners.end());
  }
  for (const Row* row : regions_) {
    const RegionData* data = DataOf(*row);
    if (data == nullptr) continue;
    for (const StoreOnDisk& store : data->stores) {
      for (const uint64_t file : store.files) owned_files_.emplace(file, &row->region.info);
    }
  }
}

bool Checker::IsHome(const RegionData& data, const Row& row) const {
  const std::string& home = row.region.home;
  if (owners_.contains(home)) return std::find(data.owners.begin(), data.owners.end(), home) != data.owners.end();
  // A master that died between writing that a later life has the folder and renaming it leaves this.
  return !data.owners.empty() && IsEarlierLife(data.owners.front(), home);
}

// Returns the region's data: in its handoff, else at its home, else in any other place; null if it has none.
const RegionData* Checker::DataOf(const Row& row) const {
  const auto found = data_.find(row.region.info.EncodedName());
  if (found == data_.end()) return nullptr;
  for (const RegionData* data : found->second) {
    if (data->is_handoff()) return data;
  }
  for (const RegionData* data : found->second) {
    if (IsHome(*data, row)) return data;
  }
  return found->second.front();
}

// ---- data without a region ----

// A region shares files with its daughters and its parents, whose rows they serve. A clone of a snapshot shares them,
// too, and so do two daughters: what these serve are other rows.
bool Checker::IsFileOfRelatives(uint64_t file, const RegionInfo* region) const {
  const auto [begin, end] = owned_files_.equal_range(file);
  return std::any_of(begin, end, [&](const auto& owned) {
    const RegionInfo& owner = *owned.second;
    return region == nullptr || (owner.table == region->table && owner.Overlaps(*region));
  });
}

// All cells are in files that related regions of meta have, too.
bool Checker::HasOnlyLinks(const RegionData& data) const {
  const RegionInfo* const region = picture_.KnownRegion(data.region);
  return std::all_of(data.stores.begin(), data.stores.end(), [&](const StoreOnDisk& store) {
    return !store.has_memstore && std::all_of(store.files.begin(), store.files.end(),
                                              [&](uint64_t file) { return IsFileOfRelatives(file, region); });
  });
}

std::string Checker::WhyNobodyWants(const RegionData& data) const {
  const auto row = by_name_.find(data.region);
  if (row != by_name_.end() && !IsParent(*row->second)) {
    return DataOf(*row->second) == &data ? "" : "a copy of a region that is elsewhere";
  }
  if (IsEmpty(data)) return "empty stores of no region";
  if (HasOnlyLinks(data)) return "links to files that other regions have: of a split, a merge or a copy";
  if (row != by_name_.end()) return IsWholeParent(*row->second) ? "" : "of a region that was split";
  const RegionInfo* const known = picture_.KnownRegion(data.region);
  if (known == nullptr) return "";
  const TableName& table = known->table;
  const bool exists = picture_.states.contains(table) ||
                      std::any_of(regions_.begin(), regions_.end(),
                                  [&](const Row* other) { return other->region.info.table == table; });
  return exists ? "" : "of table " + table.ToString() + ", which was deleted";
}

void Checker::FindOrphans() {
  for (const RegionData& data : picture_.data) {
    const auto row = by_name_.find(data.region);
    if (row != by_name_.end() && !IsParent(*row->second)) continue;
    const bool is_spare = data.is_sidelined || IsEmpty(data);
    if (!is_spare && !WhyNobodyWants(data).empty()) continue;
    Orphan& orphan = orphans_.emplace_back(MakeOrphan(data));
    orphan.is_spare = is_spare;
    orphan.repair = {.step = RepairStep::kSideline, .place = data.place, .data = data.region};
    if (const RegionInfo* const known = picture_.KnownRegion(data.region)) orphan.repair.region = *known;
  }
}

void Checker::AdoptOrphans() {
  for (const Hole& hole : holes_) AdoptKnown(hole);
  for (const Hole& hole : holes_) AdoptUnknown(hole);
}

// Data come before what is empty, and these before what is in the sideline. Daughters come before what they were split
// from: the newest first. A handoff counts more than a store.
void Checker::AdoptKnown(const Hole& hole) {
  std::vector<Orphan*> fitting;
  for (Orphan& orphan : orphans_) {
    const RegionInfo& info = orphan.repair.region;
    if (info.id != 0 && hole.HoldsRegion(info)) fitting.push_back(&orphan);
  }
  const auto rank = [](const Orphan* orphan) {
    return std::tuple(orphan->data->is_sidelined, IsEmpty(*orphan->data), -orphan->repair.region.id,
                      !orphan->data->is_handoff());
  };
  std::stable_sort(fitting.begin(), fitting.end(), [&](const Orphan* a, const Orphan* b) { return rank(a) < rank(b); });
  std::vector<const RegionInfo*> adopted;
  for (Orphan* orphan : fitting) {
    const RegionInfo& info = orphan->repair.region;
    const bool overlaps =
        std::any_of(adopted.begin(), adopted.end(), [&](const RegionInfo* other) { return other->Overlaps(info); });
    if (overlaps) continue;
    orphan->repair.step = orphan->data->is_sidelined ? RepairStep::kBringBack : RepairStep::kAdopt;
    adopted.push_back(&info);
  }
}

bool Checker::FitsUnknown(const Orphan& orphan, const Hole& hole) const {
  if (orphan.is_spare || orphan.repair.region.id != 0 || orphan.data->is_handoff()) return false;
  const TableDescriptor* table = DescriptorOf(hole.table);
  if (table == nullptr) return false;
  for (const StoreOnDisk& store : orphan.data->stores) {
    if (table->FindFamilyOfStore(store.family) == nullptr) return false;
  }
  return hole.Holds(orphan.first_row, orphan.last_row + '\0');
}

// Nobody knows which region these were: they fill the hole from side to side, in the order of their rows. What fits
// into two holes, or lies across another, stays out.
void Checker::AdoptUnknown(const Hole& hole) {
  std::vector<Orphan*> fitting;
  for (Orphan& orphan : orphans_) {
    const bool known_here = orphan.repair.step == RepairStep::kAdopt && hole.HoldsRegion(orphan.repair.region);
    if (known_here) return;  // the next look finds what they leave of the hole
    const auto fits = [&](const Hole& other) { return FitsUnknown(orphan, other); };
    if (fits(hole) && std::count_if(holes_.begin(), holes_.end(), fits) == 1) fitting.push_back(&orphan);
  }
  std::sort(fitting.begin(), fitting.end(),
            [](const Orphan* a, const Orphan* b) { return a->first_row < b->first_row; });
  for (size_t i = 1; i < fitting.size(); ++i) {
    if (fitting[i]->first_row <= fitting[i - 1]->last_row) return;
  }
  for (size_t i = 0; i < fitting.size(); ++i) {
    Repair& repair = fitting[i]->repair;
    repair.step = RepairStep::kAdoptAs;
    repair.region = {.table = hole.table,
                     .start_key = i == 0 ? hole.start : fitting[i]->first_row,
                     .end_key = i + 1 == fitting.size() ? hole.end : fitting[i + 1]->first_row};
  }
}

// ---- regions with and without data ----

void Checker::CheckRegionData() {
  for (const Row* row : regions_) {
    const RegionInfo& info = row->region.info;
    const RegionData* data = DataOf(*row);
    if (data == nullptr) {
      if (row->region.home.empty() || picture_.emptied.contains(info.EncodedName())) continue;  // it was never open
      if (const auto sidelined = sidelined_.find(info.EncodedName()); sidelined != sidelined_.end()) {
        Finding& finding = Add(FindingKind::kNotOnDisk, &info.table, info.EncodedName(),
                               "its data are in " + sidelined->second->place);
        finding.repair = {.step = RepairStep::kBringBack, .region = info, .place = sidelined->second->place};
        finding.repair.data = sidelined->second->region;
        finding.advice = "--repair brings them back from there";
        continue;
      }
      if (!picture_.unreadable_folders.empty()) continue;  // they may be there
      Finding& finding = Add(FindingKind::kNotOnDisk, &info.table, info.EncodedName(),
                             "its data are nowhere; they were last with " + row->region.home);
      finding.repair = {.step = RepairStep::kReplaceByEmpty, .loses_data = true, .row_key = row->key, .region = info};
      finding.advice = SidelineToSeeTo() + "--repair --accept-data-loss puts an empty region in its place";
      continue;
    }
    if (!data->is_handoff() && !row->region.home.empty() && !IsHome(*data, *row)) {
      Finding& finding = Add(FindingKind::kOtherPlace, &info.table, info.EncodedName(),
                             "meta says that " + row->region.home + " has its data, and they are in " + data->place);
      finding.repair = {.step = RepairStep::kAdopt, .region = info, .place = data->place, .data = data->region};
      finding.advice = "--repair corrects the row";
    }
    CheckStores(*row, *data);
  }
}

void Checker::CheckStores(const Row& row, const RegionData& data) {
  const RegionInfo& info = row.region.info;
  const TableDescriptor* table = DescriptorOf(info.table);
  if (table == nullptr) return;
  for (const auto& [family, descriptor] : table->families) {
    // When it opens it gets the stores of families that were added meanwhile, which are not noted.
    const std::string store = descriptor.StoreName();
    const bool may_lack =
        data.noted_families.empty() ? row.region.state != RegionState::kOpen : !data.noted_families.contains(store);
    if (HasStore(data, store) || may_lack) continue;
    Finding& finding = Add(FindingKind::kMissingStore, &info.table, info.EncodedName(),
                           "family " + family + " has no store in " + data.place);
    finding.repair = {.step = RepairStep::kCreateStore,
                      .loses_data = true,
                      .region = info,
                      .place = data.place,
                      .data = data.region,
                      .family = family};
    finding.advice = "--repair --accept-data-loss makes an empty one";
  }
  for (const StoreOnDisk& store : data.stores) {
    if (store.empty || table->FindFamilyOfStore(store.family) != nullptr || data.is_handoff()) continue;
    Finding& finding =
        Add(FindingKind::kUnknownStore, &info.table, info.EncodedName(),
            "there is a store of family " + store.family + " in " + data.place + ", but the table has no such family");
    finding.repair = {.step = RepairStep::kSideline,
                      .region = info,
                      .place = data.place,
                      .data = data.region,
                      .family = store.family};
    finding.advice = "--repair moves it to sideline/";
  }
}

// Reports damaged stores. A store with a bad file has a finding for that already.
void Checker::CheckDamage(const RegionData& data, const TableName* table) {
  for (const StoreOnDisk& store : data.stores) {
    if (store.damage.empty() || !store.bad_files.empty()) continue;
    Finding& finding = Add(FindingKind::kDamagedStore, table, data.region,
                           "family " + store.family + " in " + data.place + ": " + store.damage);
    finding.advice = "--repair --accept-data-loss goes on with the cells that are left";
    finding.repair = {.step = RepairStep::kForgetMissingFiles,
                      .loses_data = true,
                      .place = data.place,
                      .data = data.region,
                      .family = store.family};
  }
}

// Reports damaged store files. Damaged logs have findings for the stores that lost writes.
void Checker::CheckFiles() {
  for (const DamagedFile& file : picture_.damaged_files) {
    const RegionInfo* const known = picture_.KnownRegion(file.region);
    const TableName* table = known == nullptr ? nullptr : &known->table;
    Finding& finding = Add(FindingKind::kDamagedFile, table, file.region, file.place + ": " + file.what);
    if (file.family.empty()) {
      finding.advice = "restore the file";
      continue;
    }
    finding.advice = "--repair --accept-data-loss goes on with the store's other files";
    finding.repair = {.step = RepairStep::kForgetFile,
                      .loses_data = true,
                      .place = file.place,
                      .data = file.region,
                      .family = file.family,
                      .file = file.file};
  }
}

void Checker::ReportOrphans() {
  for (const Orphan& orphan : orphans_) {
    if (orphan.is_spare && orphan.repair.step == RepairStep::kSideline) continue;
    const bool is_known = orphan.repair.region.id != 0;
    Finding& finding =
        Add(FindingKind::kOrphanRegion, is_known ? &orphan.repair.region.table : nullptr, orphan.data->region,
            "hbase:meta does not have it; " + orphan.data->place + " has its rows from '" +
                ToStringBinary(orphan.first_row) + "' to '" + ToStringBinary(orphan.last_row) + "'");
    finding.repair = orphan.repair;
    const RegionInfo& info = orphan.repair.region;
    const std::string range = info.table.ToString() + " " + RangeText(info.start_key, info.end_key);
    if (orphan.repair.step == RepairStep::kAdopt) finding.advice = "--repair adopts it as region " + range;
    if (orphan.repair.step == RepairStep::kBringBack) finding.advice = "--repair brings it back as region " + range;
    if (orphan.repair.step == RepairStep::kAdoptAs) finding.advice = "--repair makes it a new region " + range;
    if (orphan.repair.step == RepairStep::kSideline) {
      finding.advice = "it fits no hole: --repair, or else the next start, moves it to sideline/";
    }
  }
}

void Checker::CheckMissingFiles(const RegionData& data, const TableName* table) {
  for (const StoreOnDisk& store : data.stores) {
    for (const auto& [file, why] : store.bad_files) {
      Finding& finding = Add(FindingKind::kMissingFiles, table, data.region,
                             "family " + store.family + " in " + data.place + ": " + why);
      finding.repair = {.step = RepairStep::kForgetFile,
                        .loses_data = true,
                        .place = data.place,
                        .data = data.region,
                        .family = store.family,
                        .file = file};
      finding.advice =
          data.is_handoff() ? "restore the file" : "--repair --accept-data-loss goes on with the store's other files";
      if (data.is_handoff()) finding.repair.step = RepairStep::kNone;
    }
  }
}

void Checker::CheckPlaces() {
  ReportOrphans();
  for (const RegionData& data : picture_.data) {
    if (data.is_sidelined) continue;
    const RegionInfo* const known = picture_.KnownRegion(data.region);
    const TableName* table = known == nullptr ? nullptr : &known->table;
    CheckMissingFiles(data, table);
    CheckDamage(data, table);
    const bool is_adopted = std::any_of(orphans_.begin(), orphans_.end(), [&](const Orphan& orphan) {
      return orphan.data == &data && orphan.repair.step == RepairStep::kAdopt;
    });
    const std::string why = is_adopted ? "" : WhyNobodyWants(data);
    if (!why.empty()) Add(FindingKind::kLeftover, table, data.region, data.place + " has " + why);
  }
  CheckFiles();
  for (const auto& [place, what] : picture_.leftovers) Add(FindingKind::kLeftover, nullptr, "", place + ": " + what);
  AddUnreadableFolders();
  for (const DamagedPlace& snapshot : picture_.bad_snapshots) {
    Add(FindingKind::kBadSnapshot, nullptr, "", snapshot.place + ": " + snapshot.why).advice = "delete the snapshot";
  }
}

}  // namespace vaquita::fsck
