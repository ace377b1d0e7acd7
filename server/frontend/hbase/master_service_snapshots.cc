// Snapshots: taking, listing and deleting them, and making tables of them. The switch of their clean-up is among the
// switches.
#include "hbase/Master.pb.h"
#include "proto/hbase/snapshot_codec.h"
#include "server/access/access_control.h"
#include "server/frontend/hbase/master_service_methods.h"
#include "server/frontend/hbase/method_access.h"

namespace vaquita::hbase {
namespace {

// A client that sends a nonce follows the procedure; an older one asks IsSnapshotDone.
absl::Status Snapshot(const ServiceCall& call, const pb::SnapshotRequest& request, pb::SnapshotResponse* response) {
  VAQUITA_ASSIGN_OR_RETURN(SnapshotDescription snapshot, DecodeSnapshot(request.snapshot()));
  if (call.server.access() != nullptr) snapshot.owner = OwnerFor(call);
  response->set_expected_timeout(kMaxWaitMs);
  const bool polled = !request.has_nonce_group() || !request.has_nonce();
  if (polled) return call.master->SnapshotAsync(snapshot, polled).status();
  return StartOnce(call, request, response, [&] { return call.master->SnapshotAsync(snapshot, polled); });
}

absl::Status IsSnapshotDone(const ServiceCall& call, const pb::IsSnapshotDoneRequest& request,
                            pb::IsSnapshotDoneResponse* response) {
  VAQUITA_ASSIGN_OR_RETURN(const SnapshotDescription snapshot, DecodeSnapshot(request.snapshot()));
  VAQUITA_ASSIGN_OR_RETURN(const bool done, call.master->IsSnapshotDone(snapshot));
  response->set_done(done);
  return absl::OkStatus();
}

absl::Status GetCompletedSnapshots(const ServiceCall& call, const pb::GetCompletedSnapshotsRequest&,
                                   pb::GetCompletedSnapshotsResponse* response) {
  const AccessControl* access = call.server.access();
  for (const SnapshotDescription& snapshot : call.master->ListSnapshots()) {
    if (access != nullptr && !access->IsOwnerOrAdmin(call.rpc.context.caller, snapshot.owner)) continue;
    EncodeSnapshot(snapshot, response->add_snapshots());
  }
  return absl::OkStatus();
}

// A snapshot's owner may delete it.
absl::Status DeleteSnapshot(const ServiceCall& call, const pb::DeleteSnapshotRequest& request,
                            pb::DeleteSnapshotResponse*) {
  return call.master->DeleteSnapshot(request.snapshot().name(), [&](const SnapshotDescription& snapshot) {
    const AccessControl* access = call.server.access();
    return access == nullptr ? absl::OkStatus() : access->RequireAsOwner(call.rpc.context.caller, snapshot.owner);
  });
}

// Its owner may restore it with ADMIN on the table, and make the table anew if it is gone.
absl::Status RestoreSnapshot(const ServiceCall& call, const pb::RestoreSnapshotRequest& request,
                             pb::RestoreSnapshotResponse* response) {
  VAQUITA_ASSIGN_OR_RETURN(const TableName table, TableName::Parse(request.snapshot().table()));
  const auto judge = [&](const SnapshotDescription& snapshot, bool restores) {
    const AccessControl* access = call.server.access();
    return access == nullptr ? absl::OkStatus()
                             : access->RequireToRestore(call.rpc.context.caller, snapshot, table, restores);
  };
  return StartOnce(call, request, response, [&] {
    return call.master->RestoreSnapshotAsync(request.snapshot().name(), table, request.customsft(), OwnerFor(call),
                                             judge);
  });
}

// Methods for clients before 2.0.
absl::Status IsRestoreSnapshotDone(const ServiceCall& call, const pb::IsRestoreSnapshotDoneRequest& request,
                                   pb::IsRestoreSnapshotDoneResponse* response) {
  VAQUITA_ASSIGN_OR_RETURN(const TableName table, TableName::Parse(request.snapshot().table()));
  VAQUITA_ASSIGN_OR_RETURN(const bool done, call.master->IsSnapshotRestored(table));
  response->set_done(done);
  return absl::OkStatus();
}

}  // namespace

void AddSnapshotMethods(ServiceMethods* methods) {
  using enum ServiceMethods::Pace;
  methods->Add("Snapshot", kWaits, &Snapshot);
  methods->Add("IsSnapshotDone", kQuick, &IsSnapshotDone);
  methods->Add("GetCompletedSnapshots", kQuick, &GetCompletedSnapshots);
  methods->Add("DeleteSnapshot", kWaits, &DeleteSnapshot);
  methods->Add("RestoreSnapshot", kWaits, &RestoreSnapshot);
  methods->Add("IsRestoreSnapshotDone", kQuick, &IsRestoreSnapshotDone);
}

}  // namespace vaquita::hbase
