#include "server/test_control/table_work.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "model/region_info.h"
#include "server/master/master.h"

namespace vaquita {
namespace {

// The region of `table` that holds `row`.
absl::StatusOr<AssignedRegion> Locate(const Master& master, const std::string& table, const std::string& row) {
  VAQUITA_ASSIGN_OR_RETURN(const TableName name, TableName::Parse(table));
  VAQUITA_RETURN_IF_ERROR(master.GetDescriptor(name).status());
  return master.LocateRow(name, FromStringBinary(row));
}

absl::StatusOr<AssignedRegion> FindRegion(const Master& master, const std::string& region) {
  const std::string name = FromStringBinary(region);
  for (const TableName& table : master.ListTables(/*system=*/true)) {
    VAQUITA_ASSIGN_OR_RETURN(const std::vector<AssignedRegion> regions, master.GetRegions(table));
    for (const AssignedRegion& assigned : regions) {
      if (assigned.info.EncodedName() == name || assigned.info.Name() == name) return assigned;
    }
  }
  return absl::NotFoundError(absl::StrCat("region: no table has a region \"", region, "\""));
}

template <typename Request>
absl::StatusOr<AssignedRegion> RegionOf(const Master& master, const Request& request) {
  if (!request.region().empty()) return FindRegion(master, request.region());
  if (request.table().empty()) return absl::InvalidArgumentError("region, table: one of them must be given");
  return Locate(master, request.table(), request.row());
}

}  // namespace

absl::StatusOr<std::vector<TableName>> TablesNamed(const Master& master, const std::string& name) {
  if (name.empty()) return master.ListTables(/*system=*/false);
  VAQUITA_ASSIGN_OR_RETURN(TableName table, TableName::Parse(name));
  VAQUITA_RETURN_IF_ERROR(master.GetDescriptor(table).status());
  return std::vector<TableName>{std::move(table)};
}

absl::StatusOr<std::vector<std::string>> Split(Master* master, const v1::SplitNowRequest& request) {
  VAQUITA_ASSIGN_OR_RETURN(const AssignedRegion parent, RegionOf(*master, request));
  VAQUITA_ASSIGN_OR_RETURN(const int64_t id,
                           master->SplitRegionAsync(parent.info.EncodedName(), FromStringBinary(request.split_row())));
  VAQUITA_RETURN_IF_ERROR(master->Wait(id));
  VAQUITA_ASSIGN_OR_RETURN(const std::vector<AssignedRegion> regions, master->GetRegions(parent.info.table));
  std::vector<std::string> daughters;
  for (const AssignedRegion& region : regions) {
    if (region.info.id > parent.info.id && !region.info.split && region.info.Overlaps(parent.info)) {
      daughters.push_back(region.info.EncodedName());
    }
  }
  return daughters;
}

absl::StatusOr<std::string> Move(Master* master, const v1::MoveNowRequest& request) {
  VAQUITA_ASSIGN_OR_RETURN(const AssignedRegion region, RegionOf(*master, request));
  VAQUITA_RETURN_IF_ERROR(master->MoveRegion(region.info.EncodedName(), request.server()));
  VAQUITA_ASSIGN_OR_RETURN(const AssignedRegion moved, FindRegion(*master, region.info.EncodedName()));
  return moved.server_name;
}

}  // namespace vaquita
