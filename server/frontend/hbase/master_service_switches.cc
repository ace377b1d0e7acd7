// Methods for switches of the cluster's own chores, and for running these chores at once.
#include "hbase/Master.pb.h"
#include "hbase/Replication.pb.h"
#include "server/frontend/hbase/master_service_methods.h"

namespace vaquita::hbase {
namespace {

MasterSwitch SwitchOf(pb::MasterSwitchType type) {
  return type == pb::SPLIT ? MasterSwitch::kSplit : MasterSwitch::kMerge;
}

absl::Status SetBalancer(const ServiceCall& call, const pb::SetBalancerRunningRequest& request,
                         pb::SetBalancerRunningResponse* response) {
  VAQUITA_ASSIGN_OR_RETURN(const bool before, call.master->SetSwitch(MasterSwitch::kBalancer, request.on()));
  response->set_prev_balance_value(before);
  return absl::OkStatus();
}

absl::Status IsBalancerOn(const ServiceCall& call, const pb::IsBalancerEnabledRequest&,
                          pb::IsBalancerEnabledResponse* response) {
  response->set_enabled(call.master->IsOn(MasterSwitch::kBalancer));
  return absl::OkStatus();
}

absl::Status Balance(const ServiceCall& call, const pb::BalanceRequest& request, pb::BalanceResponse* response) {
  VAQUITA_ASSIGN_OR_RETURN(
      const BalanceAnswer answer,
      call.master->Balance({.dry_run = request.dry_run(), .ignore_regions_in_transition = request.ignore_rit()}));
  response->set_balancer_ran(answer.ran);
  response->set_moves_calculated(static_cast<uint32_t>(answer.moves_calculated));
  response->set_moves_executed(static_cast<uint32_t>(answer.moves_executed));
  return absl::OkStatus();
}

absl::Status SetSplitOrMerge(const ServiceCall& call, const pb::SetSplitOrMergeEnabledRequest& request,
                             pb::SetSplitOrMergeEnabledResponse* response) {
  for (const int type : request.switch_types()) {
    const MasterSwitch which = SwitchOf(static_cast<pb::MasterSwitchType>(type));
    VAQUITA_ASSIGN_OR_RETURN(const bool before, call.master->SetSwitch(which, request.enabled()));
    response->add_prev_value(before);
  }
  return absl::OkStatus();
}

absl::Status IsSplitOrMergeOn(const ServiceCall& call, const pb::IsSplitOrMergeEnabledRequest& request,
                              pb::IsSplitOrMergeEnabledResponse* response) {
  response->set_enabled(call.master->IsOn(SwitchOf(request.switch_type())));
  return absl::OkStatus();
}

absl::Status SetNormalizer(const ServiceCall& call, const pb::SetNormalizerRunningRequest& request,
                           pb::SetNormalizerRunningResponse* response) {
  VAQUITA_ASSIGN_OR_RETURN(const bool before, call.master->SetSwitch(MasterSwitch::kNormalizer, request.on()));
  response->set_prev_normalizer_value(before);
  return absl::OkStatus();
}

absl::Status IsNormalizerOn(const ServiceCall& call, const pb::IsNormalizerEnabledRequest&,
                            pb::IsNormalizerEnabledResponse* response) {
  response->set_enabled(call.master->IsOn(MasterSwitch::kNormalizer));
  return absl::OkStatus();
}

absl::Status EnableCatalogJanitor(const ServiceCall& call, const pb::EnableCatalogJanitorRequest& request,
                                  pb::EnableCatalogJanitorResponse* response) {
  VAQUITA_ASSIGN_OR_RETURN(const bool before, call.master->SetSwitch(MasterSwitch::kCatalogJanitor, request.enable()));
  response->set_prev_value(before);
  return absl::OkStatus();
}

absl::Status IsCatalogJanitorOn(const ServiceCall& call, const pb::IsCatalogJanitorEnabledRequest&,
                                pb::IsCatalogJanitorEnabledResponse* response) {
  response->set_value(call.master->IsOn(MasterSwitch::kCatalogJanitor));
  return absl::OkStatus();
}

absl::Status RunCatalogScan(const ServiceCall& call, const pb::RunCatalogScanRequest&,
                            pb::RunCatalogScanResponse* response) {
  VAQUITA_ASSIGN_OR_RETURN(const int cleaned, call.master->RunCatalogJanitor());
  response->set_scan_result(cleaned);
  return absl::OkStatus();
}

absl::Status SetCleaner(const ServiceCall& call, const pb::SetCleanerChoreRunningRequest& request,
                        pb::SetCleanerChoreRunningResponse* response) {
  VAQUITA_ASSIGN_OR_RETURN(const bool before, call.master->SetSwitch(MasterSwitch::kCleaner, request.on()));
  response->set_prev_value(before);
  return absl::OkStatus();
}

absl::Status IsCleanerOn(const ServiceCall& call, const pb::IsCleanerChoreEnabledRequest&,
                         pb::IsCleanerChoreEnabledResponse* response) {
  response->set_value(call.master->IsOn(MasterSwitch::kCleaner));
  return absl::OkStatus();
}

// No cleaner is needed: RocksDB deletes its old logs and files itself.
absl::Status RunCleaner(const ServiceCall&, const pb::RunCleanerChoreRequest&, pb::RunCleanerChoreResponse* response) {
  response->set_cleaner_chore_ran(true);
  return absl::OkStatus();
}

absl::Status SetSnapshotCleanup(const ServiceCall& call, const pb::SetSnapshotCleanupRequest& request,
                                pb::SetSnapshotCleanupResponse* response) {
  VAQUITA_ASSIGN_OR_RETURN(const bool before,
                           call.master->SetSwitch(MasterSwitch::kSnapshotCleanup, request.enabled()));
  response->set_prev_snapshot_cleanup(before);
  return absl::OkStatus();
}

absl::Status IsSnapshotCleanupOn(const ServiceCall& call, const pb::IsSnapshotCleanupEnabledRequest&,
                                 pb::IsSnapshotCleanupEnabledResponse* response) {
  response->set_enabled(call.master->IsOn(MasterSwitch::kSnapshotCleanup));
  return absl::OkStatus();
}

absl::Status SetPeerModification(const ServiceCall& call, const pb::ReplicationPeerModificationSwitchRequest& request,
                                 pb::ReplicationPeerModificationSwitchResponse* response) {
  VAQUITA_ASSIGN_OR_RETURN(const bool before, call.master->SetSwitch(MasterSwitch::kPeerModification, request.on()));
  response->set_previous_value(before);
  return absl::OkStatus();
}

absl::Status IsPeerModificationOn(const ServiceCall& call, const pb::IsReplicationPeerModificationEnabledRequest&,
                                  pb::IsReplicationPeerModificationEnabledResponse* response) {
  response->set_enabled(call.master->IsOn(MasterSwitch::kPeerModification));
  return absl::OkStatus();
}

}  // namespace

void AddSwitchMethods(ServiceMethods* methods) {
  using enum ServiceMethods::Pace;
  methods->Add("SetBalancerRunning", kWaits, &SetBalancer);
  methods->Add("IsBalancerEnabled", kQuick, &IsBalancerOn);
  methods->Add("Balance", kWaits, &Balance);
  methods->Add("SetSplitOrMergeEnabled", kWaits, &SetSplitOrMerge);
  methods->Add("IsSplitOrMergeEnabled", kQuick, &IsSplitOrMergeOn);
  methods->Add("SetNormalizerRunning", kWaits, &SetNormalizer);
  methods->Add("IsNormalizerEnabled", kQuick, &IsNormalizerOn);
  methods->Add("EnableCatalogJanitor", kWaits, &EnableCatalogJanitor);
  methods->Add("IsCatalogJanitorEnabled", kQuick, &IsCatalogJanitorOn);
  methods->Add("RunCatalogScan", kWaits, &RunCatalogScan);
  methods->Add("SetCleanerChoreRunning", kWaits, &SetCleaner);
  methods->Add("IsCleanerChoreEnabled", kQuick, &IsCleanerOn);
  methods->Add("RunCleanerChore", kQuick, &RunCleaner);
  methods->Add("SwitchSnapshotCleanup", kWaits, &SetSnapshotCleanup);
  methods->Add("IsSnapshotCleanupEnabled", kQuick, &IsSnapshotCleanupOn);
  methods->Add("ReplicationPeerModificationSwitch", kWaits, &SetPeerModification);
  methods->Add("IsReplicationPeerModificationEnabled", kQuick, &IsPeerModificationOn);
}

}  // namespace vaquita::hbase
