#include "server/fsck/repair.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/durable_files.h"
#include "base/status.h"
#include "server/data_root/handoff.h"
#include "server/fsck/check.h"
#include "server/master/meta/scan_all.h"

namespace vaquita::fsck {
namespace {

bool IsOn(TableState state) { return state == TableState::kEnabled || state == TableState::kEnabling; }

// Writes every cell of `from`, markers and former versions too, to the stores of `to`.
absl::Status CopyCells(Region& from, const RegionInfo& to, StoreDb* db) {
  VAQUITA_ASSIGN_OR_RETURN(const std::unique_ptr<RegionScanner> scanner, from.NewScanner(HistoryScan()));
  const std::string name = to.EncodedName();
  const auto table = from.table();
  for (bool more = true; more;) {
    ResultBatch batch;
    batch.cells.CarryTtls();
    VAQUITA_ASSIGN_OR_RETURN(more, scanner->Next({.max_bytes = kMiB}, &batch));
    StoreBatch writes(WriteOrder::kLost);  // the scan has no order of writes
    for (size_t i = 0; i < batch.cells.size(); ++i) {
      const CellView cell = batch.cells[i];
      const FamilyDescriptor* const family = table->FindFamily(cell.family);
      const auto store = family == nullptr ? nullptr : db->Find(Region::StoreName(name, *family));
      if (store == nullptr) return absl::NotFoundError(absl::StrCat("region ", name, " has no store of its own"));
      writes.Add(*store, cell.row, cell.qualifier, cell.timestamp_ms, cell.type, cell.value, cell.ttl_ms);
    }
    VAQUITA_RETURN_IF_ERROR(db->Write(&writes, Durability::kSyncWal));
  }
  return absl::OkStatus();
}

absl::Status FlushStoresOf(const RegionInfo& region, const TableDescriptor& table, StoreDb* db) {
  std::vector<std::shared_ptr<Store>> stores;
  for (const auto& [name, family] : table.families) {
    if (auto store = db->Find(Region::StoreName(region.EncodedName(), family))) stores.push_back(std::move(store));
  }
  return db->Flush(stores);
}

}  // namespace

Repairer::Repairer(DataRoot* root)
    : root_(root), ids_(root->clock()), sideline_(SidelineFolder(root->path(), root->clock()->NowMs())) {}

absl::StatusOr<std::string> Repairer::Execute(const Repair& repair, const Picture& picture) {
  switch (repair.step) {
    case RepairStep::kNone:
      break;
    case RepairStep::kMendFolder:
      VAQUITA_RETURN_IF_ERROR(root_->MendFolder(repair.place));
      return repair.place + " has its database again";
    case RepairStep::kRebuildFolder:
      return root_->RebuildFolder(repair.place, picture, sideline_ + "/" + repair.place);
    case RepairStep::kRebuildMeta:
      return RebuildMeta(picture);
    case RepairStep::kBringBack:
      return BringBack(repair, picture);
    case RepairStep::kRemoveRow:
      return RemoveRow(repair);
    case RepairStep::kPutTableState:
      return PutTableState(repair);
    case RepairStep::kPutDescriptor:
      return PutDescriptor(repair, picture);
    case RepairStep::kForgetMissingFiles:
      return ForgetMissingFiles(repair, picture);
    case RepairStep::kForgetFile:
      VAQUITA_RETURN_IF_ERROR(
          root_->ForgetFile(repair.place, repair.file, picture, sideline_ + "/" + repair.place + "/damaged-files"));
      return absl::StrCat("family ", repair.family, " of region ", repair.data, " goes on without ", repair.file);
    case RepairStep::kRestoreParent:
      return RestoreParent(repair, picture);
    case RepairStep::kAdopt:
      return Adopt(repair, picture);
    case RepairStep::kAdoptAs:
      return AdoptAs(repair, picture);
    case RepairStep::kMakeEmpty:
    case RepairStep::kReplaceByEmpty:
      return MakeEmpty(repair, picture);
    case RepairStep::kCreateStore:
      return CreateStore(repair, picture);
    case RepairStep::kMergeByCopy:
      return MergeByCopy(repair, picture);
    case RepairStep::kSideline:
      return Sideline(repair, picture);
  }
  return absl::InternalError("there is nothing to do");
}

// ---- what they have in common ----

absl::Status Repairer::KeepRow(const std::string& key) {
  Scan scan;
  scan.rows = {key, key, true, true};
  scan.max_versions = std::numeric_limits<int32_t>::max();
  VAQUITA_ASSIGN_OR_RETURN(const ResultBatch batch, ScanAll(*root_->meta().region(), scan));
  std::string text;
  for (size_t i = 0; i < batch.cells.size(); ++i) {
    const CellView cell = batch.cells[i];
    absl::StrAppend(&text, ToStringBinary(cell.row), " ", ToStringBinary(cell.family), ":",
                    ToStringBinary(cell.qualifier), " @", cell.timestamp_ms, " ", ToStringBinary(cell.value), "\n");
  }
  const std::string file = sideline_ + "/meta-rows.txt";
  VAQUITA_RETURN_IF_ERROR(CreateFolder(sideline_));
  const auto before = ReadFile(file);
  if (!before.ok() && !absl::IsNotFound(before.status())) return before.status();  // its contents must stay
  if (before.ok()) text = *before + text;
  return ReplaceFile(file, text);
}

absl::StatusOr<SidelinedRegion> Repairer::SidelineRegion(const RegionData& data, const std::string& family,
                                                         const Picture& picture) {
  if (data.is_handoff()) {
    VAQUITA_RETURN_IF_ERROR(SidelineWhole(root_->path() + "/" + data.place, sideline_).status());
    return SidelinedRegion();  // its manifest says it
  }
  VAQUITA_ASSIGN_OR_RETURN(StoreDb* const db, root_->OpenPlace(data.place, picture));
  std::vector<std::shared_ptr<Store>> stores;
  for (const StoreOnDisk& found : data.stores) {
    const auto store = db->Find(Region::StoreName(data.region, found.family));
    if (store != nullptr && (family.empty() || found.family == family)) stores.push_back(store);
  }
  SnapshotRegion region;
  if (const RegionInfo* const known = picture.KnownRegion(data.region)) {
    region.info = *known;
    region.table = picture.KnownDescriptor(region.info.table);
  }
  return SidelineStores(db, stores, std::move(region), data.region, sideline_);
}

absl::StatusOr<std::shared_ptr<const TableDescriptor>> Repairer::TableOf(const RegionInfo& region,
                                                                         const Picture& picture) {
  if (auto table = picture.KnownDescriptor(region.table); table != nullptr) return table;
  return absl::NotFoundError("nothing is known of table " + region.table.ToString());
}

const RegionData* Repairer::FindData(const std::string& place, const std::string& region, const Picture& picture) {
  for (const RegionData& data : picture.data) {
    if (data.place == place && data.region == region) return &data;
  }
  return nullptr;
}

RegionInfo Repairer::NewRegion(const RegionInfo& rows, const Picture& picture) {
  for (const auto& [name, info] : picture.known_regions) ids_.Observe(info.id);
  return {.table = rows.table, .start_key = rows.start_key, .end_key = rows.end_key, .id = ids_.NextMs()};
}

absl::Status Repairer::PutRegion(const RegionInfo& region, const RegionData* data, const Picture& picture) {
  MetaEdit edit;
  AddRegion(region, data, picture, &edit);
  return root_->meta().Apply(std::move(edit));
}

// `data` null: a region that was never open, which begins empty.
void Repairer::AddRegion(const RegionInfo& region, const RegionData* data, const Picture& picture, MetaEdit* edit) {
  const auto state = picture.states.find(region.table);
  const bool is_on = state == picture.states.end() || IsOn(state->second);
  const bool has_home = data != nullptr && !data->owners.empty();
  RegionState region_state = is_on ? RegionState::kOffline : RegionState::kClosed;
  if (is_on && has_home) region_state = RegionState::kOpen;
  edit->PutAssignment(region, region_state, has_home ? data->owners.front() : "", "");
}

// ---- the repairs ----

// The new database is whole before it gets its place. After an error or a crash before that no server starts on the
// root, and the next repair begins anew.
absl::StatusOr<std::string> Repairer::RebuildMeta(const Picture& picture) {
  Picture known = picture;
  known.meta_damage.reset();
  MetaEdit edit;
  for (const RegionData& data : picture.data) {
    const RegionInfo* const region = picture.KnownRegion(data.region);
    if (data.is_sidelined || region == nullptr) continue;
    const TableName& table = region->table;
    const auto descriptor = picture.KnownDescriptor(table);
    if (descriptor == nullptr || !known.states.emplace(table, TableState::kEnabled).second) continue;
    known.descriptors[table] = descriptor;
    edit.PutTableState(table, TableState::kEnabled);
  }
  size_t regions = 0;
  for (const Finding& finding : Check(known)) {
    if (finding.repair.step != RepairStep::kAdopt) continue;
    const Repair& adopt = finding.repair;
    AddRegion(adopt.region, FindData(adopt.place, adopt.data, picture), picture, &edit);
    ++regions;
  }
  VAQUITA_RETURN_IF_ERROR(root_->RebuildMeta(sideline_, [&]() -> absl::Status {
    if (!picture.cluster_id.empty()) VAQUITA_RETURN_IF_ERROR(root_->store().SetClusterId(picture.cluster_id));
    for (const auto& [table, descriptor] : known.descriptors) {
      VAQUITA_RETURN_IF_ERROR(root_->store().PutDescriptor(*descriptor));
      const bool has_namespace = root_->namespaces().Get(table.ns).ok();
      if (!has_namespace) VAQUITA_RETURN_IF_ERROR(root_->namespaces().Create({.name = table.ns}));
    }
    return root_->meta().Apply(std::move(edit));
  }));
  return absl::StrCat("rebuilt hbase:meta, with ", regions, " regions of ", known.states.size(),
                      " tables; what was there of master/ is in ", sideline_);
}

absl::StatusOr<std::string> Repairer::BringBack(const Repair& repair, const Picture& picture) {
  const std::string folder = root_->path() + "/" + repair.place;
  const std::string name = repair.region.EncodedName();
  VAQUITA_RETURN_IF_ERROR(CreateFolder(root_->path() + "/handoff"));
  VAQUITA_RETURN_IF_ERROR(RenamePath(folder, HandoffFolder(root_->path(), name)));
  VAQUITA_RETURN_IF_ERROR(SyncHandoffs(root_->path()));
  VAQUITA_RETURN_IF_ERROR(PutRegion(repair.region, nullptr, picture));
  return absl::StrCat("region ", name, " has its data again, from ", repair.place);
}

absl::StatusOr<std::string> Repairer::RemoveRow(const Repair& repair) {
  VAQUITA_RETURN_IF_ERROR(KeepRow(repair.row_key));
  MetaEdit edit;
  edit.DeleteRow(repair.row_key);
  VAQUITA_RETURN_IF_ERROR(root_->meta().Apply(std::move(edit)));
  return "removed row " + ToStringBinary(repair.row_key) + " of hbase:meta";
}

absl::StatusOr<std::string> Repairer::PutTableState(const Repair& repair) {
  MetaEdit edit;
  edit.PutTableState(repair.region.table, repair.state);
  VAQUITA_RETURN_IF_ERROR(root_->meta().Apply(std::move(edit)));
  return absl::StrCat("table ", repair.region.table.ToString(), " is ", TableStateName(repair.state).data(), " again");
}

absl::StatusOr<std::string> Repairer::PutDescriptor(const Repair& repair, const Picture& picture) {
  VAQUITA_ASSIGN_OR_RETURN(const auto table, TableOf(repair.region, picture));
  VAQUITA_RETURN_IF_ERROR(root_->store().PutDescriptor(*table));
  return "table " + table->name.ToString() + " has a descriptor again";
}

// Treats a damaged store like one that lost a file: it goes on with its remaining cells.
absl::StatusOr<std::string> Repairer::ForgetMissingFiles(const Repair& repair, const Picture& picture) {
  if (mended_.insert(repair.place).second) {
    VAQUITA_RETURN_IF_ERROR(root_->ForgetMissing(repair.place, picture, sideline_ + "/" + repair.place));
  }
  return absl::StrCat("family ", repair.family, " of region ", repair.data, " goes on with what it has");
}

absl::StatusOr<std::string> Repairer::RestoreParent(const Repair& repair, const Picture& picture) {
  VAQUITA_RETURN_IF_ERROR(RemoveRow(repair).status());
  RegionInfo region = repair.region;
  region.offline = region.split = false;
  VAQUITA_RETURN_IF_ERROR(PutRegion(region, FindData(repair.place, repair.data, picture), picture));
  return "region " + region.EncodedName() + " is one again, not a split parent";
}

absl::StatusOr<std::string> Repairer::Adopt(const Repair& repair, const Picture& picture) {
  VAQUITA_RETURN_IF_ERROR(PutRegion(repair.region, FindData(repair.place, repair.data, picture), picture));
  return "hbase:meta has region " + repair.data + ", whose data are in " + repair.place;
}

absl::StatusOr<std::string> Repairer::AdoptAs(const Repair& repair, const Picture& picture) {
  const RegionData* data = FindData(repair.place, repair.data, picture);
  VAQUITA_ASSIGN_OR_RETURN(const auto table, TableOf(repair.region, picture));
  // The data get a new region, because their manifest cannot say which one they had.
  VAQUITA_ASSIGN_OR_RETURN(const SidelinedRegion sidelined, SidelineRegion(*data, "", picture));
  const RegionInfo region = NewRegion(repair.region, picture);
  VAQUITA_ASSIGN_OR_RETURN(StoreDb* const db, root_->OpenPlace(data->place, picture));
  VAQUITA_RETURN_IF_ERROR(Region::Import(db, *table, {{region, sidelined.folder, &sidelined.region.files}}));
  VAQUITA_RETURN_IF_ERROR(Region::OpenOrCreate(db, region, table).status());  // with the families that it had not
  VAQUITA_RETURN_IF_ERROR(PutRegion(region, data, picture));
  return absl::StrCat("region ", region.EncodedName(), " has the data of ", data->region);
}

absl::StatusOr<std::string> Repairer::MakeEmpty(const Repair& repair, const Picture& picture) {
  if (!repair.row_key.empty()) VAQUITA_RETURN_IF_ERROR(RemoveRow(repair).status());
  const RegionInfo region = NewRegion(repair.region, picture);
  VAQUITA_RETURN_IF_ERROR(PutRegion(region, nullptr, picture));
  return "made the empty region " + region.EncodedName();
}

absl::StatusOr<std::string> Repairer::CreateStore(const Repair& repair, const Picture& picture) {
  VAQUITA_ASSIGN_OR_RETURN(const auto table, TableOf(repair.region, picture));
  VAQUITA_ASSIGN_OR_RETURN(StoreDb* const db, root_->OpenPlace(repair.place, picture));
  VAQUITA_RETURN_IF_ERROR(Region::OpenOrCreate(db, repair.region, table).status());
  return absl::StrCat("region ", repair.data, " has an empty store of family ", repair.family);
}

absl::StatusOr<std::string> Repairer::MergeByCopy(const Repair& repair, const Picture& picture) {
  const RegionData* const sources[] = {FindData(repair.place, repair.region.EncodedName(), picture),
                                       FindData(repair.other_place, repair.other.EncodedName(), picture)};
  VAQUITA_ASSIGN_OR_RETURN(const auto table, TableOf(repair.region, picture));
  RegionInfo rows = repair.region;
  rows.start_key = std::min(rows.start_key, repair.other.start_key);
  if (repair.other.end_key.empty() || rows.end_key.empty()) {
    rows.end_key.clear();
  } else {
    rows.end_key = std::max(rows.end_key, repair.other.end_key);
  }
  const RegionInfo merged = NewRegion(rows, picture);
  VAQUITA_ASSIGN_OR_RETURN(StoreDb* const db, root_->OpenPlace(sources[0]->place, picture));
  VAQUITA_RETURN_IF_ERROR(Region::OpenOrCreate(db, merged, table).status());
  for (size_t i = 0; i < 2; ++i) {
    VAQUITA_ASSIGN_OR_RETURN(StoreDb* const from, root_->OpenPlace(sources[i]->place, picture));
    VAQUITA_ASSIGN_OR_RETURN(const auto source, Region::Open(from, i == 0 ? repair.region : repair.other, table));
    VAQUITA_RETURN_IF_ERROR(CopyCells(*source, merged, db));
  }
  // The copies must be on the disk before anything of the sources goes: their writes did not wait for it.
  VAQUITA_RETURN_IF_ERROR(FlushStoresOf(merged, *table, db));
  MetaEdit edit;
  for (const RegionInfo* info : {&repair.region, &repair.other}) {
    VAQUITA_RETURN_IF_ERROR(KeepRow(info->Name()));
    edit.DeleteRow(info->Name());
  }
  AddRegion(merged, sources[0], picture, &edit);
  VAQUITA_RETURN_IF_ERROR(root_->meta().Apply(std::move(edit)));
  for (const RegionData* source : sources) VAQUITA_RETURN_IF_ERROR(SidelineRegion(*source, "", picture).status());
  return absl::StrCat("region ", merged.EncodedName(), " has the cells of ", repair.region.EncodedName(), " and ",
                      repair.other.EncodedName());
}

absl::StatusOr<std::string> Repairer::Sideline(const Repair& repair, const Picture& picture) {
  VAQUITA_RETURN_IF_ERROR(
      SidelineRegion(*FindData(repair.place, repair.data, picture), repair.family, picture).status());
  return "moved region " + repair.data + " of " + repair.place + " to " + sideline_;
}

}  // namespace vaquita::fsck
