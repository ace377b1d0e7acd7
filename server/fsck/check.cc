#include "server/fsck/check.h"

#include <utility>

#include "server/fsck/checker.h"

namespace vaquita::fsck {

std::string RangeText(std::string_view start, std::string_view end) {
  return "['" + ToStringBinary(start) + "', '" + ToStringBinary(end) + "')";
}

Checker::Checker(const Picture& picture) : picture_(picture) {
  for (const Row& row : picture.rows) {
    if (row.key != row.region.info.Name()) continue;
    (IsParent(row) ? parents_ : regions_).push_back(&row);
    by_name_[row.region.info.EncodedName()] = &row;
  }
}

Finding& Checker::Add(FindingKind kind, const TableName* table, std::string region, std::string what) {
  Finding& finding = findings_.emplace_back();
  finding.kind = kind;
  if (table != nullptr) finding.table = table->ToString();
  finding.region = std::move(region);
  finding.what = std::move(what);
  return finding;
}

const TableDescriptor* Checker::DescriptorOf(const TableName& table) const {
  const auto found = picture_.descriptors.find(table);
  return found == picture_.descriptors.end() ? nullptr : found->second.get();
}

std::vector<Finding> Checker::Run() {
  if (picture_.meta_damage.has_value()) {
    AddMetaDamage();
    return std::move(findings_);
  }
  if (picture_.is_stopped) SortData();
  CheckRows();
  CheckTables();
  CheckParents();
  std::map<TableName, std::vector<const Row*>> tables;
  for (const auto& [table, state] : picture_.states) tables[table];
  for (const Row* row : regions_) tables[row->region.info.table].push_back(row);
  for (const auto& [table, rows] : tables) CheckKeySpace(table, rows);
  if (picture_.is_stopped) {
    FindOrphans();
    AdoptOrphans();
  }
  for (const Hole& hole : holes_) AddHole(hole);
  if (picture_.is_stopped) {
    CheckRegionData();
    CheckPlaces();
  } else {
    CheckServers();
  }
  return std::move(findings_);
}

std::vector<Finding> Check(const Picture& picture) { return Checker(picture).Run(); }

}  // namespace vaquita::fsck
