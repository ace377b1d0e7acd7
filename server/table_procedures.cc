#include "server/table_procedures.h"

#include <algorithm>
#include <utility>

#include "engine/fault_point.h"
#include "engine/status.h"
#include "server/master_parts.h"
#include "server/table_regions.h"

namespace vaquita {
namespace {

std::string StateText(const TableName& table, TableState state) {  // TableState.toString
  return "tableName=" + table.ToString() + ", state=" + std::string(TableStateName(state));
}

std::vector<RegionInfo> NewRegions(const TableName& table, const std::vector<std::string>& split_keys, int64_t id) {
  std::vector<RegionInfo> infos;
  infos.reserve(split_keys.size() + 1);
  std::string start;
  for (const std::string& key : split_keys) {
    infos.push_back({.table = table, .start_key = start, .end_key = key, .id = id});
    start = key;
  }
  infos.push_back({.table = table, .start_key = start, .end_key = "", .id = id});
  return infos;
}

absl::Status SetTableState(MasterParts& master, const TableName& table, TableState state) {
  MetaEdit edit;
  edit.PutTableState(table, state);
  VAQUITA_RETURN_IF_ERROR(master.meta->Apply(std::move(edit)));
  master.catalog.SetState(table, state);
  return absl::OkStatus();
}

// Writes the end of an enabling or disabling: all regions and the table's state, as one.
absl::Status SetRegionsAndState(MasterParts& master, const TableName& table, const std::vector<RegionInfo>& infos,
                                RegionState region_state, TableState table_state) {
  const std::string server = region_state == RegionState::kOpen ? master.server_name : "";
  MetaEdit edit;
  for (const RegionInfo& info : infos) edit.PutRegion(info, region_state, server);
  edit.PutTableState(table, table_state);
  VAQUITA_RETURN_IF_ERROR(master.meta->Apply(std::move(edit)));
  master.catalog.SetRegions(table, Assigned(infos, region_state, server));
  master.catalog.SetState(table, table_state);
  return absl::OkStatus();
}

absl::Status CloseRegions(MasterParts& master, const std::vector<RegionInfo>& infos, Progress& progress) {
  for (const RegionInfo& info : infos) {
    const absl::Status status = FirstError(master.server->CloseRegions({info.EncodedName()}, ""));
    if (!status.ok() && !IsError(status, ErrorKind::kNotServingRegion)) return status;  // not here: closed already
    progress.Advance(1);
  }
  return absl::OkStatus();
}

absl::Status OpenRegions(MasterParts& master, const std::vector<RegionInfo>& infos,
                         const std::shared_ptr<const TableDescriptor>& table, Progress& progress) {
  for (size_t first = 0; first < infos.size(); first += kRegionsPerStep) {
    std::vector<RegionOfTable> step;
    for (size_t i = first; i < std::min(infos.size(), first + kRegionsPerStep); ++i) step.push_back({infos[i], table});
    VAQUITA_RETURN_IF_ERROR(FirstError(master.server->OpenRegions(step)));
    progress.Advance(static_cast<int64_t>(step.size()));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status CheckCreateTable(const MasterParts& master, const TableDescriptor& table) {
  VAQUITA_RETURN_IF_ERROR(master.namespaces->Get(table.name.ns).status());
  VAQUITA_RETURN_IF_ERROR(table.Validate(master.options.options->table_sanity_checks));
  if (master.catalog.Contains(table.name)) return Error(ErrorKind::kTableExists, table.name.ToString());
  return absl::OkStatus();
}

absl::Status CheckTableIsDisabled(const MasterParts& master, const TableName& table) {
  if (IsMastersOwn(table)) return Error(ErrorKind::kDoNotRetryIO, "Can't modify catalog tables");
  VAQUITA_ASSIGN_OR_RETURN(const TableState state, master.catalog.State(table));
  if (state == TableState::kDisabled) return absl::OkStatus();
  return Error(ErrorKind::kTableNotDisabled, "Not DISABLED; " + StateText(table, state));
}

absl::Status CheckTruncateTable(const MasterParts& master, const TableName& table) {
  absl::Status status = CheckTableIsDisabled(master, table);
  if (!IsError(status, ErrorKind::kTableNotDisabled)) return status;
  return Error(ErrorKind::kTableNotDisabled, table.ToString());
}

absl::Status CheckEnableTable(const MasterParts& master, const TableName& table) {
  VAQUITA_ASSIGN_OR_RETURN(const TableState state, master.catalog.State(table));
  if (state == TableState::kDisabled) return absl::OkStatus();
  return Error(ErrorKind::kTableNotDisabled, StateText(table, state));
}

absl::Status CheckDisableTable(const MasterParts& master, const TableName& table) {
  if (IsMastersOwn(table)) return Error(ErrorKind::kConstraint, "Cannot disable " + table.ToString());
  VAQUITA_ASSIGN_OR_RETURN(const TableState state, master.catalog.State(table));
  if (state == TableState::kEnabled) return absl::OkStatus();
  return Error(ErrorKind::kTableNotEnabled, table.ToString());
}

absl::Status CheckModifyTable(const MasterParts& master, const TableDescriptor& table) {
  if (IsMastersOwn(table.name)) return Error(ErrorKind::kDoNotRetryIO, "Can't modify catalog tables");
  VAQUITA_RETURN_IF_ERROR(table.Validate(master.options.options->table_sanity_checks));
  return master.catalog.State(table.name).status();
}

absl::StatusOr<TableDescriptor> CheckAlterTable(const MasterParts& master, const TableName& table,
                                                const TableChange& change) {
  VAQUITA_ASSIGN_OR_RETURN(const auto before, master.catalog.Descriptor(table));
  TableDescriptor after = *before;
  VAQUITA_RETURN_IF_ERROR(change(&after));
  VAQUITA_RETURN_IF_ERROR(CheckModifyTable(master, after));
  return after;
}

absl::Status CreateTable(MasterParts& master, const TableDescriptor& table, const std::vector<std::string>& split_keys,
                         Progress& progress) {
  VAQUITA_RETURN_IF_ERROR(CheckCreateTable(master, table));
  const std::vector<RegionInfo> infos = NewRegions(table.name, split_keys, master.region_ids.NextMs());
  progress.SetTotal(static_cast<int64_t>(infos.size()));
  const auto empty = [] { return absl::OkStatus(); };
  return MakeTable(master, std::make_shared<const TableDescriptor>(table), infos, empty, progress);
}

absl::Status DeleteTable(MasterParts& master, const TableName& table, Progress& progress) {
  VAQUITA_RETURN_IF_ERROR(CheckTableIsDisabled(master, table));
  VAQUITA_ASSIGN_OR_RETURN(const auto descriptor, master.catalog.Descriptor(table));
  VAQUITA_ASSIGN_OR_RETURN(const auto rows, master.meta->LoadTable(table));
  MetaEdit edit;
  std::vector<RegionInfo> infos;
  for (const MetaTable::Row& row : rows) {
    edit.DeleteRegion(row.region.info);
    infos.push_back(row.region.info);
  }
  edit.DeleteTableState(table);
  progress.SetTotal(static_cast<int64_t>(infos.size()));
  VAQUITA_RETURN_IF_ERROR(master.meta->Apply(std::move(edit)));
  FaultPoint("delete:committed");
  master.catalog.DropTable(table);
  master.janitor.ForgetTable(table);
  VAQUITA_RETURN_IF_ERROR(master.store->DeleteDescriptor(table));
  FaultPoint("delete:descriptor");
  return master.server->DropRegions(EncodedNames(infos), *descriptor);
}

absl::Status TruncateTable(MasterParts& master, const TableName& table, bool preserve_splits, Progress& progress) {
  VAQUITA_RETURN_IF_ERROR(CheckTableIsDisabled(master, table));
  VAQUITA_ASSIGN_OR_RETURN(const auto descriptor, master.catalog.Descriptor(table));
  VAQUITA_ASSIGN_OR_RETURN(const auto rows, master.meta->LoadTable(table));
  VAQUITA_ASSIGN_OR_RETURN(const auto regions, master.catalog.Regions(table));
  std::vector<std::string> split_keys;
  if (preserve_splits) {
    for (const AssignedRegion& region : regions) {
      if (!region.info.start_key.empty()) split_keys.push_back(region.info.start_key);
    }
  }
  const std::vector<RegionInfo> infos = NewRegions(table, split_keys, master.region_ids.NextMs());
  progress.SetTotal(static_cast<int64_t>(infos.size()));
  absl::Status status = CreateRegions(master, infos, descriptor, progress);
  FaultPoint("truncate:regions");
  MetaEdit edit;
  std::vector<RegionInfo> old_infos;
  for (const MetaTable::Row& row : rows) {
    edit.DeleteRegion(row.region.info);
    old_infos.push_back(row.region.info);
  }
  for (const RegionInfo& info : infos) edit.PutRegion(info, RegionState::kOpen, master.server_name);
  edit.PutTableState(table, TableState::kEnabled);
  if (status.ok()) status = master.meta->Apply(std::move(edit));
  if (!status.ok()) {
    DropNewRegions(master, infos, *descriptor);
    return status;
  }
  FaultPoint("truncate:committed");
  master.janitor.ForgetTable(table);
  master.catalog.SetRegions(table, Assigned(infos, RegionState::kOpen, master.server_name));
  master.catalog.SetState(table, TableState::kEnabled);
  const absl::Status served = FirstError(master.server->ServeRegions(EncodedNames(infos)));
  const absl::Status dropped = master.server->DropRegions(EncodedNames(old_infos), *descriptor);
  return served.ok() ? dropped : served;
}

absl::Status EnableTable(MasterParts& master, const TableName& table, Progress& progress) {
  VAQUITA_RETURN_IF_ERROR(CheckEnableTable(master, table));
  VAQUITA_ASSIGN_OR_RETURN(const auto descriptor, master.catalog.Descriptor(table));
  VAQUITA_ASSIGN_OR_RETURN(const auto regions, master.catalog.Regions(table));
  const std::vector<RegionInfo> infos = InfosOf(regions);
  progress.SetTotal(static_cast<int64_t>(infos.size()));
  VAQUITA_RETURN_IF_ERROR(SetTableState(master, table, TableState::kEnabling));
  FaultPoint("enable:enabling");
  if (absl::Status status = OpenRegions(master, infos, descriptor, progress); !status.ok()) {
    VAQUITA_RETURN_IF_ERROR(CloseRegions(master, infos, progress));
    VAQUITA_RETURN_IF_ERROR(SetTableState(master, table, TableState::kDisabled));
    return status;
  }
  VAQUITA_RETURN_IF_ERROR(SetRegionsAndState(master, table, infos, RegionState::kOpen, TableState::kEnabled));
  return FirstError(master.server->ServeRegions(EncodedNames(infos)));
}

absl::Status DisableTable(MasterParts& master, const TableName& table, Progress& progress) {
  VAQUITA_RETURN_IF_ERROR(CheckDisableTable(master, table));
  VAQUITA_ASSIGN_OR_RETURN(const auto regions, master.catalog.Regions(table));
  const std::vector<RegionInfo> infos = InfosOf(regions);
  progress.SetTotal(static_cast<int64_t>(infos.size()));
  VAQUITA_RETURN_IF_ERROR(SetTableState(master, table, TableState::kDisabling));
  FaultPoint("disable:disabling");
  VAQUITA_RETURN_IF_ERROR(CloseRegions(master, infos, progress));
  return SetRegionsAndState(master, table, infos, RegionState::kClosed, TableState::kDisabled);
}

absl::Status ModifyTable(MasterParts& master, const TableDescriptor& table, Progress& progress) {
  VAQUITA_RETURN_IF_ERROR(CheckModifyTable(master, table));
  VAQUITA_ASSIGN_OR_RETURN(const auto before, master.catalog.Descriptor(table.name));
  VAQUITA_ASSIGN_OR_RETURN(const auto regions, master.catalog.Regions(table.name));
  const auto after = std::make_shared<const TableDescriptor>(table);
  progress.SetTotal(static_cast<int64_t>(regions.size()));
  VAQUITA_RETURN_IF_ERROR(master.store->PutDescriptor(table));
  FaultPoint("modify:committed");
  master.catalog.SetDescriptor(after);
  for (const AssignedRegion& region : regions) {
    VAQUITA_RETURN_IF_ERROR(Annotate(master.server->AlterRegion(region.info.EncodedName(), after),
                                     "alter region " + region.info.EncodedName()));
    progress.Advance(1);
  }
  // An open region has dropped the stores of removed families itself; of a closed one they are still there.
  TableDescriptor removed{.name = table.name};
  for (const auto& [name, family] : before->families) {
    if (!table.families.contains(name)) removed.families.emplace(name, family);
  }
  if (removed.families.empty()) return absl::OkStatus();
  return master.server->DropRegions(EncodedNames(InfosOf(regions)), removed);
}

absl::Status AlterTable(MasterParts& master, const TableName& table, const TableChange& change, Progress& progress) {
  VAQUITA_ASSIGN_OR_RETURN(const TableDescriptor after, CheckAlterTable(master, table, change));
  return ModifyTable(master, after, progress);
}

}  // namespace vaquita
