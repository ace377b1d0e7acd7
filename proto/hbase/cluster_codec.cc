#include "proto/hbase/cluster_codec.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/status.h"
#include "proto/hbase/schema_codec.h"

namespace vaquita {
namespace {

constexpr int64_t kMegabyte = 1024 * 1024;

uint32_t Megabytes(int64_t bytes) { return static_cast<uint32_t>(bytes / kMegabyte); }

// A region's files are at most as old as the earliest last major compaction among its stores.
int64_t LastMajorCompaction(const RegionMetrics& metrics) {
  if (metrics.stores.empty()) return 0;
  const auto oldest =
      std::min_element(metrics.stores.begin(), metrics.stores.end(), [](const auto& left, const auto& right) {
        return left.metrics.last_major_compaction_ms < right.metrics.last_major_compaction_ms;
      });
  return oldest->metrics.last_major_compaction_ms;
}

bool IsCompacting(const RegionMetrics& metrics) {
  return std::any_of(metrics.stores.begin(), metrics.stores.end(),
                     [](const RegionMetrics::NamedStore& store) { return store.metrics.compacting; });
}

void EncodeTableCounts(const ClusterStatus& status, pb::ClusterStatus* out) {
  std::map<TableName, uint32_t> open_regions;
  for (const ServerMetrics& server : status.servers) {
    for (const RegionMetrics& region : server.regions) ++open_regions[region.info.table];
  }
  for (const auto& [table, count] : open_regions) {
    pb::TableRegionStatesCount* counts = out->add_table_region_states_count();
    EncodeTableName(table, counts->mutable_table_name());
    pb::RegionStatesCount* states = counts->mutable_region_states_count();
    states->set_open_regions(count);
    states->set_split_regions(0);
    states->set_closed_regions(0);
    states->set_regions_in_transition(0);
    states->set_total_regions(count);
  }
}

void EncodeServers(const ClusterStatus& status, int64_t now_ms, pb::ClusterStatus* out) {
  for (const ServerMetrics& server : status.servers) {
    pb::LiveServerInfo* live = out->add_live_servers();
    EncodeServerName(server.server_name, live->mutable_server());
    EncodeServerLoad(server, now_ms, live->mutable_server_load());
  }
}

}  // namespace

pb::RegionState::State EncodeRegionState(RegionState state) {
  switch (state) {
    case RegionState::kOffline:
      return pb::RegionState::OFFLINE;
    case RegionState::kOpening:
      return pb::RegionState::OPENING;
    case RegionState::kOpen:
      return pb::RegionState::OPEN;
    case RegionState::kClosing:
      return pb::RegionState::CLOSING;
    case RegionState::kClosed:
      return pb::RegionState::CLOSED;
    case RegionState::kSplitting:
      return pb::RegionState::SPLITTING;
    case RegionState::kSplit:
      return pb::RegionState::SPLIT;
    case RegionState::kMerging:
      return pb::RegionState::MERGING;
    case RegionState::kMerged:
      return pb::RegionState::MERGED;
    case RegionState::kFailedOpen:
      return pb::RegionState::FAILED_OPEN;
    case RegionState::kSplittingNew:
      return pb::RegionState::SPLITTING_NEW;
    case RegionState::kMergingNew:
      break;
  }
  return pb::RegionState::MERGING_NEW;
}

RegionState DecodeRegionState(pb::RegionState::State state) {
  switch (state) {
    case pb::RegionState::PENDING_OPEN:
      return RegionState::kOpening;
    case pb::RegionState::PENDING_CLOSE:
      return RegionState::kClosing;
    default:
      break;
  }
  for (int i = 0; i <= static_cast<int>(RegionState::kMergingNew); ++i) {
    if (EncodeRegionState(static_cast<RegionState>(i)) == state) return static_cast<RegionState>(i);
  }
  return RegionState::kOffline;
}

void EncodeRegionLoad(const RegionMetrics& metrics, pb::RegionLoad* out) {
  EncodeRegionSpecifier(metrics.info, out->mutable_region_specifier());
  out->set_stores(static_cast<uint32_t>(metrics.stores.size()));
  out->set_storefiles(static_cast<uint32_t>(metrics.store_files));
  out->set_store_uncompressed_size_mb(Megabytes(metrics.store_file_bytes));
  out->set_storefile_size_mb(Megabytes(metrics.store_file_bytes));
  out->set_region_size_mb(Megabytes(metrics.store_file_bytes));
  out->set_mem_store_size_mb(Megabytes(metrics.memstore_bytes));
  out->set_read_requests_count(static_cast<uint64_t>(metrics.read_requests));
  out->set_write_requests_count(static_cast<uint64_t>(metrics.write_requests));
  out->set_filtered_read_requests_count(static_cast<uint64_t>(metrics.filtered_read_requests));
  out->set_last_major_compaction_ts(static_cast<uint64_t>(LastMajorCompaction(metrics)));
  out->set_compaction_state(IsCompacting(metrics) ? pb::RegionLoad::MINOR : pb::RegionLoad::NONE);
  out->set_data_locality(1);  // its files are here
}

absl::StatusOr<RegionMetrics> DecodeRegionLoad(const pb::RegionLoad& load) {
  RegionMetrics metrics;
  VAQUITA_ASSIGN_OR_RETURN(metrics.info, ParseRegionName(load.region_specifier().value()));
  metrics.store_files = load.storefiles();
  metrics.store_file_bytes = load.storefile_size_mb() * kMegabyte;
  metrics.memstore_bytes = load.mem_store_size_mb() * kMegabyte;
  metrics.read_requests = static_cast<int64_t>(load.read_requests_count());
  metrics.write_requests = static_cast<int64_t>(load.write_requests_count());
  metrics.filtered_read_requests = static_cast<int64_t>(load.filtered_read_requests_count());
  return metrics;
}

void EncodeServerLoad(const ServerMetrics& metrics, int64_t now_ms, pb::ServerLoad* out) {
  out->set_total_number_of_requests(static_cast<uint64_t>(metrics.requests));
  out->set_used_heap_mb(Megabytes(metrics.memory_bytes));
  out->set_max_heap_mb(Megabytes(metrics.memory_bytes));
  for (const RegionMetrics& region : metrics.regions) EncodeRegionLoad(region, out->add_region_loads());
  out->set_report_start_time(static_cast<uint64_t>(metrics.start_ms));
  out->set_report_end_time(static_cast<uint64_t>(now_ms));
  out->set_info_server_port(static_cast<uint32_t>(metrics.info_port));
}

void EncodeClusterStatus(const ClusterStatus& status, std::span<const int> options, int64_t now_ms,
                         pb::ClusterStatus* out) {
  const auto wants = [&](pb::Option option) {
    return options.empty() || std::find(options.begin(), options.end(), option) != options.end();
  };
  if (wants(pb::HBASE_VERSION)) out->mutable_hbase_version()->set_version(status.version);
  if (wants(pb::CLUSTER_ID)) out->mutable_cluster_id()->set_cluster_id(status.cluster_id);
  if (wants(pb::LIVE_SERVERS)) EncodeServers(status, now_ms, out);
  if (wants(pb::DEAD_SERVERS)) {
    for (const std::string& server : status.dead_servers) EncodeServerName(server, out->add_dead_servers());
  }
  if (wants(pb::MASTER)) EncodeServerName(status.master, out->mutable_master());
  if (wants(pb::BACKUP_MASTERS)) {
    for (const std::string& master : status.backup_masters) EncodeServerName(master, out->add_backup_masters());
  }
  if (wants(pb::BALANCER_ON)) out->set_balancer_on(status.balancer_on);
  if (wants(pb::SERVERS_NAME)) {
    for (const ServerMetrics& server : status.servers) EncodeServerName(server.server_name, out->add_servers_name());
  }
  if (wants(pb::TABLE_TO_REGIONS_COUNT)) EncodeTableCounts(status, out);
}

void EncodeRegionsInTransition(std::span<const RegionInTransition> regions, pb::ClusterStatus* out) {
  for (const RegionInTransition& region : regions) {
    pb::RegionInTransition* message = out->add_regions_in_transition();
    EncodeRegionSpecifier(region.info, message->mutable_spec());
    EncodeRegionInfo(region.info, message->mutable_region_state()->mutable_region_info());
    message->mutable_region_state()->set_state(EncodeRegionState(region.state));
    message->mutable_region_state()->set_stamp(static_cast<uint64_t>(region.since_ms));
  }
}

absl::StatusOr<std::vector<RegionInTransition>> DecodeRegionsInTransition(const pb::ClusterStatus& status) {
  std::vector<RegionInTransition> regions;
  for (const pb::RegionInTransition& message : status.regions_in_transition()) {
    RegionInTransition& region = regions.emplace_back();
    VAQUITA_ASSIGN_OR_RETURN(region.info, DecodeRegionInfo(message.region_state().region_info()));
    region.state = DecodeRegionState(message.region_state().state());
    region.since_ms = static_cast<int64_t>(message.region_state().stamp());
  }
  return regions;
}

absl::StatusOr<ClusterStatus> DecodeClusterStatus(const pb::ClusterStatus& message) {
  ClusterStatus status;
  status.version = message.hbase_version().version();
  status.cluster_id = message.cluster_id().cluster_id();
  if (message.has_master()) status.master = DecodeServerName(message.master());
  for (const pb::ServerName& server : message.dead_servers()) status.dead_servers.push_back(DecodeServerName(server));
  for (const pb::ServerName& backup : message.backup_masters()) {
    status.backup_masters.push_back(DecodeServerName(backup));
  }
  status.regions_in_transition = message.regions_in_transition_size();
  status.balancer_on = message.balancer_on();
  for (const pb::LiveServerInfo& live : message.live_servers()) {
    ServerMetrics& server = status.servers.emplace_back();
    server.server_name = DecodeServerName(live.server());
    server.start_ms = static_cast<int64_t>(live.server_load().report_start_time());
    server.requests = static_cast<int64_t>(live.server_load().total_number_of_requests());
    server.memory_bytes = live.server_load().used_heap_mb() * kMegabyte;
    server.info_port = live.server_load().info_server_port();
    for (const pb::RegionLoad& load : live.server_load().region_loads()) {
      VAQUITA_ASSIGN_OR_RETURN(server.regions.emplace_back(), DecodeRegionLoad(load));
    }
  }
  return status;
}

}  // namespace vaquita
