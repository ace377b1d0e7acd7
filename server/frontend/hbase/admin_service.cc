#include "server/frontend/hbase/services.h"

#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "hbase/Admin.pb.h"
#include "hbase/Quota.pb.h"
#include "proto/hbase/cluster_codec.h"
#include "proto/hbase/log_codec.h"
#include "proto/hbase/schema_codec.h"
#include "proto/hbase/status_codec.h"
#include "server/frontend/hbase/replica_metrics.h"
#include "server/frontend/hbase/service_methods.h"
#include "server/master/master.h"
#include "server/regionserver/region_server.h"

namespace vaquita::hbase {
namespace {

using CompactionState = pb::GetRegionInfoResponse;

CompactionState::CompactionState EncodeCompactions(const CompactionsUnderWay& under_way) {
  if (under_way.minor && under_way.major) return CompactionState::MAJOR_AND_MINOR;
  if (under_way.major) return CompactionState::MAJOR;
  return under_way.minor ? CompactionState::MINOR : CompactionState::NONE;
}

// The regions that the server has open, by table and start key.
std::vector<std::shared_ptr<Region>> OpenRegions(const ServiceCall& call) {
  std::vector<std::shared_ptr<Region>> regions = call.server.Regions();
  std::erase_if(regions, [](const std::shared_ptr<Region>& region) { return region->closed(); });
  return regions;
}

// --- What is asked of a region.

// Returns the region by which clients ask a master for the state of a table's MOB compactions, if `name` is its name
// (RegionInfo.createMobRegionInfo).
std::optional<RegionInfo> MobRegion(const std::string& name) {
  const auto table = TableName::Parse(name.substr(0, name.find(',')));
  if (!table.ok()) return std::nullopt;
  RegionInfo region{.table = *table, .start_key = ".mob"};
  return region.Name() == name ? std::optional(region) : std::nullopt;
}

absl::Status GetRegionInfo(const ServiceCall& call, const pb::GetRegionInfoRequest& request,
                           pb::GetRegionInfoResponse* response) {
  if (const auto mob = MobRegion(request.region().value()); call.master != nullptr && mob.has_value()) {
    EncodeRegionInfo(*mob, response->mutable_region_info());
    if (request.compaction_state()) response->set_compaction_state(CompactionState::NONE);
    return absl::OkStatus();
  }
  VAQUITA_ASSIGN_OR_RETURN(const auto region, call.server.FindRegion(request.region().value()));
  EncodeRegionInfo(ReplicaOf(region->info(), call.server.ReplicaIdOf(request.region().value())),
                   response->mutable_region_info());
  if (request.best_split_row()) {
    VAQUITA_ASSIGN_OR_RETURN(const std::string row, call.server.BestSplitRow(request.region().value()));
    if (!row.empty()) response->set_best_split_row(row);
  }
  if (request.compaction_state()) {
    response->set_compaction_state(EncodeCompactions(call.server.maintenance()->Compactions(*region)));
  }
  const bool whole = !region->HasReferences();
  response->set_splittable(whole && region->info().table != kMetaTableName);
  response->set_mergeable(whole && !region->closed());
  return absl::OkStatus();
}

absl::Status GetStoreFile(const ServiceCall& call, const pb::GetStoreFileRequest& request,
                          pb::GetStoreFileResponse* response) {
  VAQUITA_ASSIGN_OR_RETURN(const auto region, call.server.FindRegion(request.region().value()));
  std::vector<std::string> families(request.family().begin(), request.family().end());
  if (families.empty()) {
    const auto table = region->table();  // it may be altered meanwhile
    for (const auto& [name, descriptor] : table->families) families.push_back(name);
  }
  for (const std::string& family : families) {
    const auto files = region->StoreFiles(family);
    if (!files.ok()) {
      return IllegalArgument(absl::StrCat("No column family : ", family, " available"));
    }
    for (const StoreFileInfo& file : *files) response->add_store_file(file.name);
  }
  return absl::OkStatus();
}

absl::Status FlushRegion(const ServiceCall& call, const pb::FlushRegionRequest& request,
                         pb::FlushRegionResponse* response) {
  VAQUITA_ASSIGN_OR_RETURN(const auto region, call.server.FindRegion(request.region().value()));
  std::vector<std::string> families;
  if (request.has_family()) families.push_back(request.family());
  const bool holds_cells = region->Metrics().memstore_bytes > 0;
  VAQUITA_RETURN_IF_ERROR(call.server.FlushRegion(request.region().value(), families));
  response->set_flushed(holds_cells);
  response->set_wrote_flush_wal_marker(false);
  response->set_last_flush_time(static_cast<uint64_t>(call.server.clock().NowMs()));
  return absl::OkStatus();
}

absl::Status CompactRegion(const ServiceCall& call, const pb::CompactRegionRequest& request,
                           pb::CompactRegionResponse*) {
  const CompactionKind kind = request.major() ? CompactionKind::kMajor : CompactionKind::kMinor;
  return call.server.CompactRegion(request.region().value(), request.family(), kind, /*wait=*/false);
}

// Clients before 2.0 split and merge here; they do not wait for it. Where the master is another process it is asked for
// a split as the region's policy would ask.
absl::Status SplitOneRegion(const ServiceCall& call, const pb::SplitRegionRequest& request, pb::SplitRegionResponse*) {
  if (call.master != nullptr) {
    return call.master->SplitRegionAsync(request.region().value(), request.split_point()).status();
  }
  if (request.has_split_point()) {
    return Error(ErrorKind::kUnsupportedOperation, "Only the master splits a region at a row of one's choice");
  }
  return call.server.RequestSplit(request.region().value());
}

absl::Status MergeRegions(const ServiceCall& call, const pb::MergeRegionsRequest& request, pb::MergeRegionsResponse*) {
  if (call.master == nullptr) return Error(ErrorKind::kUnsupportedOperation, "Only the master merges regions");
  return call.master->MergeRegionsAsync({request.region_a().value(), request.region_b().value()}, request.forcible())
      .status();
}

absl::Status WarmupRegion(const ServiceCall&, const pb::WarmupRegionRequest&, pb::WarmupRegionResponse*) {
  return absl::OkStatus();  // there is nothing to warm
}

// --- What is asked of the server.

absl::Status GetOnlineRegion(const ServiceCall& call, const pb::GetOnlineRegionRequest&,
                             pb::GetOnlineRegionResponse* response) {
  for (const auto& region : OpenRegions(call)) {
    for (int32_t id = 0; id < region->table()->RegionReplication(); ++id) {
      EncodeRegionInfo(ReplicaOf(region->info(), id), response->add_region_info());
    }
  }
  return absl::OkStatus();
}

absl::Status GetRegionLoad(const ServiceCall& call, const pb::GetRegionLoadRequest& request,
                           pb::GetRegionLoadResponse* response) {
  TableName table;
  if (request.has_table_name()) {
    VAQUITA_ASSIGN_OR_RETURN(table, DecodeTableName(request.table_name()));
  }
  for (const auto& region : OpenRegions(call)) {
    if (request.has_table_name() && region->info().table != table) continue;
    for (const RegionMetrics& metrics : WithReplicas(region->Metrics(), *region->table())) {
      EncodeRegionLoad(metrics, response->add_region_loads());
    }
  }
  return absl::OkStatus();
}

absl::Status GetServerInfo(const ServiceCall& call, const pb::GetServerInfoRequest&,
                           pb::GetServerInfoResponse* response) {
  pb::ServerInfo* info = response->mutable_server_info();
  EncodeServerName(call.server.server_name(), info->mutable_server_name());
  return absl::OkStatus();
}

absl::Status CompactionSwitch(const ServiceCall& call, const pb::CompactionSwitchRequest& request,
                              pb::CompactionSwitchResponse* response) {
  response->set_prev_state(call.server.maintenance()->SwitchCompactions(request.enabled()));
  return absl::OkStatus();
}

absl::Status RollWalWriter(const ServiceCall& call, const pb::RollWALWriterRequest&, pb::RollWALWriterResponse*) {
  return call.server.RollLog();
}

absl::Status UpdateConfiguration(const ServiceCall& call, const pb::UpdateConfigurationRequest&,
                                 pb::UpdateConfigurationResponse*) {
  return call.server.UpdateConfiguration();
}

absl::Status StopServer(const ServiceCall& call, const pb::StopServerRequest&, pb::StopServerResponse*) {
  return call.server.StopProcess(call.rpc.client_address);
}

absl::Status ClearCompactionQueues(const ServiceCall&, const pb::ClearCompactionQueuesRequest& request,
                                   pb::ClearCompactionQueuesResponse*) {
  for (const std::string& name : request.queue_name()) {
    if (name != "long" && name != "short") return Error(ErrorKind::kIO, "Unknown queue name " + name);
  }
  return absl::OkStatus();  // a store that is queued is due, and would be queued again
}

// All regions of the server share one cache, so all of it is emptied.
absl::Status ClearRegionBlockCache(const ServiceCall& call, const pb::ClearRegionBlockCacheRequest& request,
                                   pb::ClearRegionBlockCacheResponse* response) {
  const CacheEviction evicted = call.server.DropCachedBlocks();
  pb::CacheEvictionStats* stats = response->mutable_stats();
  stats->set_evicted_blocks(evicted.evicted_blocks);
  stats->set_bytes_evicted(evicted.evicted_bytes);
  stats->set_max_cache_size(evicted.capacity_bytes);
  for (const pb::RegionSpecifier& region : request.region()) {
    const absl::Status found = call.server.FindRegion(region.value()).status();
    if (found.ok()) continue;
    pb::RegionExceptionMessage* exception = stats->add_exception();
    *exception->mutable_region() = region;
    EncodeStatus(found, exception->mutable_exception());
  }
  return absl::OkStatus();
}

absl::Status GetCachedFilesList(const ServiceCall&, const pb::GetCachedFilesListRequest&,
                                pb::GetCachedFilesListResponse*) {
  return absl::OkStatus();
}

absl::Status GetSpaceQuotaSnapshots(const ServiceCall&, const pb::GetSpaceQuotaSnapshotsRequest&,
                                    pb::GetSpaceQuotaSnapshotsResponse*) {
  return absl::OkStatus();  // only the master looks at quotas
}

absl::Status GetSlowLog(const ServiceCall& call, const pb::SlowLogResponseRequest& request,
                        pb::SlowLogResponses* response) {
  for (const SlowCall& slow : call.server.slow_calls().Find(DecodeSlowCallQuery(request))) {
    EncodeSlowCall(slow, response->add_slow_log_payloads());
  }
  return absl::OkStatus();
}

// GetSlowLogResponses and GetLargeLogResponses of 2.3 do not name a log in the message.
absl::Status GetLargeLog(const ServiceCall& call, const pb::SlowLogResponseRequest& request,
                         pb::SlowLogResponses* response) {
  pb::SlowLogResponseRequest large = request;
  large.set_log_type(pb::SlowLogResponseRequest::LARGE_LOG);
  return GetSlowLog(call, large, response);
}

absl::Status ClearSlowLog(const ServiceCall& call, const pb::ClearSlowLogResponseRequest&,
                          pb::ClearSlowLogResponses* response) {
  response->set_is_cleaned(call.server.slow_calls().Clear());
  return absl::OkStatus();
}

absl::Status GetLogEntries(const ServiceCall& call, const pb::LogRequest& request, pb::LogEntry* response) {
  if (request.log_class_name().find("SlowLogResponseRequest") == std::string::npos) {
    return Error(ErrorKind::kIO, "Invalid request params");
  }
  pb::SlowLogResponseRequest query;
  VAQUITA_RETURN_IF_ERROR(CheckInnerParts(request.log_message(), query));
  if (!ParseMessage(request.log_message(), &query)) {
    return Error(ErrorKind::kDoNotRetryIO, "the SlowLogResponseRequest in the message cannot be read");
  }
  pb::SlowLogResponses calls;
  VAQUITA_RETURN_IF_ERROR(GetSlowLog(call, query, &calls));
  response->set_log_class_name("org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos$SlowLogResponses");
  VAQUITA_ASSIGN_OR_RETURN(*response->mutable_log_message(), SerializeAnswer(calls));
  return absl::OkStatus();
}

void AddAdminMethods(ServiceMethods* methods) {
  using enum ServiceMethods::Pace;
  methods->Add("GetRegionInfo", kWaits, &GetRegionInfo);
  methods->Add("GetStoreFile", kWaits, &GetStoreFile);
  methods->Add("FlushRegion", kWaits, &FlushRegion);
  methods->Add("CompactRegion", kWaits, &CompactRegion);
  methods->Add("SplitRegion", kWaits, &SplitOneRegion);
  methods->Add("MergeRegions", kWaits, &MergeRegions);
  methods->Add("WarmupRegion", kQuick, &WarmupRegion);
  methods->Add("GetOnlineRegion", kWaits, &GetOnlineRegion);
  methods->Add("GetRegionLoad", kWaits, &GetRegionLoad);
  methods->Add("GetServerInfo", kQuick, &GetServerInfo);
  methods->Add("CompactionSwitch", kQuick, &CompactionSwitch);
  methods->Add("RollWALWriter", kWaits, &RollWalWriter);
  methods->Add("UpdateConfiguration", kWaits, &UpdateConfiguration);
  methods->Add("StopServer", kQuick, &StopServer);
  methods->Add("ClearCompactionQueues", kQuick, &ClearCompactionQueues);
  methods->Add("ClearRegionBlockCache", kWaits, &ClearRegionBlockCache);
  methods->Add("GetCachedFilesList", kQuick, &GetCachedFilesList);
  methods->Add("GetSpaceQuotaSnapshots", kQuick, &GetSpaceQuotaSnapshots);
  methods->Add("GetSlowLogResponses", kQuick, &GetSlowLog);
  methods->Add("GetLargeLogResponses", kQuick, &GetLargeLog);
  methods->Add("ClearSlowLogsResponses", kQuick, &ClearSlowLog);
  methods->Add("GetLogEntries", kQuick, &GetLogEntries);
  // HBase's master calls these; ours commands the servers by server/control.
  constexpr std::string_view kMastersOwn =
      "Only the master opens and closes regions: assign, unassign or move it there";
  for (const char* name : {"OpenRegion", "CloseRegion", "ExecuteProcedures"}) methods->Refuse(name, kMastersOwn);
  for (const char* name : {"ReplicateWALEntry", "Replay", "UpdateFavoredNodes"}) {
    methods->Refuse(name, absl::StrCat("AdminService.", name));
  }
}

}  // namespace

std::unique_ptr<RpcService> MakeAdminService(Master* master, RegionServer* server) {
  ServiceMethods methods;
  AddAdminMethods(&methods);
  return MakeService("AdminService", master, server, std::move(methods));
}

}  // namespace vaquita::hbase
