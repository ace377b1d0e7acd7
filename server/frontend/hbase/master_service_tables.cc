// Tables: making and unmaking them, their states, and lists of them.
#include <string>
#include <utility>
#include <vector>

#include "hbase/Master.pb.h"
#include "proto/hbase/schema_codec.h"
#include "server/frontend/hbase/master_service_methods.h"
#include "server/frontend/hbase/method_access.h"
#include "server/frontend/hbase/name_pattern.h"

namespace vaquita::hbase {
namespace {

absl::Status CreateTable(const ServiceCall& call, const pb::CreateTableRequest& request,
                         pb::CreateTableResponse* response) {
  VAQUITA_ASSIGN_OR_RETURN(const TableDescriptor table, DecodeTable(request.table_schema()));
  const std::vector<std::string> split_keys(request.split_keys().begin(), request.split_keys().end());
  return StartOnce(call, request, response,
                   [&] { return call.master->CreateTableAsync(table, split_keys, OwnerFor(call)); });
}

absl::Status DeleteTable(const ServiceCall& call, const pb::DeleteTableRequest& request,
                         pb::DeleteTableResponse* response) {
  VAQUITA_ASSIGN_OR_RETURN(const TableName table, DecodeTableName(request.table_name()));
  return StartOnce(call, request, response, [&] { return call.master->DeleteTableAsync(table); });
}

absl::Status TruncateTable(const ServiceCall& call, const pb::TruncateTableRequest& request,
                           pb::TruncateTableResponse* response) {
  VAQUITA_ASSIGN_OR_RETURN(const TableName table, DecodeTableName(request.tablename()));
  return StartOnce(call, request, response,
                   [&] { return call.master->TruncateTableAsync(table, request.preservesplits()); });
}

absl::Status EnableTable(const ServiceCall& call, const pb::EnableTableRequest& request,
                         pb::EnableTableResponse* response) {
  VAQUITA_ASSIGN_OR_RETURN(const TableName table, DecodeTableName(request.table_name()));
  return StartOnce(call, request, response, [&] { return call.master->EnableTableAsync(table); });
}

absl::Status DisableTable(const ServiceCall& call, const pb::DisableTableRequest& request,
                          pb::DisableTableResponse* response) {
  VAQUITA_ASSIGN_OR_RETURN(const TableName table, DecodeTableName(request.table_name()));
  return StartOnce(call, request, response, [&] { return call.master->DisableTableAsync(table); });
}

absl::Status ModifyTable(const ServiceCall& call, const pb::ModifyTableRequest& request,
                         pb::ModifyTableResponse* response) {
  VAQUITA_ASSIGN_OR_RETURN(const TableDescriptor table, DecodeTable(request.table_schema()));
  return StartOnce(call, request, response, [&]() -> absl::StatusOr<int64_t> {
    if (request.reopen_regions()) return call.master->ModifyTableAsync(table);
    VAQUITA_ASSIGN_OR_RETURN(const TableName name, DecodeTableName(request.table_name()));
    return call.master->ModifyTableWithoutReopenAsync(name, table);
  });
}

absl::Status FlushTable(const ServiceCall& call, const pb::FlushTableRequest& request,
                        pb::FlushTableResponse* response) {
  VAQUITA_ASSIGN_OR_RETURN(const TableName table, DecodeTableName(request.table_name()));
  std::vector<std::string> families;
  for (const std::string& family : request.column_family()) {
    if (!family.empty()) families.push_back(family);
  }
  return StartOnce(call, request, response, [&] { return call.master->FlushTableAsync(table, families); });
}

absl::Status GetSchemaAlterStatus(const ServiceCall& call, const pb::GetSchemaAlterStatusRequest& request,
                                  pb::GetSchemaAlterStatusResponse* response) {
  VAQUITA_ASSIGN_OR_RETURN(const TableName table, DecodeTableName(request.table_name()));
  const AlterProgress progress = call.master->GetAlterProgress(table);
  response->set_yet_to_update_regions(static_cast<uint32_t>(progress.waiting));
  response->set_total_regions(static_cast<uint32_t>(progress.regions));
  return absl::OkStatus();
}

// Keeps the tables whose names match all of `regex`; those of the default namespace also with "default:" before them.
absl::Status KeepMatching(const ServiceCall& call, const std::string& regex, std::vector<TableName>* tables) {
  VAQUITA_ASSIGN_OR_RETURN(NamePattern pattern, NamePattern::Compile(call.rpc.context, regex));
  std::vector<TableName> matching;
  for (TableName& table : *tables) {
    VAQUITA_ASSIGN_OR_RETURN(const bool short_name, pattern.Matches(table.ToString()));
    VAQUITA_ASSIGN_OR_RETURN(const bool full_name, pattern.Matches(table.ns + ":" + table.qualifier));
    if (short_name || full_name) matching.push_back(std::move(table));
  }
  *tables = std::move(matching);
  return absl::OkStatus();
}

// HMaster.getTableDescriptors: the tables of a namespace (empty: of all), whose names match.
absl::StatusOr<std::vector<TableName>> SelectTables(const ServiceCall& call, const std::string& ns, bool system) {
  if (!ns.empty()) VAQUITA_RETURN_IF_ERROR(call.master->GetNamespace(ns).status());
  std::vector<TableName> tables = call.master->ListTables(system);
  if (!ns.empty()) std::erase_if(tables, [&](const TableName& table) { return table.ns != ns; });
  std::erase_if(tables, [&](const TableName& table) { return !MaySee(call, table); });
  return tables;
}

// A table that was deleted meanwhile is left out.
template <typename Add>
absl::Status AddDescriptors(const ServiceCall& call, const std::vector<TableName>& tables, Add add) {
  for (const TableName& table : tables) {
    const auto descriptor = call.master->GetDescriptor(table);
    if (descriptor.ok() && MayAdminister(call, table)) EncodeTable(**descriptor, add());
  }
  return absl::OkStatus();
}

// Returns the tables that the request names, or else those of its namespace, as far as they match.
template <typename Request>
absl::StatusOr<std::vector<TableName>> RequestedTables(const ServiceCall& call, const Request& request, bool system) {
  std::vector<TableName> tables;
  for (const pb::TableName& name : request.table_names()) {
    VAQUITA_ASSIGN_OR_RETURN(TableName table, DecodeTableName(name));
    tables.push_back(std::move(table));
  }
  if (tables.empty()) {
    VAQUITA_ASSIGN_OR_RETURN(tables, SelectTables(call, request.namespace_(), system));
  }
  if (request.has_regex()) VAQUITA_RETURN_IF_ERROR(KeepMatching(call, request.regex(), &tables));
  return tables;
}

absl::Status GetTableDescriptors(const ServiceCall& call, const pb::GetTableDescriptorsRequest& request,
                                 pb::GetTableDescriptorsResponse* response) {
  VAQUITA_ASSIGN_OR_RETURN(const std::vector<TableName> tables,
                           RequestedTables(call, request, request.include_sys_tables()));
  return AddDescriptors(call, tables, [&] { return response->add_table_schema(); });
}

absl::Status Normalize(const ServiceCall& call, const pb::NormalizeRequest& request, pb::NormalizeResponse* response) {
  VAQUITA_ASSIGN_OR_RETURN(const std::vector<TableName> tables, RequestedTables(call, request, /*system=*/false));
  response->set_normalizer_ran(call.master->Normalize(tables));
  return absl::OkStatus();
}

absl::Status GetTableNames(const ServiceCall& call, const pb::GetTableNamesRequest& request,
                           pb::GetTableNamesResponse* response) {
  VAQUITA_ASSIGN_OR_RETURN(std::vector<TableName> tables,
                           SelectTables(call, request.namespace_(), request.include_sys_tables()));
  if (request.has_regex()) VAQUITA_RETURN_IF_ERROR(KeepMatching(call, request.regex(), &tables));
  for (const TableName& table : tables) EncodeTableName(table, response->add_table_names());
  return absl::OkStatus();
}

std::vector<TableName> TablesInState(const ServiceCall& call, bool enabled) {
  std::vector<TableName> tables = call.master->ListTables(false);
  std::erase_if(tables, [&](const TableName& table) {
    const auto state = call.master->GetTableState(table);
    return !MaySee(call, table) || !state.ok() || *state != (enabled ? TableState::kEnabled : TableState::kDisabled);
  });
  return tables;
}

absl::Status ListTableDescriptorsByState(const ServiceCall& call, const pb::ListTableDescriptorsByStateRequest& request,
                                         pb::ListTableDescriptorsByStateResponse* response) {
  return AddDescriptors(call, TablesInState(call, request.is_enabled()), [&] { return response->add_table_schema(); });
}

absl::Status ListTableNamesByState(const ServiceCall& call, const pb::ListTableNamesByStateRequest& request,
                                   pb::ListTableNamesByStateResponse* response) {
  for (const TableName& table : TablesInState(call, request.is_enabled())) {
    EncodeTableName(table, response->add_table_names());
  }
  return absl::OkStatus();
}

absl::Status ListTableDescriptorsByNamespace(const ServiceCall& call,
                                             const pb::ListTableDescriptorsByNamespaceRequest& request,
                                             pb::ListTableDescriptorsByNamespaceResponse* response) {
  VAQUITA_ASSIGN_OR_RETURN(const auto tables, SelectTables(call, request.namespacename(), true));
  return AddDescriptors(call, tables, [&] { return response->add_tableschema(); });
}

absl::Status ListTableNamesByNamespace(const ServiceCall& call, const pb::ListTableNamesByNamespaceRequest& request,
                                       pb::ListTableNamesByNamespaceResponse* response) {
  VAQUITA_ASSIGN_OR_RETURN(const auto tables, SelectTables(call, request.namespacename(), true));
  for (const TableName& table : tables) EncodeTableName(table, response->add_tablename());
  return absl::OkStatus();
}

absl::Status GetTableState(const ServiceCall& call, const pb::GetTableStateRequest& request,
                           pb::GetTableStateResponse* response) {
  VAQUITA_ASSIGN_OR_RETURN(const TableName table, DecodeTableName(request.table_name()));
  VAQUITA_ASSIGN_OR_RETURN(const TableState state, call.master->GetTableState(table));
  response->mutable_table_state()->set_state(EncodeState(state));
  return absl::OkStatus();
}

absl::Status LastMajorCompaction(const ServiceCall& call, const pb::MajorCompactionTimestampRequest& request,
                                 pb::MajorCompactionTimestampResponse* response) {
  VAQUITA_ASSIGN_OR_RETURN(const TableName table, DecodeTableName(request.table_name()));
  response->set_compaction_timestamp(call.master->LastMajorCompactionMs(table));
  return absl::OkStatus();
}

}  // namespace

void AddTableMethods(ServiceMethods* methods) {
  using enum ServiceMethods::Pace;
  methods->Add("CreateTable", kWaits, &CreateTable);
  methods->Add("DeleteTable", kWaits, &DeleteTable);
  methods->Add("truncateTable", kWaits, &TruncateTable);
  methods->Add("EnableTable", kWaits, &EnableTable);
  methods->Add("DisableTable", kWaits, &DisableTable);
  methods->Add("ModifyTable", kWaits, &ModifyTable);
  methods->Add("FlushTable", kWaits, &FlushTable);
  methods->Add("GetSchemaAlterStatus", kQuick, &GetSchemaAlterStatus);
  methods->Add("GetTableDescriptors", kQuick, &GetTableDescriptors);
  methods->Add("Normalize", kWaits, &Normalize);
  methods->Add("GetTableNames", kQuick, &GetTableNames);
  methods->Add("ListTableDescriptorsByState", kQuick, &ListTableDescriptorsByState);
  methods->Add("ListTableNamesByState", kQuick, &ListTableNamesByState);
  methods->Add("ListTableDescriptorsByNamespace", kQuick, &ListTableDescriptorsByNamespace);
  methods->Add("ListTableNamesByNamespace", kQuick, &ListTableNamesByNamespace);
  methods->Add("GetTableState", kQuick, &GetTableState);
  methods->Add("getLastMajorCompactionTimestamp", kWaits, &LastMajorCompaction);
}

}  // namespace vaquita::hbase
