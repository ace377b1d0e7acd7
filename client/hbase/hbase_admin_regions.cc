#include "client/hbase/hbase_admin.h"

#include <map>
#include <set>
#include <string>
#include <utility>

#include "base/status.h"
#include "hbase/Admin.pb.h"
#include "hbase/Master.pb.h"
#include "proto/hbase/cluster_codec.h"
#include "proto/hbase/schema_codec.h"
#include "proto/hbase/status_codec.h"

namespace vaquita::client {

absl::StatusOr<RegionLocation> HBaseAdmin::FindRegion(std::string_view name) {
  RegionLocation location;
  VAQUITA_RETURN_IF_ERROR(
      Repeat(Repeatable::kYes, [&](TimePoint deadline) { return meta_->FindRegion(name, deadline, &location); }));
  return location;
}

// Servers before 2.6 cannot flush a table as a procedure of the master, so the regions are flushed one by one.
absl::Status HBaseAdmin::Flush(const TableName& table) {
  pb::FlushTableRequest request;
  EncodeTableName(table, request.mutable_table_name());
  const absl::Status flushed = StartAndWait<pb::FlushTableResponse>("FlushTable", &request);
  const bool unknown_method =
      IsError(flushed, ErrorKind::kUnsupportedOperation) || IsError(flushed, ErrorKind::kDoNotRetryIO);
  if (!unknown_method) return flushed;
  VAQUITA_ASSIGN_OR_RETURN(const std::vector<RegionLocation> regions, GetRegions(table));
  for (const RegionLocation& region : regions) VAQUITA_RETURN_IF_ERROR(Flush(region));
  return absl::OkStatus();
}

absl::Status HBaseAdmin::Flush(const RegionLocation& region) {
  pb::FlushRegionRequest request;
  EncodeRegionSpecifier(region.info, request.mutable_region());
  pb::FlushRegionResponse response;
  return AskRegion(region, "FlushRegion", request, &response);
}

absl::Status HBaseAdmin::FlushRegion(std::string_view region) {
  VAQUITA_ASSIGN_OR_RETURN(const RegionLocation location, FindRegion(region));
  return Flush(location);
}

absl::Status HBaseAdmin::CompactTable(const TableName& table, std::string_view family, bool major, bool wait) {
  VAQUITA_ASSIGN_OR_RETURN(const std::vector<RegionLocation> regions, GetRegions(table));
  for (const RegionLocation& region : regions) VAQUITA_RETURN_IF_ERROR(StartCompaction(region, family, major));
  return wait ? WaitForCompactions(regions) : absl::OkStatus();
}

absl::Status HBaseAdmin::CompactRegion(std::string_view region, std::string_view family, bool major) {
  VAQUITA_ASSIGN_OR_RETURN(const RegionLocation location, FindRegion(region));
  VAQUITA_RETURN_IF_ERROR(StartCompaction(location, family, major));
  return WaitForCompactions({location});
}

absl::Status HBaseAdmin::StartCompaction(const RegionLocation& region, std::string_view family, bool major) {
  pb::CompactRegionRequest request;
  EncodeRegionSpecifier(region.info, request.mutable_region());
  request.set_major(major);
  if (!family.empty()) request.set_family(family.data(), family.size());
  pb::CompactRegionResponse response;
  return AskRegion(region, "CompactRegion", request, &response);
}

absl::StatusOr<bool> HBaseAdmin::IsCompacting(const TableName& table) {
  VAQUITA_ASSIGN_OR_RETURN(const std::vector<RegionLocation> regions, GetRegions(table));
  for (const RegionLocation& region : regions) {
    VAQUITA_ASSIGN_OR_RETURN(const bool compacting, IsCompacting(region));
    if (compacting) return true;
  }
  return false;
}

absl::StatusOr<bool> HBaseAdmin::IsCompacting(const RegionLocation& region) {
  pb::GetRegionInfoRequest request;
  EncodeRegionSpecifier(region.info, request.mutable_region());
  request.set_compaction_state(true);
  pb::GetRegionInfoResponse response;
  VAQUITA_RETURN_IF_ERROR(AskRegion(region, "GetRegionInfo", request, &response));
  return response.compaction_state() != pb::GetRegionInfoResponse::NONE;
}

absl::Status HBaseAdmin::WaitForCompactions(const std::vector<RegionLocation>& regions) {
  for (const RegionLocation& region : regions) {
    VAQUITA_RETURN_IF_ERROR(WaitUntil(
        [&]() -> absl::StatusOr<bool> {
          const absl::StatusOr<bool> compacting = IsCompacting(region);
          if (IsError(compacting.status(), ErrorKind::kUnknownRegion)) return true;  // split or merged meanwhile
          VAQUITA_RETURN_IF_ERROR(compacting.status());
          return !*compacting;
        },
        "the compaction of " + region.info.Name()));
  }
  return absl::OkStatus();
}

absl::StatusOr<int64_t> HBaseAdmin::StartSplit(std::string_view region, std::string_view split_row) {
  VAQUITA_ASSIGN_OR_RETURN(const RegionLocation location, FindRegion(region));
  pb::SplitTableRegionRequest request;
  EncodeRegionInfo(location.info, request.mutable_region_info());
  if (!split_row.empty()) request.set_split_row(split_row.data(), split_row.size());
  return Start<pb::SplitTableRegionResponse>("SplitRegion", &request);
}

absl::Status HBaseAdmin::MergeRegions(const std::vector<std::string>& regions, bool forcible) {
  pb::MergeTableRegionsRequest request;
  for (const std::string& region : regions) EncodeRegionSpecifier(region, request.add_region());
  request.set_forcible(forcible);
  return StartAndWait<pb::MergeTableRegionsResponse>("MergeTableRegions", &request);
}

absl::Status HBaseAdmin::MoveRegion(std::string_view region, std::string_view server_name) {
  pb::MoveRegionRequest request;
  EncodeRegionSpecifier(region, request.mutable_region());
  if (!server_name.empty()) EncodeServerName(server_name, request.mutable_dest_server_name());
  pb::MoveRegionResponse response;
  return TellMaster("MoveRegion", request, &response);
}

absl::Status HBaseAdmin::AssignRegion(std::string_view region) {
  pb::AssignRegionRequest request;
  EncodeRegionSpecifier(region, request.mutable_region());
  pb::AssignRegionResponse response;
  return AskMaster("AssignRegion", request, &response);
}

absl::Status HBaseAdmin::UnassignRegion(std::string_view region) {
  pb::UnassignRegionRequest request;
  EncodeRegionSpecifier(region, request.mutable_region());
  pb::UnassignRegionResponse response;
  return AskMaster("UnassignRegion", request, &response);
}

absl::Status HBaseAdmin::TruncateRegion(std::string_view region) {
  VAQUITA_ASSIGN_OR_RETURN(const RegionLocation location, FindRegion(region));
  pb::TruncateRegionRequest request;
  EncodeRegionInfo(location.info, request.mutable_region_info());
  return StartAndWait<pb::TruncateRegionResponse>("TruncateRegion", &request);
}

absl::StatusOr<std::vector<RegionInTransition>> HBaseAdmin::ListRegionsInTransition() {
  pb::GetClusterStatusRequest request;
  request.add_options(pb::REGIONS_IN_TRANSITION);
  pb::GetClusterStatusResponse response;
  VAQUITA_RETURN_IF_ERROR(AskMaster("GetClusterStatus", request, &response));
  return DecodeRegionsInTransition(response.cluster_status());
}

// Each server reports its own regions.
absl::StatusOr<std::vector<RegionMetrics>> HBaseAdmin::GetRegionMetrics(const TableName& table) {
  VAQUITA_ASSIGN_OR_RETURN(const std::vector<RegionLocation> regions, GetRegions(table));
  std::set<std::string> servers;
  for (const RegionLocation& region : regions) {
    if (!region.address.empty()) servers.insert(region.address);
  }
  pb::GetRegionLoadRequest request;
  EncodeTableName(table, request.mutable_table_name());
  std::vector<RegionMetrics> metrics;
  for (const std::string& server : servers) {
    pb::GetRegionLoadResponse response;
    VAQUITA_RETURN_IF_ERROR(AskServer(server, "GetRegionLoad", request, &response));
    for (const pb::RegionLoad& load : response.region_loads()) {
      VAQUITA_ASSIGN_OR_RETURN(metrics.emplace_back(), DecodeRegionLoad(load));
    }
  }
  return metrics;
}

absl::StatusOr<CacheEviction> HBaseAdmin::ClearBlockCache(const TableName& table) {
  VAQUITA_ASSIGN_OR_RETURN(const std::vector<RegionLocation> regions, GetRegions(table));
  std::map<std::string, pb::ClearRegionBlockCacheRequest> requests;  // by the server's address
  for (const RegionLocation& region : regions) {
    if (!region.address.empty()) EncodeRegionSpecifier(region.info.Name(), requests[region.address].add_region());
  }
  CacheEviction evicted;
  for (const auto& [address, request] : requests) {
    pb::ClearRegionBlockCacheResponse response;
    VAQUITA_RETURN_IF_ERROR(TellServer(address, "ClearRegionBlockCache", request, &response));
    if (response.stats().exception_size() > 0) {
      const pb::RegionExceptionMessage& failed = response.stats().exception(0);
      return Annotate(DecodeStatus(failed.exception()), ToStringBinary(failed.region().value()));
    }
    evicted.evicted_blocks += response.stats().evicted_blocks();
    evicted.evicted_bytes += response.stats().bytes_evicted();
    evicted.capacity_bytes += response.stats().max_cache_size();
  }
  return evicted;
}

}  // namespace vaquita::client
