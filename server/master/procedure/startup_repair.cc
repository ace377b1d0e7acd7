#include "server/master/procedure/startup_repair.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/log.h"
#include "base/status.h"
#include "server/master/procedure/master_parts.h"

namespace vaquita {
namespace {

using Descriptors = std::map<TableName, std::shared_ptr<const TableDescriptor>>;

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

// Ends a restoration that a crash cut short: meta says whether it was decided, which gives the table its new
// descriptor in `*descriptors`.
absl::Status CompleteRestoration(MasterParts& master, const MasterStore::Restoration& restoration,
                                 const std::vector<AssignedRegion>& regions, Descriptors* descriptors) {
  const TableName& table = restoration.table->name;
  const bool decided = std::any_of(regions.begin(), regions.end(), [&](const AssignedRegion& region) {
    return region.info.id == restoration.region_id;
  });
  spdlog::info("table {} was being restored; {} that", table.ToString(), decided ? "completing" : "undoing");
  if (!decided) return master.store->DeleteRestoration(table);
  (*descriptors)[table] = restoration.table;
  return master.store->PutDescriptor(*restoration.table);
}

// Rows may have other replicas than their table: a crash came between, an older release or a repair wrote them.
absl::Status AlignReplicas(MasterParts& master, const std::set<TableName>& with_replicas) {
  for (const TableName& table : with_replicas) VAQUITA_RETURN_IF_ERROR(master.meta->AlignReplicas(table));
  return absl::OkStatus();
}

void PutBroken(MasterParts& master, const TableName& table, const std::string& why) {
  spdlog::error("table {} is out of service: {}; `vaquita fsck` helps", table.ToString(), why);
  master.catalog.PutBroken(table, why);
  master.janitor.LeaveAlone(table);
}

using Regions = std::map<TableName, std::vector<AssignedRegion>>;

void LeaveAlone(MasterParts& master, const std::vector<MetaTable::BadRow>& bad) {
  for (const MetaTable::BadRow& row : bad) {
    spdlog::error("row {} of hbase:meta cannot be read, and is passed over: {}; `vaquita fsck` helps",
                  ToStringBinary(row.key), row.why.ToString());
    const auto table = TableName::Parse(std::string_view(row.key).substr(0, row.key.find(',')));
    if (table.ok()) master.janitor.LeaveAlone(*table);
  }
  master.unreadable_meta_rows = static_cast<int64_t>(bad.size());
}

// Returns the descriptors that the store has, after restorations that it noted are complete, and those of the system.
absl::StatusOr<Descriptors> DescriptorsOf(MasterParts& master, const MetaTable::Contents& contents, Regions* regions) {
  Descriptors descriptors = master.store->descriptors();
  for (const MasterStore::Restoration& restoration : master.store->restorations()) {
    const auto& of_table = (*regions)[restoration.table->name];
    VAQUITA_RETURN_IF_ERROR(CompleteRestoration(master, restoration, of_table, &descriptors));
  }
  descriptors[kNamespaceTableName] = Namespaces::Descriptor();
  if (contents.states.contains(kQuotaTableName)) descriptors.emplace(kQuotaTableName, QuotaTable::Descriptor());
  if (contents.states.contains(kAclTableName)) descriptors.emplace(kAclTableName, AclTable::Descriptor());
  descriptors.erase(kMetaTableName);
  return descriptors;
}

// Removes the descriptors of tables that hbase:meta does not have, unless an unreadable row of it may be theirs.
absl::Status RemoveUnfinished(MasterParts& master, const Descriptors& descriptors, const Regions& regions,
                              const std::vector<MetaTable::BadRow>& bad) {
  for (const auto& [table, descriptor] : descriptors) {
    if (table == kNamespaceTableName) continue;
    // Its state may be in the row that cannot be read.
    const std::string name = table.ToString();
    const bool may_exist = regions.contains(table) || std::any_of(bad.begin(), bad.end(), [&](const auto& row) {
                             return row.key == name || row.key.starts_with(name + ",");
                           });
    if (may_exist) {
      PutBroken(master, table, "hbase:meta does not have its state");
      continue;
    }
    spdlog::info("table {} was being created or deleted; removing what is left of it", table.ToString());
    VAQUITA_RETURN_IF_ERROR(master.store->DeleteDescriptor(table));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status RecoverTables(MasterParts& master) {
  std::vector<MetaTable::BadRow> bad;
  VAQUITA_ASSIGN_OR_RETURN(MetaTable::Contents contents, master.meta->Load(&bad));
  LeaveAlone(master, bad);
  Regions regions;
  std::set<TableName> with_replicas;
  for (const MetaTable::Row& row : contents.regions) {
    if (row.has_replicas) with_replicas.insert(row.region.info.table);
  }
  for (MetaTable::Row& row : contents.regions) TakeRow(master, row, &regions[row.region.info.table]);

  VAQUITA_ASSIGN_OR_RETURN(Descriptors descriptors, DescriptorsOf(master, contents, &regions));
  contents.states.erase(kMetaTableName);  // it has no state; a client of an older release may have put one
  for (const auto& [table, state] : contents.states) {
    const auto descriptor = descriptors.find(table);
    if (descriptor == descriptors.end()) {
      PutBroken(master, table, "its descriptor is missing");
      continue;
    }
    if (const int32_t replicas = descriptor->second->RegionReplication(); replicas > 1) {
      master.meta->SetReplication(table, replicas);
      with_replicas.insert(table);
    }
    master.catalog.PutTable(descriptor->second, state, std::move(regions[table]));
    descriptors.erase(descriptor);
  }
  VAQUITA_RETURN_IF_ERROR(RemoveUnfinished(master, descriptors, regions, bad));
  return AlignReplicas(master, with_replicas);
}

}  // namespace vaquita
