// The cluster: its status and metrics, whether the master runs, what security it has.
#include <algorithm>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "hbase/Client.pb.h"
#include "hbase/Master.pb.h"
#include "proto/hbase/cluster_codec.h"
#include "proto/hbase/log_codec.h"
#include "proto/hbase/schema_codec.h"
#include "server/access/access_control.h"
#include "server/frontend/hbase/master_service_methods.h"
#include "server/frontend/hbase/replica_metrics.h"

namespace vaquita::hbase {
namespace {

// The HBase whose rules and protocol this is: clients compare it with what they know.
constexpr const char* kHBaseVersion = "2.6.0";

// Returns the cluster's status with the replicas of its servers' regions.
ClusterStatus StatusWithReplicas(const Master& master) {
  ClusterStatus status = master.Status();
  for (ServerMetrics& server : status.servers) {
    std::vector<RegionMetrics> regions;
    regions.reserve(server.regions.size());
    for (RegionMetrics& region : server.regions) {
      const auto table = master.GetDescriptor(region.info.table);
      if (!table.ok() || (*table)->RegionReplication() == 1) {
        regions.push_back(std::move(region));
        continue;
      }
      for (RegionMetrics& each : WithReplicas(region, **table)) regions.push_back(std::move(each));
    }
    server.regions = std::move(regions);
  }
  return status;
}

// Counts every region that the master knows; the servers know the open ones only.
void CountRegions(const ServiceCall& call, pb::ClusterStatus* out) {
  out->clear_table_region_states_count();
  for (const TableName& table : call.master->ListTables(true)) {
    const auto regions = call.master->GetRegions(table);
    const auto descriptor = call.master->GetDescriptor(table);
    if (!regions.ok() || !descriptor.ok()) continue;  // deleted meanwhile
    const int64_t replicas = (*descriptor)->RegionReplication();
    const int64_t total = static_cast<int64_t>(regions->size()) * replicas;
    const int64_t open = replicas * std::count_if(regions->begin(), regions->end(), [](const AssignedRegion& region) {
                           return region.state == RegionState::kOpen;
                         });
    auto* count = out->add_table_region_states_count();
    EncodeTableName(table, count->mutable_table_name());
    auto* states = count->mutable_region_states_count();
    states->set_open_regions(static_cast<uint32_t>(open));
    states->set_split_regions(0);
    states->set_closed_regions(static_cast<uint32_t>(total - open));
    states->set_regions_in_transition(0);
    states->set_total_regions(static_cast<uint32_t>(total));
  }
}

// Returns whether the client asks for that part; it asks for all by naming none.
bool Wants(const std::vector<int>& options, pb::Option option) {
  return options.empty() || std::find(options.begin(), options.end(), option) != options.end();
}

absl::Status GetClusterStatus(const ServiceCall& call, const pb::GetClusterStatusRequest& request,
                              pb::GetClusterStatusResponse* response) {
  const std::vector<int> options(request.options().begin(), request.options().end());
  pb::ClusterStatus* out = response->mutable_cluster_status();
  EncodeClusterStatus(StatusWithReplicas(*call.master), options, call.master->clock().NowMs(), out);
  if (Wants(options, pb::REGIONS_IN_TRANSITION)) EncodeRegionsInTransition(call.master->RegionsInTransition(), out);
  if (out->has_hbase_version()) out->mutable_hbase_version()->set_version(kHBaseVersion);
  if (Wants(options, pb::TABLE_TO_REGIONS_COUNT)) CountRegions(call, out);
  return absl::OkStatus();
}

absl::Status IsMasterRunning(const ServiceCall&, const pb::IsMasterRunningRequest&,
                             pb::IsMasterRunningResponse* response) {
  response->set_is_master_running(true);
  return absl::OkStatus();
}

absl::Status IsInMaintenanceMode(const ServiceCall&, const pb::IsInMaintenanceModeRequest&,
                                 pb::IsInMaintenanceModeResponse* response) {
  response->set_inmaintenancemode(false);
  return absl::OkStatus();
}

absl::Status GetSecurityCapabilities(const ServiceCall& call, const pb::SecurityCapabilitiesRequest&,
                                     pb::SecurityCapabilitiesResponse* response) {
  const AccessControl* const access = call.server.access();
  const bool secure = access != nullptr && access->delegation_tokens() != nullptr;
  response->add_capabilities(secure ? pb::SecurityCapabilitiesResponse::SECURE_AUTHENTICATION
                                    : pb::SecurityCapabilitiesResponse::SIMPLE_AUTHENTICATION);
  if (access != nullptr) response->add_capabilities(pb::SecurityCapabilitiesResponse::AUTHORIZATION);
  return absl::OkStatus();
}

absl::Status ListDecommissioned(const ServiceCall& call, const pb::ListDecommissionedRegionServersRequest&,
                                pb::ListDecommissionedRegionServersResponse* response) {
  for (const std::string& server : call.master->DecommissionedServers()) {
    EncodeServerName(server, response->add_server_name());
  }
  return absl::OkStatus();
}

absl::Status Decommission(const ServiceCall& call, const pb::DecommissionRegionServersRequest& request,
                          pb::DecommissionRegionServersResponse*) {
  std::vector<std::string> servers;
  for (const pb::ServerName& server : request.server_name()) servers.push_back(DecodeServerName(server));
  return call.master->Decommission(servers, request.offload());
}

absl::Status Recommission(const ServiceCall& call, const pb::RecommissionRegionServerRequest& request,
                          pb::RecommissionRegionServerResponse*) {
  std::vector<std::string> regions;
  for (const pb::RegionSpecifier& region : request.region()) regions.push_back(region.value());
  return call.master->Recommission(DecodeServerName(request.server_name()), regions);
}

// The master forgets a dead server when another one starts at its address.
absl::Status ClearDeadServers(const ServiceCall&, const pb::ClearDeadServersRequest& request,
                              pb::ClearDeadServersResponse* response) {
  *response->mutable_server_name() = request.server_name();
  return absl::OkStatus();
}

// Reads the limit of a request for the balancer's decisions or rejections; without one, all are wanted.
template <typename Request>
absl::StatusOr<int64_t> LimitIn(const pb::LogRequest& request) {
  Request query;
  VAQUITA_RETURN_IF_ERROR(CheckInnerParts(request.log_message(), query));
  if (!ParseMessage(request.log_message(), &query)) {
    return Error(ErrorKind::kDoNotRetryIO, "the message of a " + request.log_class_name() + " cannot be read");
  }
  return query.has_limit() ? query.limit() : std::numeric_limits<int64_t>::max();
}

// Answers for the balancer's recent decisions and rejections.
absl::Status GetMasterLogEntries(const ServiceCall& call, const pb::LogRequest& request, pb::LogEntry* response) {
  constexpr std::string_view kRequest = "Request";
  std::string name = request.log_class_name();
  const size_t at = name.rfind(kRequest);
  if (name.find("BalancerDecisionsRequest") != name.npos) {
    VAQUITA_ASSIGN_OR_RETURN(const int64_t limit, LimitIn<pb::BalancerDecisionsRequest>(request));
    pb::BalancerDecisionsResponse decisions;
    for (const BalancerDecision& decision : call.master->BalancerDecisions(limit)) {
      EncodeDecision(decision, decisions.add_balancer_decision());
    }
    VAQUITA_ASSIGN_OR_RETURN(*response->mutable_log_message(), SerializeAnswer(decisions));
  } else if (name.find("BalancerRejectionsRequest") != name.npos) {
    VAQUITA_ASSIGN_OR_RETURN(const int64_t limit, LimitIn<pb::BalancerRejectionsRequest>(request));
    pb::BalancerRejectionsResponse rejections;
    for (const BalancerRejection& rejection : call.master->BalancerRejections(limit)) {
      EncodeRejection(rejection, rejections.add_balancer_rejection());
    }
    VAQUITA_ASSIGN_OR_RETURN(*response->mutable_log_message(), SerializeAnswer(rejections));
  } else {
    return Error(ErrorKind::kIO, "Invalid request params");
  }
  response->set_log_class_name(name.replace(at, kRequest.size(), "Response"));
  return absl::OkStatus();
}

// The process's region server, which in a master of its own has the master's regions, takes the orders to the process.
absl::Status StopMaster(const ServiceCall& call, const pb::StopMasterRequest&, pb::StopMasterResponse*) {
  return call.server.StopProcess(call.rpc.client_address);
}

absl::Status FlushMasterStore(const ServiceCall& call, const pb::FlushMasterStoreRequest&,
                              pb::FlushMasterStoreResponse*) {
  return call.master->FlushStore();
}

absl::Status ExecMasterService(const ServiceCall&, const pb::CoprocessorServiceRequest& request,
                               pb::CoprocessorServiceResponse*) {
  return Error(ErrorKind::kUnknownProtocol, "No registered Master Coprocessor Endpoint found for " +
                                                request.call().service_name() + ". Has it been enabled?");
}

}  // namespace

void AddClusterMethods(ServiceMethods* methods) {
  using enum ServiceMethods::Pace;
  methods->Add("GetClusterStatus", kWaits, &GetClusterStatus);
  methods->Add("IsMasterRunning", kQuick, &IsMasterRunning);
  methods->Add("IsMasterInMaintenanceMode", kQuick, &IsInMaintenanceMode);
  methods->Add("getSecurityCapabilities", kQuick, &GetSecurityCapabilities);
  methods->Add("ListDecommissionedRegionServers", kQuick, &ListDecommissioned);
  methods->Add("DecommissionRegionServers", kWaits, &Decommission);
  methods->Add("RecommissionRegionServer", kWaits, &Recommission);
  methods->Add("ClearDeadServers", kQuick, &ClearDeadServers);
  methods->Add("GetLogEntries", kQuick, &GetMasterLogEntries);
  methods->Add("StopMaster", kQuick, &StopMaster);
  methods->Refuse("Shutdown",
                  "Servers are stopped one by one: stopRegionServer, stopMaster, or SIGTERM to the process");
  methods->Add("FlushMasterStore", kWaits, &FlushMasterStore);
  methods->Add("ExecMasterService", kQuick, &ExecMasterService);
}

}  // namespace vaquita::hbase
