#include "server/frontend/grpc/grpc_admin_service.h"

#include <charconv>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/str_cat.h"
#include "proto/vaquita/admin_codec.h"
#include "proto/vaquita/operations_codec.h"
#include "proto/vaquita/status_codec.h"
#include "server/frontend/grpc/grpc_admin_access.h"
#include "server/frontend/grpc/grpc_gate.h"
#include "server/frontend/grpc/grpc_watch.h"
#include "server/fsck/finding.h"

namespace vaquita {
namespace {

void LocationToProto(const Master& master, const AssignedRegion& assigned, v1::RegionLocation* out) {
  vaquita::ToProto(assigned.info, out->mutable_region());
  out->set_state(vaquita::ToProto(assigned.state));
  // Regions that could not be opened, with the reason.
  const std::string& where = assigned.state == RegionState::kFailedOpen ? assigned.home : assigned.server_name;
  out->set_server_name(where);
  out->set_address(master.GrpcAddress(where));
}

// Returns the nonce in the request's metadata, "GROUP VALUE", if it has one.
absl::StatusOr<Nonce> NonceOf(const grpc::ServerContext& context) {
  const auto found = context.client_metadata().find("vaquita-nonce");
  if (found == context.client_metadata().end()) return Nonce();
  const char* const end = found->second.data() + found->second.size();
  Nonce nonce;
  const auto group = std::from_chars(found->second.data(), end, nonce.group);
  if (group.ec == std::errc() && group.ptr != end) {
    const auto value = std::from_chars(group.ptr + 1, end, nonce.value);
    if (value.ec == std::errc() && value.ptr == end) return nonce;
  }
  return IllegalArgument("vaquita-nonce takes two numbers with a blank between them");
}

// Starts a procedure, unless the request was sent before and did so then.
absl::Status StartOnce(Master* master, const grpc::ServerContext& context, v1::ProcedureStarted* response,
                       const std::function<absl::StatusOr<int64_t>()>& submit) {
  VAQUITA_ASSIGN_OR_RETURN(const Nonce nonce, NonceOf(context));
  VAQUITA_ASSIGN_OR_RETURN(const int64_t id, master->SubmitOnce(nonce, submit));
  response->set_procedure_id(id);
  return absl::OkStatus();
}

absl::StatusOr<MasterSwitch> SplitOrMerge(v1::MasterSwitch which) {
  if (which == v1::MASTER_SWITCH_SPLIT) return MasterSwitch::kSplit;
  if (which == v1::MASTER_SWITCH_MERGE) return MasterSwitch::kMerge;
  return IllegalArgument("which: must be MASTER_SWITCH_SPLIT or MASTER_SWITCH_MERGE");
}

// Answers with a switch's state, which may be an error.
absl::Status AnswerSwitch(const absl::StatusOr<bool>& on, v1::SwitchState* response) {
  VAQUITA_RETURN_IF_ERROR(on.status());
  response->set_on(*on);
  return absl::OkStatus();
}

absl::StatusOr<TableDescriptor> DecodeTable(bool given, const v1::TableDescriptor& table) {
  if (!given) return MissingField("table");
  TableDescriptor decoded;
  VAQUITA_RETURN_IF_ERROR(FromProto(table, &decoded));
  return decoded;
}

}  // namespace

grpc::Status GrpcAdminService::SendToMaster(const AdminCall& call) const {
  const std::string address = master_elsewhere_();
  if (address.empty()) {
    return ToGrpcStatus(Error(ErrorKind::kMasterNotRunning, "this is a region server, and no master is known to it"));
  }
  call.context.AddTrailingMetadata("vaquita-master", address);
  return ToGrpcStatus(
      Error(ErrorKind::kMasterNotRunning, "this is a region server; the master's gRPC is at " + address));
}

grpc::Status GrpcAdminService::Answer(const AdminCall& call, Body body) const {
  return master_elsewhere_ != nullptr ? SendToMaster(call) : AnswerHere(call, body);
}

grpc::Status GrpcAdminService::AnswerWaiting(const AdminCall& call, Body body) const {
  const absl::Cleanup leave = [this] { --waiting_; };  // also if memory runs out
  if (waiting_++ < most_waiting_) return Answer(call, body);
  return ToGrpcStatus(absl::UnavailableError(
      absl::StrCat(most_waiting_, " calls wait for work that takes long already, and no more may; ask again")));
}

grpc::Status GrpcAdminService::AnswerHere(const AdminCall& call, Body body) const {
  return ThroughGate(
      slot_->gate(), {.service = call.service, .method = call.method, .context = call.context, .request = call.request},
      [&] { return TargetsOfFields(call.request); },
      [&]() -> absl::Status {
        VAQUITA_ASSIGN_OR_RETURN(const Serving serving, slot_->Get());
        if (const AccessControl* access = slot_->access()) {
          VAQUITA_ASSIGN_OR_RETURN(const Caller caller, slot_->CallerOf(call.context));
          VAQUITA_RETURN_IF_ERROR(CheckAdminMethod(*access, caller, serving, call.method, call.request));
        }
        return body(serving);
      });
}

grpc::Status GrpcAdminService::StartOnTable(
    const AdminCall& call, const std::string& name, v1::ProcedureStarted* response,
    absl::FunctionRef<absl::StatusOr<int64_t>(const Serving&, const TableName&)> start) const {
  return Answer(call, [&](const Serving& serving) -> absl::Status {
    VAQUITA_ASSIGN_OR_RETURN(const TableName table, TableName::Parse(name));
    return StartOnce(serving.master, call.context, response, [&] { return start(serving, table); });
  });
}

grpc::Status GrpcAdminService::StartOnRegion(
    const AdminCall& call, const std::string& region, v1::ProcedureStarted* response,
    absl::FunctionRef<absl::StatusOr<int64_t>(Master&, const std::string&)> start) const {
  return Answer(call, [&](const Serving& serving) -> absl::Status {
    if (region.empty()) return MissingField("region");
    return StartOnce(serving.master, call.context, response, [&] { return start(*serving.master, region); });
  });
}

grpc::Status GrpcAdminService::CreateTable(grpc::ServerContext* context, const v1::CreateTableRequest* request,
                                           v1::ProcedureStarted* response) {
  return Answer({__func__, *context, *request}, [&](const Serving& serving) -> absl::Status {
    VAQUITA_ASSIGN_OR_RETURN(const TableDescriptor table, DecodeTable(request->has_table(), request->table()));
    const std::vector<std::string> split_keys(request->split_keys().begin(), request->split_keys().end());
    VAQUITA_ASSIGN_OR_RETURN(const Caller caller, slot_->CallerOf(*context));
    return StartOnce(serving.master, *context, response,
                     [&] { return serving.master->CreateTableAsync(table, split_keys, caller.name); });
  });
}

grpc::Status GrpcAdminService::DeleteTable(grpc::ServerContext* context, const v1::TableRequest* request,
                                           v1::ProcedureStarted* response) {
  return StartOnTable(
      {__func__, *context, *request}, request->table(), response,
      [](const Serving& serving, const TableName& table) { return serving.master->DeleteTableAsync(table); });
}

grpc::Status GrpcAdminService::TruncateTable(grpc::ServerContext* context, const v1::TruncateTableRequest* request,
                                             v1::ProcedureStarted* response) {
  return StartOnTable({__func__, *context, *request}, request->table(), response,
                      [&](const Serving& serving, const TableName& table) {
                        return serving.master->TruncateTableAsync(table, request->preserve_splits());
                      });
}

grpc::Status GrpcAdminService::EnableTable(grpc::ServerContext* context, const v1::TableRequest* request,
                                           v1::ProcedureStarted* response) {
  return StartOnTable(
      {__func__, *context, *request}, request->table(), response,
      [](const Serving& serving, const TableName& table) { return serving.master->EnableTableAsync(table); });
}

grpc::Status GrpcAdminService::DisableTable(grpc::ServerContext* context, const v1::TableRequest* request,
                                            v1::ProcedureStarted* response) {
  return StartOnTable(
      {__func__, *context, *request}, request->table(), response,
      [](const Serving& serving, const TableName& table) { return serving.master->DisableTableAsync(table); });
}

grpc::Status GrpcAdminService::ModifyTable(grpc::ServerContext* context, const v1::ModifyTableRequest* request,
                                           v1::ProcedureStarted* response) {
  return Answer({__func__, *context, *request}, [&](const Serving& serving) -> absl::Status {
    VAQUITA_ASSIGN_OR_RETURN(const TableDescriptor table, DecodeTable(request->has_table(), request->table()));
    return StartOnce(serving.master, *context, response, [&] { return serving.master->ModifyTableAsync(table); });
  });
}

grpc::Status GrpcAdminService::GetTableDescriptor(grpc::ServerContext* context, const v1::TableRequest* request,
                                                  v1::TableDescriptor* response) {
  return Answer({__func__, *context, *request}, [&](const Serving& serving) -> absl::Status {
    VAQUITA_ASSIGN_OR_RETURN(const TableName table, TableName::Parse(request->table()));
    VAQUITA_ASSIGN_OR_RETURN(const auto descriptor, serving.master->GetDescriptor(table));
    ToProto(*descriptor, response);
    return absl::OkStatus();
  });
}

grpc::Status GrpcAdminService::GetTableState(grpc::ServerContext* context, const v1::TableRequest* request,
                                             v1::GetTableStateResponse* response) {
  return Answer({__func__, *context, *request}, [&](const Serving& serving) -> absl::Status {
    VAQUITA_ASSIGN_OR_RETURN(const TableName table, TableName::Parse(request->table()));
    VAQUITA_ASSIGN_OR_RETURN(const TableState state, serving.master->GetTableState(table));
    response->set_state(ToProto(state));
    return absl::OkStatus();
  });
}

grpc::Status GrpcAdminService::ListTables(grpc::ServerContext* context, const v1::ListTablesRequest* request,
                                          v1::ListTablesResponse* response) {
  return Answer({__func__, *context, *request}, [&](const Serving& serving) -> absl::Status {
    VAQUITA_ASSIGN_OR_RETURN(const Caller caller, slot_->CallerOf(*context));
    for (const TableName& table : serving.master->ListTables(request->system())) {
      if (slot_->access() == nullptr || slot_->access()->MaySeeTable(&caller, table)) {
        response->add_tables(table.ToString());
      }
    }
    return absl::OkStatus();
  });
}

grpc::Status GrpcAdminService::GetProcedure(grpc::ServerContext* context, const v1::ProcedureRequest* request,
                                            v1::Procedure* response) {
  return Answer({__func__, *context, *request}, [&](const Serving& serving) -> absl::Status {
    VAQUITA_ASSIGN_OR_RETURN(const Procedure procedure, serving.master->GetProcedure(request->procedure_id()));
    ToProto(procedure, response);
    return absl::OkStatus();
  });
}

grpc::Status GrpcAdminService::WaitForProcedure(grpc::ServerContext* context, const v1::ProcedureRequest* request,
                                                v1::Procedure* response) {
  return AnswerWaiting({__func__, *context, *request}, [&](const Serving& serving) -> absl::Status {
    GrpcWatch watch(context);
    VAQUITA_RETURN_IF_ERROR(serving.master->Wait(request->procedure_id(), &watch));
    VAQUITA_ASSIGN_OR_RETURN(const Procedure procedure, serving.master->GetProcedure(request->procedure_id()));
    ToProto(procedure, response);
    return absl::OkStatus();
  });
}

grpc::Status GrpcAdminService::ListProcedures(grpc::ServerContext* context, const v1::ListProceduresRequest* request,
                                              v1::ListProceduresResponse* response) {
  return Answer({__func__, *context, *request}, [&](const Serving& serving) {
    for (const Procedure& procedure : serving.master->ListProcedures()) ToProto(procedure, response->add_procedures());
    return absl::OkStatus();
  });
}

grpc::Status GrpcAdminService::CreateNamespace(grpc::ServerContext* context, const v1::NamespaceDescriptor* request,
                                               v1::Done*) {
  return Answer({__func__, *context, *request},
                [&](const Serving& serving) { return serving.master->CreateNamespace(FromProto(*request)); });
}

grpc::Status GrpcAdminService::ModifyNamespace(grpc::ServerContext* context, const v1::NamespaceDescriptor* request,
                                               v1::Done*) {
  return Answer({__func__, *context, *request},
                [&](const Serving& serving) { return serving.master->ModifyNamespace(FromProto(*request)); });
}

grpc::Status GrpcAdminService::DeleteNamespace(grpc::ServerContext* context, const v1::NamespaceRequest* request,
                                               v1::Done*) {
  return AnswerWaiting({__func__, *context, *request}, [&](const Serving& serving) -> absl::Status {
    VAQUITA_ASSIGN_OR_RETURN(const int64_t id, serving.master->DeleteNamespaceAsync(request->name()));
    GrpcWatch watch(context);
    return serving.master->Wait(id, &watch);
  });
}

grpc::Status GrpcAdminService::GetNamespace(grpc::ServerContext* context, const v1::NamespaceRequest* request,
                                            v1::NamespaceDescriptor* response) {
  return Answer({__func__, *context, *request}, [&](const Serving& serving) -> absl::Status {
    VAQUITA_ASSIGN_OR_RETURN(const NamespaceDescriptor ns, serving.master->GetNamespace(request->name()));
    ToProto(ns, response);
    return absl::OkStatus();
  });
}

grpc::Status GrpcAdminService::ListNamespaces(grpc::ServerContext* context, const v1::ListNamespacesRequest* request,
                                              v1::ListNamespacesResponse* response) {
  return Answer({__func__, *context, *request}, [&](const Serving& serving) -> absl::Status {
    VAQUITA_ASSIGN_OR_RETURN(const Caller caller, slot_->CallerOf(*context));
    for (const NamespaceDescriptor& ns : serving.master->ListNamespaces()) {
      if (slot_->access() == nullptr || slot_->access()->MayAdministerNamespace(&caller, ns.name)) {
        ToProto(ns, response->add_namespaces());
      }
    }
    return absl::OkStatus();
  });
}

grpc::Status GrpcAdminService::ListRegions(grpc::ServerContext* context, const v1::TableRequest* request,
                                           v1::ListRegionsResponse* response) {
  return Answer({__func__, *context, *request}, [&](const Serving& serving) -> absl::Status {
    VAQUITA_ASSIGN_OR_RETURN(const TableName table, TableName::Parse(request->table()));
    VAQUITA_ASSIGN_OR_RETURN(const std::vector<AssignedRegion> regions, serving.master->GetRegions(table));
    for (const AssignedRegion& region : regions) LocationToProto(*serving.master, region, response->add_regions());
    return absl::OkStatus();
  });
}

grpc::Status GrpcAdminService::LocateRow(grpc::ServerContext* context, const v1::LocateRowRequest* request,
                                         v1::RegionLocation* response) {
  return Answer({__func__, *context, *request}, [&](const Serving& serving) -> absl::Status {
    VAQUITA_ASSIGN_OR_RETURN(const TableName table, TableName::Parse(request->table()));
    VAQUITA_ASSIGN_OR_RETURN(const AssignedRegion region, serving.master->LocateRow(table, request->row()));
    LocationToProto(*serving.master, region, response);
    return absl::OkStatus();
  });
}

grpc::Status GrpcAdminService::Flush(grpc::ServerContext* context, const v1::FlushRequest* request, v1::Done*) {
  return AnswerWaiting({__func__, *context, *request}, [&](const Serving& serving) -> absl::Status {
    if (!request->region().empty()) return serving.master->FlushRegion(request->region());
    if (request->table().empty()) return MissingField("table");
    VAQUITA_ASSIGN_OR_RETURN(const TableName table, TableName::Parse(request->table()));
    return serving.master->FlushTable(table);
  });
}

grpc::Status GrpcAdminService::Compact(grpc::ServerContext* context, const v1::CompactRequest* request, v1::Done*) {
  const auto compact = [&](const Serving& serving) -> absl::Status {
    const CompactionKind kind = request->major() ? CompactionKind::kMajor : CompactionKind::kMinor;
    if (!request->region().empty()) {
      return serving.master->CompactRegion(request->region(), request->family(), kind, request->wait());
    }
    if (request->table().empty()) return MissingField("table");
    VAQUITA_ASSIGN_OR_RETURN(const TableName table, TableName::Parse(request->table()));
    return serving.master->CompactTable(table, request->family(), kind, request->wait());
  };
  const AdminCall call{__func__, *context, *request};
  return request->wait() ? AnswerWaiting(call, compact) : Answer(call, compact);
}

grpc::Status GrpcAdminService::SplitRegion(grpc::ServerContext* context, const v1::SplitRegionRequest* request,
                                           v1::ProcedureStarted* response) {
  return Answer({__func__, *context, *request}, [&](const Serving& serving) -> absl::Status {
    if (request->region().empty()) return MissingField("region");
    return StartOnce(serving.master, *context, response,
                     [&] { return serving.master->SplitRegionAsync(request->region(), request->split_row()); });
  });
}

grpc::Status GrpcAdminService::MergeRegions(grpc::ServerContext* context, const v1::MergeRegionsRequest* request,
                                            v1::ProcedureStarted* response) {
  return Answer({__func__, *context, *request}, [&](const Serving& serving) -> absl::Status {
    const std::vector<std::string> regions(request->regions().begin(), request->regions().end());
    return StartOnce(serving.master, *context, response,
                     [&] { return serving.master->MergeRegionsAsync(regions, request->forcible()); });
  });
}

grpc::Status GrpcAdminService::MoveRegion(grpc::ServerContext* context, const v1::MoveRegionRequest* request,
                                          v1::Done*) {
  return AnswerWaiting({__func__, *context, *request}, [&](const Serving& serving) {
    GrpcWatch watch(context);
    return serving.master->MoveRegion(request->region(), request->server_name(), std::nullopt, &watch);
  });
}

grpc::Status GrpcAdminService::AssignRegion(grpc::ServerContext* context, const v1::RegionRequest* request,
                                            v1::ProcedureStarted* response) {
  return StartOnRegion({__func__, *context, *request}, request->region(), response,
                       [](Master& master, const std::string& region) { return master.AssignRegionAsync(region); });
}

grpc::Status GrpcAdminService::UnassignRegion(grpc::ServerContext* context, const v1::RegionRequest* request,
                                              v1::ProcedureStarted* response) {
  return StartOnRegion({__func__, *context, *request}, request->region(), response,
                       [](Master& master, const std::string& region) { return master.UnassignRegionAsync(region); });
}

grpc::Status GrpcAdminService::TruncateRegion(grpc::ServerContext* context, const v1::RegionRequest* request,
                                              v1::ProcedureStarted* response) {
  return StartOnRegion({__func__, *context, *request}, request->region(), response,
                       [](Master& master, const std::string& region) { return master.TruncateRegionAsync(region); });
}

grpc::Status GrpcAdminService::ListRegionsInTransition(grpc::ServerContext* context,
                                                       const v1::ListRegionsInTransitionRequest* request,
                                                       v1::ListRegionsInTransitionResponse* response) {
  return Answer({__func__, *context, *request}, [&](const Serving& serving) {
    for (const RegionInTransition& region : serving.master->RegionsInTransition()) {
      ToProto(region, response->add_regions());
    }
    return absl::OkStatus();
  });
}

grpc::Status GrpcAdminService::Snapshot(grpc::ServerContext* context, const v1::SnapshotDescription* request,
                                        v1::ProcedureStarted* response) {
  return Answer({__func__, *context, *request}, [&](const Serving& serving) -> absl::Status {
    SnapshotDescription snapshot;
    VAQUITA_RETURN_IF_ERROR(FromProto(*request, &snapshot));
    VAQUITA_ASSIGN_OR_RETURN(const Caller caller, slot_->CallerOf(*context));
    if (slot_->access() != nullptr) snapshot.owner = caller.name;
    return StartOnce(serving.master, *context, response,
                     [&] { return serving.master->SnapshotAsync(snapshot, /*polled=*/false); });
  });
}

grpc::Status GrpcAdminService::ListSnapshots(grpc::ServerContext* context, const v1::ListSnapshotsRequest* request,
                                             v1::ListSnapshotsResponse* response) {
  return Answer({__func__, *context, *request}, [&](const Serving& serving) -> absl::Status {
    VAQUITA_ASSIGN_OR_RETURN(const Caller caller, slot_->CallerOf(*context));
    for (const SnapshotDescription& snapshot : serving.master->ListSnapshots()) {
      if (slot_->access() == nullptr || slot_->access()->IsOwnerOrAdmin(&caller, snapshot.owner)) {
        ToProto(snapshot, response->add_snapshots());
      }
    }
    return absl::OkStatus();
  });
}

grpc::Status GrpcAdminService::RestoreSnapshot(grpc::ServerContext* context, const v1::RestoreSnapshotRequest* request,
                                               v1::ProcedureStarted* response) {
  return StartOnTable({__func__, *context, *request}, request->table(), response,
                      [&](const Serving& serving, const TableName& table) -> absl::StatusOr<int64_t> {
                        VAQUITA_ASSIGN_OR_RETURN(const Caller caller, slot_->CallerOf(*context));
                        const auto judge = [&](const SnapshotDescription& snapshot, bool restores) {
                          const AccessControl* access = slot_->access();
                          return access == nullptr ? absl::OkStatus()
                                                   : access->RequireToRestore(&caller, snapshot, table, restores);
                        };
                        return serving.master->RestoreSnapshotAsync(request->snapshot(), table,
                                                                    request->store_file_tracker(), caller.name, judge);
                      });
}

grpc::Status GrpcAdminService::DeleteSnapshot(grpc::ServerContext* context, const v1::SnapshotRequest* request,
                                              v1::Done*) {
  return Answer({__func__, *context, *request}, [&](const Serving& serving) -> absl::Status {
    VAQUITA_ASSIGN_OR_RETURN(const Caller caller, slot_->CallerOf(*context));
    return serving.master->DeleteSnapshot(request->snapshot(), [&](const SnapshotDescription& snapshot) {
      const AccessControl* access = slot_->access();
      return access == nullptr ? absl::OkStatus() : access->RequireAsOwner(&caller, snapshot.owner);
    });
  });
}

grpc::Status GrpcAdminService::CheckConsistency(grpc::ServerContext* context,
                                                const v1::CheckConsistencyRequest* request,
                                                v1::CheckConsistencyResponse* response) {
  return Answer({__func__, *context, *request}, [&](const Serving& serving) -> absl::Status {
    VAQUITA_ASSIGN_OR_RETURN(const auto findings, serving.master->CheckConsistency());
    for (const fsck::Finding& finding : findings) {
      auto* out = response->add_findings();
      out->set_kind(fsck::KindName(finding.kind));
      out->set_table(Utf8Text(finding.table));
      out->set_region(Utf8Text(finding.region));
      out->set_what(Utf8Text(finding.what));
      out->set_advice(Utf8Text(finding.advice));
    }
    return absl::OkStatus();
  });
}

grpc::Status GrpcAdminService::GetClusterStatus(grpc::ServerContext* context,
                                                const v1::GetClusterStatusRequest* request,
                                                v1::ClusterStatus* response) {
  return Answer({__func__, *context, *request}, [&](const Serving& serving) {
    ToProto(serving.master->Status(), response);
    return absl::OkStatus();
  });
}

grpc::Status GrpcAdminService::GetRegionMetrics(grpc::ServerContext* context, const v1::TableRequest* request,
                                                v1::GetRegionMetricsResponse* response) {
  return Answer({__func__, *context, *request}, [&](const Serving& serving) -> absl::Status {
    VAQUITA_ASSIGN_OR_RETURN(const TableName table, TableName::Parse(request->table()));
    VAQUITA_RETURN_IF_ERROR(serving.master->GetTableState(table).status());  // so that an unknown table is an error
    for (const ServerMetrics& server : serving.master->Status().servers) {
      for (const RegionMetrics& region : server.regions) {
        if (region.info.table == table) ToProto(region, response->add_regions());
      }
    }
    return absl::OkStatus();
  });
}

grpc::Status GrpcAdminService::DecommissionServers(grpc::ServerContext* context,
                                                   const v1::DecommissionServersRequest* request, v1::Done*) {
  return Answer({__func__, *context, *request}, [&](const Serving& serving) {
    return serving.master->Decommission({request->servers().begin(), request->servers().end()}, request->offload());
  });
}

grpc::Status GrpcAdminService::RecommissionServer(grpc::ServerContext* context,
                                                  const v1::RecommissionServerRequest* request, v1::Done*) {
  return Answer({__func__, *context, *request}, [&](const Serving& serving) {
    return serving.master->Recommission(request->server(), {request->regions().begin(), request->regions().end()});
  });
}

grpc::Status GrpcAdminService::ListDecommissionedServers(grpc::ServerContext* context,
                                                         const v1::ListDecommissionedServersRequest* request,
                                                         v1::ListDecommissionedServersResponse* response) {
  return Answer({__func__, *context, *request}, [&](const Serving& serving) {
    for (const std::string& server : serving.master->DecommissionedServers()) response->add_servers(server);
    return absl::OkStatus();
  });
}

grpc::Status GrpcAdminService::SwitchCompactions(grpc::ServerContext* context, const v1::SetSwitchRequest* request,
                                                 v1::SwitchState* response) {
  return AnswerHere({__func__, *context, *request, "AdminService"}, [&](const Serving& serving) {
    return AnswerSwitch(serving.server->maintenance()->SwitchCompactions(request->on()), response);
  });
}

grpc::Status GrpcAdminService::SetMasterSwitch(grpc::ServerContext* context, const v1::SetMasterSwitchRequest* request,
                                               v1::SwitchState* response) {
  return Answer({__func__, *context, *request}, [&](const Serving& serving) -> absl::Status {
    MasterSwitch which;
    VAQUITA_RETURN_IF_ERROR(FromProto(request->which(), &which));
    return AnswerSwitch(serving.master->SetSwitch(which, request->on()), response);
  });
}

grpc::Status GrpcAdminService::IsMasterSwitchOn(grpc::ServerContext* context,
                                                const v1::IsMasterSwitchOnRequest* request, v1::SwitchState* response) {
  return Answer({__func__, *context, *request}, [&](const Serving& serving) -> absl::Status {
    MasterSwitch which;
    VAQUITA_RETURN_IF_ERROR(FromProto(request->which(), &which));
    return AnswerSwitch(serving.master->IsOn(which), response);
  });
}

grpc::Status GrpcAdminService::RunCatalogJanitor(grpc::ServerContext* context,
                                                 const v1::RunCatalogJanitorRequest* request,
                                                 v1::RunCatalogJanitorResponse* response) {
  return Answer({__func__, *context, *request}, [&](const Serving& serving) -> absl::Status {
    VAQUITA_ASSIGN_OR_RETURN(const int removed, serving.master->RunCatalogJanitor());
    response->set_removed(removed);
    return absl::OkStatus();
  });
}

grpc::Status GrpcAdminService::SetBalancer(grpc::ServerContext* context, const v1::SetSwitchRequest* request,
                                           v1::SwitchState* response) {
  return Answer({__func__, *context, *request}, [&](const Serving& serving) {
    return AnswerSwitch(serving.master->SetSwitch(MasterSwitch::kBalancer, request->on()), response);
  });
}

grpc::Status GrpcAdminService::IsBalancerOn(grpc::ServerContext* context, const v1::IsBalancerOnRequest* request,
                                            v1::SwitchState* response) {
  return Answer({__func__, *context, *request}, [&](const Serving& serving) {
    return AnswerSwitch(serving.master->IsOn(MasterSwitch::kBalancer), response);
  });
}

grpc::Status GrpcAdminService::Balance(grpc::ServerContext* context, const v1::BalanceRequest* request,
                                       v1::BalanceResponse* response) {
  return Answer({__func__, *context, *request}, [&](const Serving& serving) -> absl::Status {
    VAQUITA_ASSIGN_OR_RETURN(
        const BalanceAnswer answer,
        serving.master->Balance(
            {.dry_run = request->dry_run(), .ignore_regions_in_transition = request->ignore_regions_in_transition()}));
    response->set_ran(answer.ran);
    response->set_moves_calculated(answer.moves_calculated);
    response->set_moves_executed(answer.moves_executed);
    response->set_text(answer.text);
    return absl::OkStatus();
  });
}

grpc::Status GrpcAdminService::SetNormalizer(grpc::ServerContext* context, const v1::SetSwitchRequest* request,
                                             v1::SwitchState* response) {
  return Answer({__func__, *context, *request}, [&](const Serving& serving) {
    return AnswerSwitch(serving.master->SetSwitch(MasterSwitch::kNormalizer, request->on()), response);
  });
}

grpc::Status GrpcAdminService::IsNormalizerOn(grpc::ServerContext* context, const v1::IsNormalizerOnRequest* request,
                                              v1::SwitchState* response) {
  return Answer({__func__, *context, *request}, [&](const Serving& serving) {
    return AnswerSwitch(serving.master->IsOn(MasterSwitch::kNormalizer), response);
  });
}

grpc::Status GrpcAdminService::Normalize(grpc::ServerContext* context, const v1::NormalizeRequest* request,
                                         v1::NormalizeResponse* response) {
  return Answer({__func__, *context, *request}, [&](const Serving& serving) -> absl::Status {
    std::vector<TableName> tables;
    for (const std::string& name : request->tables()) {
      VAQUITA_ASSIGN_OR_RETURN(TableName table, TableName::Parse(name));
      tables.push_back(std::move(table));
    }
    if (tables.empty()) tables = serving.master->ListTables(/*system=*/false);
    response->set_ran(serving.master->Normalize(tables));
    return absl::OkStatus();
  });
}

grpc::Status GrpcAdminService::SetSplitOrMerge(grpc::ServerContext* context, const v1::SetSplitOrMergeRequest* request,
                                               v1::SwitchState* response) {
  return Answer({__func__, *context, *request}, [&](const Serving& serving) -> absl::Status {
    VAQUITA_ASSIGN_OR_RETURN(const MasterSwitch which, SplitOrMerge(request->which()));
    return AnswerSwitch(serving.master->SetSwitch(which, request->on()), response);
  });
}

grpc::Status GrpcAdminService::IsSplitOrMergeOn(grpc::ServerContext* context,
                                                const v1::IsSplitOrMergeOnRequest* request, v1::SwitchState* response) {
  return Answer({__func__, *context, *request}, [&](const Serving& serving) -> absl::Status {
    VAQUITA_ASSIGN_OR_RETURN(const MasterSwitch which, SplitOrMerge(request->which()));
    return AnswerSwitch(serving.master->IsOn(which), response);
  });
}

grpc::Status GrpcAdminService::StartEdit(const AdminCall& call, const ReplicationPeerEdit& edit,
                                         v1::ProcedureStarted* response) const {
  return Answer(call, [&](const Serving& serving) {
    return StartOnce(serving.master, call.context, response,
                     [&] { return serving.master->EditReplicationPeersAsync(edit); });
  });
}

grpc::Status GrpcAdminService::AddReplicationPeer(grpc::ServerContext* context, const v1::ReplicationPeer* request,
                                                  v1::ProcedureStarted* response) {
  const auto peer = FromProto(*request);
  if (!peer.ok()) return ToGrpcStatus(peer.status());
  return StartEdit({__func__, *context, *request}, ReplicationPeerEdit::Add(*peer), response);
}

grpc::Status GrpcAdminService::UpdateReplicationPeer(grpc::ServerContext* context, const v1::ReplicationPeer* request,
                                                     v1::ProcedureStarted* response) {
  const auto peer = FromProto(*request);
  if (!peer.ok()) return ToGrpcStatus(peer.status());
  return StartEdit({__func__, *context, *request}, ReplicationPeerEdit::Update(peer->id, peer->config), response);
}

grpc::Status GrpcAdminService::RemoveReplicationPeer(grpc::ServerContext* context,
                                                     const v1::ReplicationPeerRequest* request,
                                                     v1::ProcedureStarted* response) {
  return StartEdit({__func__, *context, *request}, ReplicationPeerEdit::Remove(request->id()), response);
}

grpc::Status GrpcAdminService::SwitchReplicationPeer(grpc::ServerContext* context,
                                                     const v1::SwitchReplicationPeerRequest* request,
                                                     v1::ProcedureStarted* response) {
  return StartEdit({__func__, *context, *request}, ReplicationPeerEdit::Switch(request->id(), request->enabled()),
                   response);
}

grpc::Status GrpcAdminService::ListReplicationPeers(grpc::ServerContext* context,
                                                    const v1::ListReplicationPeersRequest* request,
                                                    v1::ListReplicationPeersResponse* response) {
  return Answer({__func__, *context, *request}, [&](const Serving& serving) {
    for (const auto& [id, peer] : serving.master->replication_peers().List()) ToProto(peer, response->add_peers());
    return absl::OkStatus();
  });
}

grpc::Status GrpcAdminService::SetQuota(grpc::ServerContext* context, const v1::SetQuotaRequest* request, v1::Done*) {
  return Answer({__func__, *context, *request},
                [&](const Serving& serving) { return serving.master->SetQuota(request->request()); });
}

grpc::Status GrpcAdminService::SwitchRpcThrottle(grpc::ServerContext* context, const v1::SetSwitchRequest* request,
                                                 v1::SwitchState* response) {
  return Answer({__func__, *context, *request}, [&](const Serving& serving) {
    return AnswerSwitch(serving.master->SwitchRpcThrottle(request->on()), response);
  });
}

grpc::Status GrpcAdminService::IsRpcThrottleOn(grpc::ServerContext* context, const v1::IsRpcThrottleOnRequest* request,
                                               v1::SwitchState* response) {
  return Answer({__func__, *context, *request},
                [&](const Serving& serving) { return AnswerSwitch(serving.master->IsRpcThrottleOn(), response); });
}

grpc::Status GrpcAdminService::SwitchExceedThrottleQuota(grpc::ServerContext* context,
                                                         const v1::SetSwitchRequest* request,
                                                         v1::SwitchState* response) {
  return Answer({__func__, *context, *request}, [&](const Serving& serving) {
    return AnswerSwitch(serving.master->SwitchExceedThrottleQuota(request->on()), response);
  });
}

grpc::Status GrpcAdminService::ListQuotaTableSizes(grpc::ServerContext* context,
                                                   const v1::ListQuotaTableSizesRequest* request,
                                                   v1::ListQuotaTableSizesResponse* response) {
  return Answer({__func__, *context, *request}, [&](const Serving& serving) {
    for (const auto& [table, bytes] : serving.master->QuotaTableSizes()) {
      (*response->mutable_bytes())[table.ToString()] = bytes;
    }
    return absl::OkStatus();
  });
}

grpc::Status GrpcAdminService::ListBalancerDecisions(grpc::ServerContext* context,
                                                     const v1::ListBalancerDecisionsRequest* request,
                                                     v1::ListBalancerDecisionsResponse* response) {
  return Answer({__func__, *context, *request}, [&](const Serving& serving) {
    for (const BalancerDecision& decision : serving.master->BalancerDecisions(request->limit())) {
      ToProto(decision, response->add_decisions());
    }
    return absl::OkStatus();
  });
}

grpc::Status GrpcAdminService::ListBalancerRejections(grpc::ServerContext* context,
                                                      const v1::ListBalancerRejectionsRequest* request,
                                                      v1::ListBalancerRejectionsResponse* response) {
  return Answer({__func__, *context, *request}, [&](const Serving& serving) {
    for (const BalancerRejection& rejection : serving.master->BalancerRejections(request->limit())) {
      ToProto(rejection, response->add_rejections());
    }
    return absl::OkStatus();
  });
}

grpc::Status GrpcAdminService::FlushMasterStore(grpc::ServerContext* context,
                                                const v1::FlushMasterStoreRequest* request, v1::Done*) {
  return Answer({__func__, *context, *request}, [](const Serving& serving) { return serving.master->FlushStore(); });
}

grpc::Status GrpcAdminService::ListSlowCalls(grpc::ServerContext* context, const v1::ListSlowCallsRequest* request,
                                             v1::ListSlowCallsResponse* response) {
  return AnswerHere({__func__, *context, *request, "AdminService"}, [&](const Serving& serving) {
    for (const SlowCall& call : serving.server->slow_calls().Find(FromProto(*request))) {
      ToProto(call, response->add_calls());
    }
    return absl::OkStatus();
  });
}

grpc::Status GrpcAdminService::ClearSlowCalls(grpc::ServerContext* context, const v1::ClearSlowCallsRequest* request,
                                              v1::SwitchState* response) {
  return AnswerHere({__func__, *context, *request, "AdminService"}, [&](const Serving& serving) {
    return AnswerSwitch(serving.server->slow_calls().Clear(), response);
  });
}

grpc::Status GrpcAdminService::RollLog(grpc::ServerContext* context, const v1::RollLogRequest* request, v1::Done*) {
  return AnswerHere({__func__, *context, *request, "AdminService"},
                    [](const Serving& serving) { return serving.server->RollLog(); });
}

// A process has one RegionServer at least, which takes the orders to the process.
grpc::Status GrpcAdminService::StopMaster(grpc::ServerContext* context, const v1::StopMasterRequest* request,
                                          v1::Done*) {
  return Answer({__func__, *context, *request},
                [&](const Serving& serving) { return serving.server->StopProcess(context->peer()); });
}

grpc::Status GrpcAdminService::StopServer(grpc::ServerContext* context, const v1::StopServerRequest* request,
                                          v1::Done*) {
  return AnswerHere({__func__, *context, *request, "AdminService"},
                    [&](const Serving& serving) { return serving.server->StopProcess(context->peer()); });
}

grpc::Status GrpcAdminService::UpdateMasterConfiguration(grpc::ServerContext* context,
                                                         const v1::UpdateConfigurationRequest* request, v1::Done*) {
  return Answer({__func__, *context, *request},
                [](const Serving& serving) { return serving.server->UpdateConfiguration(); });
}

grpc::Status GrpcAdminService::UpdateConfiguration(grpc::ServerContext* context,
                                                   const v1::UpdateConfigurationRequest* request, v1::Done*) {
  return AnswerHere({__func__, *context, *request, "AdminService"},
                    [](const Serving& serving) { return serving.server->UpdateConfiguration(); });
}

grpc::Status GrpcAdminService::ClearBlockCache(grpc::ServerContext* context, const v1::ClearBlockCacheRequest* request,
                                               v1::ClearBlockCacheResponse* response) {
  return AnswerHere({__func__, *context, *request, "AdminService"}, [&](const Serving& serving) {
    const CacheEviction evicted = serving.server->DropCachedBlocks();
    response->set_evicted_blocks(evicted.evicted_blocks);
    response->set_evicted_bytes(evicted.evicted_bytes);
    response->set_capacity_bytes(evicted.capacity_bytes);
    return absl::OkStatus();
  });
}

}  // namespace vaquita
