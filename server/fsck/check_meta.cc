// Checks hbase:meta by itself: rows can be read, tables are complete, key spaces have no holes and overlaps.
#include <algorithm>

#include "server/fsck/checker.h"

namespace vaquita::fsck {
namespace {

// By start key; of those with the same one the larger comes first.
bool ComesBefore(const MetaTable::Row* a, const MetaTable::Row* b) {
  const RegionInfo& left = a->region.info;
  const RegionInfo& right = b->region.info;
  if (left.start_key != right.start_key) return left.start_key < right.start_key;
  if (left.end_key.empty() != right.end_key.empty()) return left.end_key.empty();
  return left.end_key != right.end_key ? left.end_key > right.end_key : left.id < right.id;
}

bool ReachesFurther(const RegionInfo& a, const RegionInfo& b) {
  return !b.end_key.empty() && (a.end_key.empty() || a.end_key > b.end_key);
}

bool Names(const std::vector<RegionInfo>& regions, const RegionInfo& region) {
  return std::any_of(regions.begin(), regions.end(),
                     [&](const RegionInfo& other) { return other.EncodedName() == region.EncodedName(); });
}

Repair RemoveRow(const MetaTable::Row& row) {
  return {.step = RepairStep::kRemoveRow, .row_key = row.key, .region = row.region.info};
}

constexpr const char* kRemovesRow = "--repair removes the row, and keeps its cells in sideline/";

}  // namespace

void Checker::CheckRows() {
  for (const MetaTable::BadRow& bad : picture_.bad_rows) {
    Finding& finding = Add(FindingKind::kEmptyMetaCell, nullptr, "",
                           "row " + ToStringBinary(bad.key) + " of hbase:meta: " + std::string(bad.why.message()));
    finding.advice = kRemovesRow;
    finding.repair = {.step = RepairStep::kRemoveRow, .row_key = bad.key};
  }
  for (const Row& row : picture_.rows) {
    const RegionInfo& info = row.region.info;
    if (row.key == info.Name()) continue;
    Finding& finding =
        Add(FindingKind::kWrongRowKey, &info.table, info.EncodedName(),
            "row " + ToStringBinary(row.key) + " of hbase:meta has region " + ToStringBinary(info.Name()));
    finding.advice = kRemovesRow;
    finding.repair = RemoveRow(row);
  }
  for (const Row* row : regions_) {
    const RegionInfo& info = row->region.info;
    if (info.end_key.empty() || info.start_key < info.end_key) continue;
    Finding& finding = Add(FindingKind::kDegenerateRegion, &info.table, info.EncodedName(),
                           "its rows are " + RangeText(info.start_key, info.end_key) + ", which is an empty range");
    finding.advice = kRemovesRow;
    finding.repair = RemoveRow(*row);
  }
}

void Checker::CheckTables() {
  std::map<TableName, bool> without_state;  // true if one of its regions is open, or will be
  for (const Row* row : regions_) {
    const TableName& table = row->region.info.table;
    if (picture_.states.contains(table)) continue;
    without_state[table] =
        without_state[table] || row->region.state == RegionState::kOpen || row->region.state == RegionState::kOpening;
  }
  for (const auto& [table, is_open] : without_state) {
    Finding& finding = Add(FindingKind::kNoTableState, &table, "", "hbase:meta has its regions, but not its state");
    finding.repair.step = RepairStep::kPutTableState;
    finding.repair.region.table = table;
    finding.repair.state = is_open ? TableState::kEnabled : TableState::kDisabled;
    finding.advice = "--repair makes it " + std::string(TableStateName(finding.repair.state));
  }
  std::set<TableName> tables;
  for (const auto& [table, state] : picture_.states) tables.insert(table);
  for (const auto& [table, is_open] : without_state) tables.insert(table);
  for (const TableName& table : tables) {
    if (DescriptorOf(table) != nullptr) continue;
    Finding& finding = Add(FindingKind::kNoTableDescriptor, &table, "", "its descriptor is missing");
    if (!picture_.former_descriptors.contains(table)) {
      finding.advice = "its families are not known";
      continue;
    }
    finding.repair.step = RepairStep::kPutDescriptor;
    finding.repair.region.table = table;
    finding.advice = "--repair makes one from the data: check its attributes afterwards";
  }
}

void Checker::CheckParents() {
  for (const Row* row : parents_) {
    const RegionInfo& info = row->region.info;
    if (IsWholeParent(*row)) continue;
    Finding& finding = Add(FindingKind::kBrokenSplit, &info.table, info.EncodedName(),
                           info.split ? "it was split, and its row does not name both daughters"
                                      : "its row names daughters, and does not say that it was split");
    const bool has_data = picture_.is_stopped && DataOf(*row) != nullptr;
    const bool is_covered = std::any_of(regions_.begin(), regions_.end(),
                                        [&](const Row* other) { return other->region.info.Overlaps(info); });
    if (has_data && !is_covered) {
      finding.repair = {.step = RepairStep::kRestoreParent, .row_key = row->key, .region = info};
      finding.repair.place = DataOf(*row)->place;
      finding.repair.data = DataOf(*row)->region;
      finding.advice = "--repair makes it a region again";
    } else {
      finding.repair = RemoveRow(*row);
      finding.advice = kRemovesRow;
    }
  }
}

void Checker::CheckKeySpace(const TableName& table, const std::vector<const Row*>& rows) {
  std::vector<const Row*> sorted;
  for (const Row* row : rows) {
    const RegionInfo& info = row->region.info;
    if (info.end_key.empty() || info.start_key < info.end_key) sorted.push_back(row);
  }
  std::sort(sorted.begin(), sorted.end(), &ComesBefore);
  const Row* furthest = nullptr;
  for (const Row* row : sorted) {
    const RegionInfo& info = row->region.info;
    const std::string reached = furthest == nullptr ? "" : furthest->region.info.end_key;
    const bool to_the_end = furthest != nullptr && reached.empty();
    if (!to_the_end && info.start_key > reached) holes_.push_back({table, reached, info.start_key});
    if (furthest != nullptr && (to_the_end || info.start_key < reached)) AddOverlap(*furthest, *row);
    if (furthest == nullptr || ReachesFurther(info, furthest->region.info)) furthest = row;
  }
  if (furthest == nullptr) {
    holes_.push_back({table, "", ""});
  } else if (!furthest->region.info.end_key.empty()) {
    holes_.push_back({table, furthest->region.info.end_key, ""});
  }
}

bool Checker::IsLingering(const Row& parent, const Row& other) const {
  return Names(other.merge_parents, parent.region.info) || Names(parent.daughters, other.region.info);
}

void Checker::AddOverlap(const Row& first, const Row& second) {
  for (const auto& [parent, other] : {std::pair(&first, &second), std::pair(&second, &first)}) {
    if (!IsLingering(*parent, *other)) continue;
    Finding& finding = Add(FindingKind::kLingeringParent, &parent->region.info.table, parent->region.info.EncodedName(),
                           "it was merged into " + other->region.info.EncodedName() + ", but still has a row");
    finding.repair = RemoveRow(*parent);
    finding.advice = kRemovesRow;
    return;
  }
  const RegionInfo& a = first.region.info;
  const RegionInfo& b = second.region.info;
  Finding& finding = Add(FindingKind::kOverlap, &a.table, b.EncodedName(),
                         "it has the rows " + RangeText(b.start_key, b.end_key) + ", and region " + a.EncodedName() +
                             " has " + RangeText(a.start_key, a.end_key));
  if (!picture_.is_stopped) return;
  for (const Row* row : {&second, &first}) {
    if (DataOf(*row) != nullptr) continue;
    finding.repair = RemoveRow(*row);
    finding.repair.loses_data = !row->region.home.empty();  // it had some once
    finding.advice = std::string(finding.repair.loses_data ? "--repair --accept-data-loss" : "--repair") +
                     " removes the row of " + row->region.info.EncodedName() + ", which has no data";
    return;
  }
  if (DataOf(first)->is_handoff() || DataOf(second)->is_handoff()) {
    finding.advice = "one of them is between two servers: start the servers, so that it opens, stop them, and repair";
    return;
  }
  finding.repair = {.step = RepairStep::kMergeByCopy,
                    .region = a,
                    .other = b,
                    .place = DataOf(first)->place,
                    .other_place = DataOf(second)->place};
  finding.advice = "--repair makes one region of both, with all cells";
}

std::string Checker::SidelineToSeeTo() const {
  if (picture_.unreadable_sideline.empty()) return "";
  const DamagedPlace& place = picture_.unreadable_sideline.front();
  return "its data may be in " + place.place + ", which cannot be read (" + place.why + "): see to that first; else ";
}

void Checker::AddHole(const Hole& hole) {
  FindingKind kind = FindingKind::kHole;
  if (hole.end.empty()) kind = FindingKind::kLastRegion;
  if (hole.start.empty()) kind = FindingKind::kFirstRegion;
  std::string adopted;
  for (const Orphan& orphan : orphans_) {
    const bool fits = orphan.repair.step != RepairStep::kSideline;
    if (fits && hole.HoldsRegion(orphan.repair.region)) adopted += " " + orphan.data->region;
  }
  Finding& finding = Add(kind, &hole.table, "", "no region has the rows " + RangeText(hole.start, hole.end));
  if (!picture_.is_stopped) return;
  if (!adopted.empty()) {
    finding.advice = "--repair adopts" + adopted;
    return;
  }
  if (!picture_.unreadable_folders.empty()) {
    finding.advice =
        "its data may be in " + picture_.unreadable_folders.front().place + ", which cannot be read: see to that first";
    return;
  }
  finding.repair.step = RepairStep::kMakeEmpty;
  finding.repair.region = {.table = hole.table, .start_key = hole.start, .end_key = hole.end};
  finding.advice = "--repair makes an empty region";
  if (const std::string first = SidelineToSeeTo(); !first.empty()) {
    finding.repair.loses_data = true;
    finding.advice = first + "--repair --accept-data-loss makes an empty region";
  }
}

}  // namespace vaquita::fsck
