#include "server/master/procedure/table_procedures.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/fault_point.h"
#include "base/log.h"
#include "base/status.h"
#include "model/encoded_names.h"
#include "server/master/meta/meta_region.h"
#include "server/master/procedure/descriptor_check.h"
#include "server/master/procedure/master_parts.h"
#include "server/master/procedure/regions_by_server.h"
#include "server/master/procedure/table_regions.h"

namespace vaquita {
namespace {

std::string StateText(const TableName& table, TableState state) {  // TableState.toString
  return "tableName=" + table.ToString() + ", state=" + std::string(TableStateName(state));
}

std::vector<RegionInfo> RegionsBetween(const TableName& table, const std::vector<std::string>& split_keys, int64_t id) {
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
  VAQUITA_RETURN_IF_ERROR(Decided(master, master.meta->Apply(std::move(edit))));
  master.catalog.SetState(table, state);
  return absl::OkStatus();
}

// Has `act` done to so many of `regions` at a time that the progress can be seen.
absl::Status InSteps(const std::vector<AssignedRegion>& regions, Progress& progress,
                     absl::FunctionRef<absl::Status(const std::vector<AssignedRegion>&)> act) {
  for (size_t first = 0; first < regions.size(); first += kRegionsPerStep) {
    const size_t last = std::min(regions.size(), first + kRegionsPerStep);
    VAQUITA_RETURN_IF_ERROR(
        act({regions.begin() + static_cast<ptrdiff_t>(first), regions.begin() + static_cast<ptrdiff_t>(last)}));
    progress.Advance(static_cast<int64_t>(last - first));
  }
  return absl::OkStatus();
}

// Returns the names of the table's regions that could not be opened, the first ones of many.
std::string FailedRegions(const MasterParts& master, const TableName& table) {
  std::vector<std::string> names;
  for (const AssignedRegion& region : master.assigner->RegionsOf(table)) {
    if (region.state == RegionState::kFailedOpen) names.push_back(region.info.EncodedName());
  }
  const size_t shown = std::min<size_t>(names.size(), 10);
  std::string text = absl::StrJoin(names.begin(), names.begin() + static_cast<ptrdiff_t>(shown), ", ");
  if (names.size() > shown) absl::StrAppend(&text, " and ", names.size() - shown, " more");
  return text;
}

// Ends the enabling of a table. As in HBase nothing undoes it: a region that cannot be opened is FAILED_OPEN, and does
// not keep the others closed. The error says so.
absl::Status OpenTable(MasterParts& master, const TableName& table, Progress& progress) {
  VAQUITA_ASSIGN_OR_RETURN(const auto regions, master.catalog.Regions(table));
  progress.SetTotal(static_cast<int64_t>(regions.size()));
  absl::Status failed;
  const auto open = [&](const std::vector<AssignedRegion>& step) {
    absl::Status status = master.assigner->Open(step);
    if (IsError(status, ErrorKind::kMasterNotRunning)) return status;  // the next master goes on
    failed.Update(status);
    return absl::OkStatus();
  };
  VAQUITA_RETURN_IF_ERROR(InSteps(regions, progress, open));
  VAQUITA_RETURN_IF_ERROR(SetTableState(master, table, TableState::kEnabled));
  return Annotate(failed, "table " + table.ToString() + " is enabled, but not all of its regions could be opened (" +
                              FailedRegions(master, table) + ")");
}

// hbase:meta's region is always the master's own.
absl::Status ModifyMeta(MasterParts& master, const TableDescriptor& table, Progress& progress) {
  const auto after = std::make_shared<const TableDescriptor>(table);
  progress.SetTotal(1);
  VAQUITA_RETURN_IF_ERROR(Decided(master, master.store->PutDescriptor(table)));
  FaultPoint("modify:committed");
  master.catalog.SetDescriptor(after);
  VAQUITA_RETURN_IF_ERROR(master.meta->region()->Alter(after));
  if (master.host != nullptr) master.host->UpdateReplicas(master.meta->region());
  progress.Advance(1);
  return absl::OkStatus();
}

// Ends the disabling of a table.
absl::Status CloseTable(MasterParts& master, const TableName& table, Progress& progress) {
  VAQUITA_ASSIGN_OR_RETURN(const auto regions, master.catalog.Regions(table));
  progress.SetTotal(static_cast<int64_t>(regions.size()));
  const auto close = [&](const std::vector<AssignedRegion>& step) { return master.assigner->Close(step); };
  VAQUITA_RETURN_IF_ERROR(InSteps(regions, progress, close));
  return SetTableState(master, table, TableState::kDisabled);
}

}  // namespace

absl::Status CheckCreateTable(const MasterParts& master, const TableDescriptor& table) {
  VAQUITA_RETURN_IF_ERROR(master.namespaces->Get(table.name.ns).status());
  VAQUITA_RETURN_IF_ERROR(CheckDescriptor(*master.options.options, table));
  if (master.catalog.Contains(table.name)) return Error(ErrorKind::kTableExists, table.name.ToString());
  if (table.name == kQuotaTableName) {
    return Error(ErrorKind::kDoNotRetryIO, "the master makes hbase:quota when it starts with hbase.quota.enabled");
  }
  if (table.name == kAclTableName) {
    return Error(ErrorKind::kDoNotRetryIO,
                 "the master makes hbase:acl when it starts with hbase.security.authorization");
  }
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
  if (IsMastersOwn(table.name) && table.name != kMetaTableName) {
    return Error(ErrorKind::kDoNotRetryIO, "Can't modify catalog tables");
  }
  if (table.name == kMetaTableName) VAQUITA_RETURN_IF_ERROR(CheckMetaDescriptor(table));
  VAQUITA_RETURN_IF_ERROR(CheckDescriptor(*master.options.options, table));
  VAQUITA_ASSIGN_OR_RETURN(const auto before, master.catalog.Descriptor(table.name));
  if (table.RegionReplication() <= before->RegionReplication()) return absl::OkStatus();
  VAQUITA_ASSIGN_OR_RETURN(const auto regions, master.catalog.Regions(table.name));
  return CheckRegionCount(*master.options.options, table, regions.size());
}

absl::Status CheckModifyWithoutReopen(const MasterParts& master, const TableName& name, const TableDescriptor& after) {
  VAQUITA_ASSIGN_OR_RETURN(const auto descriptor, master.catalog.Descriptor(name));
  const TableDescriptor& before = *descriptor;
  if (before.name != after.name) {
    return Error(ErrorKind::kDoNotRetryIO, "Cannot change the table name when this modification won't reopen regions.");
  }
  if (before.families.size() != after.families.size()) {
    return Error(ErrorKind::kDoNotRetryIO,
                 "Cannot add or remove column families when this modification won't reopen regions.");
  }
  const auto attribute = [](const TableDescriptor& table, const char* name) {
    const auto it = table.attributes.find(name);
    return it == table.attributes.end() ? std::string() : it->second;
  };
  for (const char* name : {"REGION_REPLICATION", "REGION_MEMSTORE_REPLICATION", "hbase.rsgroup.name"}) {
    if (attribute(before, name) == attribute(after, name)) continue;
    return Error(ErrorKind::kDoNotRetryIO,
                 std::string("Can not modify ") + name + " of a table when modification won't reopen regions");
  }
  return CheckModifyTable(master, after);
}

absl::StatusOr<TableDescriptor> CheckAlterTable(const MasterParts& master, const TableDescriptor& before,
                                                const TableChange& change) {
  TableDescriptor after = before;
  VAQUITA_RETURN_IF_ERROR(change(&after));
  VAQUITA_RETURN_IF_ERROR(CheckModifyTable(master, after));
  return after;
}

absl::Status CreateTable(MasterParts& master, const TableDescriptor& table, const std::vector<std::string>& split_keys,
                         Progress& progress) {
  VAQUITA_RETURN_IF_ERROR(CheckCreateTable(master, table));
  const auto infos = [&](int64_t id) { return RegionsBetween(table.name, split_keys, id); };
  const auto empty = [&](const std::vector<AssignedRegion>& regions) {
    progress.SetTotal(static_cast<int64_t>(regions.size()));
    return absl::OkStatus();
  };
  auto fresh = std::make_shared<TableDescriptor>(table);
  for (auto& [name, family] : fresh->families) family.generation = {};
  return MakeTable(master, std::move(fresh), infos, empty, progress);
}

absl::Status GrantToOwner(MasterParts& master, const TableName& table, const std::string& owner) {
  if (master.acl == nullptr || owner.empty()) return absl::OkStatus();
  const Permission all{.scope = Permission::Scope::kTable, .table = table, .actions = UserActions::All()};
  // Nobody but a superuser could do anything with a table that has no owner, so what may pass is tried again.
  return UntilAnswered(master, [&]() -> absl::Status {
    const absl::Status granted = master.acl->Grant({owner, all}, /*merge=*/true);
    if (!IsRetryable(granted)) return granted;
    spdlog::warn("{} does not have its owner {} yet: {}", table.ToString(), owner, granted.ToString());
    return Unanswered(granted.ToString());
  });
}

absl::Status ForgetBeside(MasterParts& master, const TableName& table) {
  absl::Status status;
  if (master.options.options->quotas) status.Update(master.quotas->ForgetTable(table));
  if (master.acl != nullptr) status.Update(master.acl->ForgetTable(table));
  return status;
}

absl::Status ForgetBeside(MasterParts& master, const std::string& ns) {
  absl::Status status;
  if (master.options.options->quotas) status.Update(master.quotas->ForgetNamespace(ns));
  if (master.acl != nullptr) status.Update(master.acl->ForgetNamespace(ns));
  return status;
}

absl::Status DeleteNamespace(MasterParts& master, const std::string& ns) {
  VAQUITA_RETURN_IF_ERROR(master.namespaces->Delete(ns, [&] { return master.catalog.TablesIn(ns); }));
  FaultPoint("delete:namespace");
  return ForgetBeside(master, ns);
}

absl::Status DeleteTable(MasterParts& master, const TableName& table, Progress& progress) {
  VAQUITA_RETURN_IF_ERROR(CheckTableIsDisabled(master, table));
  VAQUITA_ASSIGN_OR_RETURN(const auto descriptor, master.catalog.Descriptor(table));
  VAQUITA_ASSIGN_OR_RETURN(const TableRegions old, AllRegions(master, table));
  MetaEdit edit;
  edit.DeleteTableState(table);
  progress.SetTotal(static_cast<int64_t>(old.regions.size()));
  VAQUITA_RETURN_IF_ERROR(RemoveFromMeta(master, old, std::move(edit)));
  FaultPoint("delete:committed");
  master.catalog.DropTable(table);
  master.meta->SetReplication(table, 1);
  master.janitor.ForgetTable(table);
  absl::Status status = master.store->DeleteDescriptor(table);
  FaultPoint("delete:descriptor");
  status.Update(DropOldRegions(master, old.regions, *descriptor));
  status.Update(ForgetBeside(master, table));
  return status;
}

absl::Status TruncateTable(MasterParts& master, const TableName& table, bool preserve_splits, Progress& progress) {
  VAQUITA_RETURN_IF_ERROR(CheckTableIsDisabled(master, table));
  VAQUITA_ASSIGN_OR_RETURN(const auto descriptor, master.catalog.Descriptor(table));
  VAQUITA_ASSIGN_OR_RETURN(const TableRegions old, AllRegions(master, table));
  VAQUITA_ASSIGN_OR_RETURN(const auto in_catalog, master.catalog.Regions(table));
  std::vector<std::string> split_keys;
  if (preserve_splits) {
    std::string last;  // regions that overlap may begin at one key
    for (const AssignedRegion& region : in_catalog) {
      if (region.info.start_key != last) split_keys.push_back(last = region.info.start_key);
    }
  }
  const auto make = [&](const std::vector<AssignedRegion>& regions) {
    progress.SetTotal(static_cast<int64_t>(regions.size()));
    VAQUITA_RETURN_IF_ERROR(CreateRegions(master, regions, descriptor, progress));
    FaultPoint("truncate:regions");
    return absl::OkStatus();
  };
  const auto commit = [&](const std::vector<AssignedRegion>& regions) {
    MetaEdit edit;
    for (const AssignedRegion& region : regions) edit.PutRegion(region.info, region.state, region.server_name);
    edit.PutTableState(table, TableState::kEnabled);
    return RemoveFromMeta(master, old, std::move(edit));
  };
  const auto infos = [&](int64_t id) { return RegionsBetween(table, split_keys, id); };
  VAQUITA_ASSIGN_OR_RETURN(const auto regions,
                           MakeRegions(master, *descriptor, {.infos = infos, .make = make, .commit = commit}));
  FaultPoint("truncate:committed");
  master.janitor.ForgetTable(table);
  master.catalog.SetRegions(table, regions);
  master.catalog.SetState(table, TableState::kEnabled);
  const absl::Status served = master.assigner->ServeNew(regions);
  const absl::Status dropped = DropOldRegions(master, old.regions, *descriptor);
  return served.ok() ? dropped : served;
}

absl::Status EnableTable(MasterParts& master, const TableName& table, Progress& progress) {
  VAQUITA_RETURN_IF_ERROR(CheckEnableTable(master, table));
  VAQUITA_RETURN_IF_ERROR(SetTableState(master, table, TableState::kEnabling));
  FaultPoint("enable:enabling");
  return OpenTable(master, table, progress);
}

absl::Status DisableTable(MasterParts& master, const TableName& table, Progress& progress) {
  VAQUITA_RETURN_IF_ERROR(CheckDisableTable(master, table));
  VAQUITA_RETURN_IF_ERROR(SetTableState(master, table, TableState::kDisabling));
  FaultPoint("disable:disabling");
  return CloseTable(master, table, progress);
}

absl::Status CompleteTableState(MasterParts& master, const TableName& table, Progress& progress) {
  VAQUITA_ASSIGN_OR_RETURN(const TableState state, master.catalog.State(table));
  if (state == TableState::kEnabling) return OpenTable(master, table, progress);
  return state == TableState::kDisabling ? CloseTable(master, table, progress) : absl::OkStatus();
}

namespace {

// Families keep their generations, whatever a client sent; new ones get their own. None of hbase:meta needs one: its
// stores have never been elsewhere.
TableDescriptor WithGenerations(MasterParts& master, const TableDescriptor& before, TableDescriptor after) {
  const int64_t now_ms = master.region_ids.NextMs();
  for (auto& [name, family] : after.families) {
    const FamilyDescriptor* const had = before.FindFamily(name);
    const int64_t added_ms = after.name == kMetaTableName ? 0 : now_ms;
    family.generation.added_ms = had != nullptr ? had->generation.added_ms : added_ms;
  }
  return after;
}

// Gives the descriptor, which the table has by now, to all its open regions: a region with an older one would take puts
// to a removed family, and lose them. It goes on with the others if a server does not answer.
absl::Status AlterRegions(MasterParts& master, std::vector<AssignedRegion> regions,
                          const std::shared_ptr<const TableDescriptor>& table, Progress& progress) {
  absl::Status refused;
  const absl::Status answered = UntilAnswered(master, [&] {
    absl::Status unanswered;
    std::vector<AssignedRegion> left;
    for (const HomeGroup& group : ByHome(master, regions)) {
      if (group.server == nullptr) continue;  // they are opened elsewhere, with the new descriptor
      for (const AssignedRegion& region : group.regions) {
        const absl::Status altered = group.server->AlterRegion(region.info.EncodedName(), table);
        if (IsUnanswered(altered)) {
          unanswered = altered;
          left.push_back(region);
          continue;
        }
        refused.Update(Annotate(altered, "alter region " + region.info.EncodedName()));
        progress.Advance(1);
      }
    }
    regions = std::move(left);
    return unanswered;
  });
  return answered.ok() ? refused : answered;
}

}  // namespace

absl::Status ModifyTable(MasterParts& master, const TableDescriptor& wanted, Progress& progress) {
  VAQUITA_RETURN_IF_ERROR(CheckModifyTable(master, wanted));
  VAQUITA_ASSIGN_OR_RETURN(const auto before, master.catalog.Descriptor(wanted.name));
  const TableDescriptor table = WithGenerations(master, *before, wanted);
  if (table.name == kMetaTableName) return ModifyMeta(master, table, progress);
  VAQUITA_ASSIGN_OR_RETURN(auto regions, master.catalog.Regions(table.name));
  const auto after = std::make_shared<const TableDescriptor>(table);
  progress.SetTotal(static_cast<int64_t>(regions.size()));
  VAQUITA_RETURN_IF_ERROR(Decided(master, master.store->PutDescriptor(table)));
  FaultPoint("modify:committed");
  master.catalog.SetDescriptor(after);
  // Regions that open from now on have it: servers move regions, and die, without the table's lock.
  VAQUITA_ASSIGN_OR_RETURN(regions, master.assigner->AwaitOlderOpenings(std::move(regions)));
  VAQUITA_RETURN_IF_ERROR(AlterRegions(master, regions, after, progress));
  // The servers answer for new replicas by now.
  master.meta->SetReplication(table.name, after->RegionReplication());
  VAQUITA_RETURN_IF_ERROR(master.meta->AlignReplicas(table.name));  // an attempt before may not have come so far
  FaultPoint("modify:replicas");
  // An open region has dropped the stores of removed families itself; of a closed one they are still there.
  TableDescriptor removed{.name = table.name};
  for (const auto& [name, family] : before->families) {
    if (!table.families.contains(name)) removed.families.emplace(name, family);
  }
  if (removed.families.empty()) return absl::OkStatus();
  for (const HomeGroup& group : ByHome(master, regions)) {
    if (group.server == nullptr) continue;
    const absl::Status dropped = group.server->DropRegions(EncodedNames(group.regions), removed);
    if (!IsUnanswered(dropped)) VAQUITA_RETURN_IF_ERROR(dropped);  // no family gets what stays
  }
  return absl::OkStatus();
}

absl::Status AlterTable(MasterParts& master, const TableName& table, const TableChange& change, Progress& progress) {
  VAQUITA_ASSIGN_OR_RETURN(const auto before, master.catalog.Descriptor(table));
  VAQUITA_ASSIGN_OR_RETURN(const TableDescriptor after, CheckAlterTable(master, *before, change));
  return ModifyTable(master, after, progress);
}

}  // namespace vaquita
