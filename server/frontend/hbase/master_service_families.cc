// Families of a table, and the store file trackers that HBase 2.5 and later keep beside them.

#include "hbase/Master.pb.h"
#include "model/family_changes.h"
#include "model/store_file_tracker.h"
#include "proto/hbase/schema_codec.h"
#include "server/frontend/hbase/master_service_methods.h"

namespace vaquita::hbase {
namespace {

// The settings that a tracker's migration leaves (MigrationStoreFileTracker).
constexpr const char* kMigrationKeys[] = {"hbase.store.file-tracker.migration.src.impl",
                                          "hbase.store.file-tracker.migration.dst.impl"};

absl::Status AddColumn(const ServiceCall& call, const pb::AddColumnRequest& request, pb::AddColumnResponse* response) {
  VAQUITA_ASSIGN_OR_RETURN(const TableName name, DecodeTableName(request.table_name()));
  VAQUITA_ASSIGN_OR_RETURN(const FamilyDescriptor family, DecodeFamily(request.column_families()));
  const TableChange change = [family](TableDescriptor* table) { return AddFamily(family, table); };
  return StartOnce(call, request, response, [&] { return call.master->AlterTableAsync(name, change); });
}

absl::Status ModifyColumn(const ServiceCall& call, const pb::ModifyColumnRequest& request,
                          pb::ModifyColumnResponse* response) {
  VAQUITA_ASSIGN_OR_RETURN(const TableName name, DecodeTableName(request.table_name()));
  VAQUITA_ASSIGN_OR_RETURN(const FamilyDescriptor family, DecodeFamily(request.column_families()));
  const TableChange change = [family](TableDescriptor* table) { return ModifyFamily(family, table); };
  return StartOnce(call, request, response, [&] { return call.master->AlterTableAsync(name, change); });
}

absl::Status DeleteColumn(const ServiceCall& call, const pb::DeleteColumnRequest& request,
                          pb::DeleteColumnResponse* response) {
  VAQUITA_ASSIGN_OR_RETURN(const TableName name, DecodeTableName(request.table_name()));
  const TableChange change = [family = request.column_name()](TableDescriptor* table) {
    return DeleteFamily(family, table);
  };
  return StartOnce(call, request, response, [&] { return call.master->AlterTableAsync(name, change); });
}

absl::Status CheckEnabled(const ServiceCall& call, const TableName& table) {
  VAQUITA_ASSIGN_OR_RETURN(const TableState state, call.master->GetTableState(table));
  if (state == TableState::kEnabled || state == TableState::kEnabling) return absl::OkStatus();
  return Error(ErrorKind::kTableNotEnabled, table.ToString());
}

absl::Status ModifyTableStoreFileTracker(const ServiceCall& call, const pb::ModifyTableStoreFileTrackerRequest& request,
                                         pb::ModifyTableStoreFileTrackerResponse* response) {
  VAQUITA_ASSIGN_OR_RETURN(const TableName name, DecodeTableName(request.table_name()));
  const TableChange change = [tracker = request.dst_sft()](TableDescriptor* table) {
    table->attributes[kStoreFileTracker] = tracker;
    for (const char* key : kMigrationKeys) table->attributes.erase(key);
    return absl::OkStatus();
  };
  return StartOnce(call, request, response, [&]() -> absl::StatusOr<int64_t> {
    VAQUITA_RETURN_IF_ERROR(CheckNewStoreFileTracker(request.dst_sft()));
    VAQUITA_RETURN_IF_ERROR(CheckEnabled(call, name));
    return call.master->AlterTableAsync(name, change);
  });
}

absl::Status ModifyColumnStoreFileTracker(const ServiceCall& call,
                                          const pb::ModifyColumnStoreFileTrackerRequest& request,
                                          pb::ModifyColumnStoreFileTrackerResponse* response) {
  VAQUITA_ASSIGN_OR_RETURN(const TableName name, DecodeTableName(request.table_name()));
  const TableChange change = [family = request.family(), tracker = request.dst_sft()](TableDescriptor* table) {
    const auto it = table->families.find(family);
    if (it == table->families.end()) {
      return Error(ErrorKind::kNoSuchColumnFamily,
                   ToShortStringBinary(family) + " does not exist for table " + table->name.ToString());
    }
    it->second.configuration[kStoreFileTracker] = tracker;
    for (const char* key : kMigrationKeys) it->second.configuration.erase(key);
    return absl::OkStatus();
  };
  return StartOnce(call, request, response, [&]() -> absl::StatusOr<int64_t> {
    VAQUITA_RETURN_IF_ERROR(CheckNewStoreFileTracker(request.dst_sft()));
    VAQUITA_RETURN_IF_ERROR(CheckEnabled(call, name));
    return call.master->AlterTableAsync(name, change);
  });
}

}  // namespace

void AddFamilyMethods(ServiceMethods* methods) {
  using enum ServiceMethods::Pace;
  methods->Add("AddColumn", kWaits, &AddColumn);
  methods->Add("ModifyColumn", kWaits, &ModifyColumn);
  methods->Add("DeleteColumn", kWaits, &DeleteColumn);
  methods->Add("ModifyTableStoreFileTracker", kWaits, &ModifyTableStoreFileTracker);
  methods->Add("ModifyColumnStoreFileTracker", kWaits, &ModifyColumnStoreFileTracker);
}

}  // namespace vaquita::hbase
