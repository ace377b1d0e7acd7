// Features that Vaquita does not have: answered as by a server that has them switched off. docs/compatibility.md lists
// them.
#include "hbase/Master.pb.h"
#include "hbase/Quota.pb.h"
#include "server/frontend/hbase/master_service_methods.h"

namespace vaquita::hbase {
namespace {

// Quotas (hbase.quota.enabled=false).
absl::Status GetQuotaStates(const ServiceCall&, const pb::GetQuotaStatesRequest&, pb::GetQuotaStatesResponse*) {
  return absl::OkStatus();
}

absl::Status GetSpaceQuotaRegionSizes(const ServiceCall&, const pb::GetSpaceQuotaRegionSizesRequest&,
                                      pb::GetSpaceQuotaRegionSizesResponse*) {
  return absl::OkStatus();
}

absl::Status SwitchRpcThrottle(const ServiceCall&, const pb::SwitchRpcThrottleRequest&,
                               pb::SwitchRpcThrottleResponse* response) {
  response->set_previous_rpc_throttle_enabled(false);
  return absl::OkStatus();
}

absl::Status IsRpcThrottleEnabled(const ServiceCall&, const pb::IsRpcThrottleEnabledRequest&,
                                  pb::IsRpcThrottleEnabledResponse* response) {
  response->set_rpc_throttle_enabled(false);
  return absl::OkStatus();
}

absl::Status SwitchExceedThrottleQuota(const ServiceCall&, const pb::SwitchExceedThrottleQuotaRequest&,
                                       pb::SwitchExceedThrottleQuotaResponse* response) {
  response->set_previous_exceed_throttle_quota_enabled(false);
  return absl::OkStatus();
}

}  // namespace

void AddUnsupportedFeatures(ServiceMethods* methods) {
  using enum ServiceMethods::Pace;
  methods->Add("GetQuotaStates", kQuick, &GetQuotaStates);
  methods->Add("GetSpaceQuotaRegionSizes", kQuick, &GetSpaceQuotaRegionSizes);
  methods->Add("SwitchRpcThrottle", kQuick, &SwitchRpcThrottle);
  methods->Add("IsRpcThrottleEnabled", kQuick, &IsRpcThrottleEnabled);
  methods->Add("SwitchExceedThrottleQuota", kQuick, &SwitchExceedThrottleQuota);
  methods->Refuse("SetQuota", ErrorKind::kUnsupportedOperation, "quota support disabled");

  for (const char* method : {"Grant", "Revoke", "GetUserPermissions", "HasUserPermissions"}) {
    methods->Refuse(method, ErrorKind::kUnsupportedOperation,
                    "org.apache.hadoop.hbase.security.access.AccessController is not loaded");
  }
  for (const char* method : {"Shutdown", "StopMaster"}) {
    methods->Refuse(method, ErrorKind::kUnsupportedOperation,
                    "Clients cannot stop this server; send its process SIGTERM");
  }
}

}  // namespace vaquita::hbase
