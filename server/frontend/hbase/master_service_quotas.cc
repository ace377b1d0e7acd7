// Methods for quotas, which the master keeps and nobody enforces. Without hbase.quota.enabled they answer as HBase
// does.

#include "hbase/Master.pb.h"
#include "hbase/Quota.pb.h"
#include "proto/hbase/schema_codec.h"
#include "server/frontend/hbase/master_service_methods.h"

namespace vaquita::hbase {
namespace {

absl::Status SetQuota(const ServiceCall& call, const pb::SetQuotaRequest& request, pb::SetQuotaResponse*) {
  return call.master->SetQuota(request.SerializeAsString());
}

absl::Status GetQuotaStates(const ServiceCall& call, const pb::GetQuotaStatesRequest&,
                            pb::GetQuotaStatesResponse* response) {
  VAQUITA_ASSIGN_OR_RETURN(const QuotaTable::SpaceUses uses, call.master->QuotaUses());
  for (const auto& [table, use] : uses.tables) {
    auto* snapshot = response->add_table_snapshots();
    EncodeTableName(table, snapshot->mutable_table_name());
    EncodeSpaceUse(use, snapshot->mutable_snapshot());
  }
  for (const auto& [ns, use] : uses.namespaces) {
    auto* snapshot = response->add_ns_snapshots();
    snapshot->set_namespace_(ns);
    EncodeSpaceUse(use, snapshot->mutable_snapshot());
  }
  return absl::OkStatus();
}

absl::Status GetSpaceQuotaRegionSizes(const ServiceCall& call, const pb::GetSpaceQuotaRegionSizesRequest&,
                                      pb::GetSpaceQuotaRegionSizesResponse* response) {
  for (const auto& [table, bytes] : call.master->QuotaTableSizes()) {
    auto* size = response->add_sizes();
    EncodeTableName(table, size->mutable_table_name());
    size->set_size(static_cast<uint64_t>(bytes));
  }
  return absl::OkStatus();
}

absl::Status SwitchRpcThrottle(const ServiceCall& call, const pb::SwitchRpcThrottleRequest& request,
                               pb::SwitchRpcThrottleResponse* response) {
  VAQUITA_ASSIGN_OR_RETURN(const bool before, call.master->SwitchRpcThrottle(request.rpc_throttle_enabled()));
  response->set_previous_rpc_throttle_enabled(before);
  return absl::OkStatus();
}

absl::Status IsRpcThrottleEnabled(const ServiceCall& call, const pb::IsRpcThrottleEnabledRequest&,
                                  pb::IsRpcThrottleEnabledResponse* response) {
  VAQUITA_ASSIGN_OR_RETURN(const bool on, call.master->IsRpcThrottleOn());
  response->set_rpc_throttle_enabled(on);
  return absl::OkStatus();
}

absl::Status SwitchExceedThrottleQuota(const ServiceCall& call, const pb::SwitchExceedThrottleQuotaRequest& request,
                                       pb::SwitchExceedThrottleQuotaResponse* response) {
  VAQUITA_ASSIGN_OR_RETURN(const bool before,
                           call.master->SwitchExceedThrottleQuota(request.exceed_throttle_quota_enabled()));
  response->set_previous_exceed_throttle_quota_enabled(before);
  return absl::OkStatus();
}

}  // namespace

void AddQuotaMethods(ServiceMethods* methods) {
  using enum ServiceMethods::Pace;
  methods->Add("SetQuota", kWaits, &SetQuota);
  methods->Add("GetQuotaStates", kWaits, &GetQuotaStates);
  methods->Add("GetSpaceQuotaRegionSizes", kQuick, &GetSpaceQuotaRegionSizes);
  methods->Add("SwitchRpcThrottle", kWaits, &SwitchRpcThrottle);
  methods->Add("IsRpcThrottleEnabled", kWaits, &IsRpcThrottleEnabled);
  methods->Add("SwitchExceedThrottleQuota", kWaits, &SwitchExceedThrottleQuota);
}

}  // namespace vaquita::hbase
