#include "server/test_control/reset.h"

#include <vector>

#include "base/status.h"
#include "server/master/master.h"

namespace vaquita {
namespace {

// Waits for all, and returns the first error but those in which the table is gone or disabled already.
absl::Status WaitForAll(Master* master, const std::vector<int64_t>& procedures) {
  absl::Status first;
  for (const int64_t id : procedures) {
    const absl::Status status = master->Wait(id);
    if (IsError(status, ErrorKind::kTableNotFound) || IsError(status, ErrorKind::kTableNotEnabled)) continue;
    first.Update(status);
  }
  return first;
}

// A client's calls on the tables end first.
void WaitForOthers(Master* master) {
  for (const Procedure& procedure : master->ListProcedures()) {
    if (procedure.state == Procedure::State::kRunning) master->Wait(procedure.id).IgnoreError();
  }
}

}  // namespace

absl::StatusOr<int> DropTables(Master* master, const std::string& ns) {
  WaitForOthers(master);
  std::vector<TableName> tables;
  std::vector<int64_t> procedures;
  for (const TableName& table : master->ListTables(/*system=*/false)) {
    if (!ns.empty() && table.ns != ns) continue;
    tables.push_back(table);
    const auto state = master->GetTableState(table);
    if (state.ok() && *state == TableState::kDisabled) continue;
    if (const auto id = master->DisableTableAsync(table); id.ok()) procedures.push_back(*id);
  }
  VAQUITA_RETURN_IF_ERROR(WaitForAll(master, procedures));
  procedures.clear();
  for (const TableName& table : tables) {
    VAQUITA_ASSIGN_OR_RETURN(const int64_t id, master->DeleteTableAsync(table));
    procedures.push_back(id);
  }
  VAQUITA_RETURN_IF_ERROR(WaitForAll(master, procedures));
  return static_cast<int>(tables.size());
}

absl::Status DropSnapshotsAndNamespaces(Master* master) {
  for (const SnapshotDescription& snapshot : master->ListSnapshots()) {
    VAQUITA_RETURN_IF_ERROR(master->DeleteSnapshot(snapshot.name));
  }
  for (const NamespaceDescriptor& ns : master->ListNamespaces()) {
    if (ns.name == "default" || ns.name == "hbase") continue;
    VAQUITA_RETURN_IF_ERROR(master->DeleteNamespace(ns.name));
  }
  return absl::OkStatus();
}

absl::Status DropSettings(Master* master) {
  VAQUITA_RETURN_IF_ERROR(master->ForgetQuotas());
  VAQUITA_RETURN_IF_ERROR(master->ForgetPermissions());
  for (const NamespaceDescriptor& ns : master->ListNamespaces()) {
    if (ns.configuration.empty()) continue;
    VAQUITA_RETURN_IF_ERROR(master->ModifyNamespace({.name = ns.name, .configuration = {}}));
  }
  const ReplicationPeers::Peers peers = master->replication_peers().List();
  if (!peers.empty()) VAQUITA_RETURN_IF_ERROR(master->SetSwitch(MasterSwitch::kPeerModification, true).status());
  for (const auto& [id, peer] : peers) {
    VAQUITA_ASSIGN_OR_RETURN(const int64_t procedure,
                             master->EditReplicationPeersAsync(ReplicationPeerEdit::Remove(id)));
    VAQUITA_RETURN_IF_ERROR(master->Wait(procedure));
  }
  return absl::OkStatus();
}

}  // namespace vaquita
