#include "server/recovery.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "engine/status.h"
#include "server/master_parts.h"
#include "spdlog/spdlog.h"

namespace vaquita {
namespace {

bool IsOn(TableState state) { return state == TableState::kEnabled || state == TableState::kEnabling; }

// Takes one row of meta: a region of `*regions`, or something for the janitor.
void TakeRow(MasterParts& master, MetaTable::Row& row, std::vector<AssignedRegion>* regions) {
  master.region_ids.Observe(row.region.info.id);
  if (row.region.info.split) {
    master.janitor.AddSplit(row.region.info, row.daughters);
    return;
  }
  if (!row.merge_parents.empty()) master.janitor.AddMerge(row.region.info, row.merge_parents.size());
  regions->push_back(std::move(row.region));
}

// Writes the outcome of an enabling or disabling that a crash cut short.
absl::Status Complete(MasterParts& master, const TableName& table, TableState state,
                      std::vector<AssignedRegion>& regions) {
  spdlog::info("table {} was {}; completing that", table.ToString(), TableStateName(state));
  MetaEdit edit;
  for (AssignedRegion& region : regions) {
    region.state = IsOn(state) ? RegionState::kOpen : RegionState::kClosed;
    if (!IsOn(state)) region.server_name.clear();
    edit.PutRegion(region.info, region.state, region.server_name);
  }
  edit.PutTableState(table, IsOn(state) ? TableState::kEnabled : TableState::kDisabled);
  return master.meta->Apply(std::move(edit));
}

}  // namespace

absl::Status RecoverTables(MasterParts& master) {
  VAQUITA_ASSIGN_OR_RETURN(MetaTable::Contents contents, master.meta->Load());
  std::map<TableName, std::vector<AssignedRegion>> regions;
  for (MetaTable::Row& row : contents.regions) TakeRow(master, row, &regions[row.region.info.table]);

  auto descriptors = master.store->descriptors();
  descriptors[kNamespaceTableName] = Namespaces::Descriptor();
  for (const auto& [table, state] : contents.states) {
    const auto descriptor = descriptors.find(table);
    if (descriptor == descriptors.end()) {
      return absl::DataLossError("table " + table.ToString() + " is in hbase:meta, but its descriptor is missing");
    }
    if (state == TableState::kEnabling || state == TableState::kDisabling) {
      VAQUITA_RETURN_IF_ERROR(Complete(master, table, state, regions[table]));
    }
    master.catalog.PutTable(descriptor->second, IsOn(state) ? TableState::kEnabled : TableState::kDisabled,
                            std::move(regions[table]));
    descriptors.erase(descriptor);
  }
  for (const auto& [table, descriptor] : descriptors) {
    if (table == kNamespaceTableName) continue;
    spdlog::info("table {} was being created or deleted; removing what is left of it", table.ToString());
    VAQUITA_RETURN_IF_ERROR(master.store->DeleteDescriptor(table));
  }
  return absl::OkStatus();
}

}  // namespace vaquita
