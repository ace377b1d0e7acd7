// Regions: splits, merges, moves, opening and closing.
#include <optional>
#include <string>
#include <vector>

#include "hbase/Master.pb.h"
#include "proto/hbase/schema_codec.h"
#include "server/frontend/hbase/master_service_methods.h"

namespace vaquita::hbase {
namespace {

absl::Status SplitRegion(const ServiceCall& call, const pb::SplitTableRegionRequest& request,
                         pb::SplitTableRegionResponse* response) {
  VAQUITA_ASSIGN_OR_RETURN(const RegionInfo region, DecodeRegionInfo(request.region_info()));
  return StartOnce(call, request, response,
                   [&] { return call.master->SplitRegionAsync(region.EncodedName(), request.split_row()); });
}

absl::Status MergeTableRegions(const ServiceCall& call, const pb::MergeTableRegionsRequest& request,
                               pb::MergeTableRegionsResponse* response) {
  std::vector<std::string> regions;
  for (const pb::RegionSpecifier& region : request.region()) regions.push_back(region.value());
  return StartOnce(call, request, response,
                   [&] { return call.master->MergeRegionsAsync(regions, request.forcible()); });
}

// A merge of before 2.0, which a client starts and does not wait for.
absl::Status DispatchMergingRegions(const ServiceCall& call, const pb::DispatchMergingRegionsRequest& request,
                                    pb::DispatchMergingRegionsResponse*) {
  return call.master->MergeRegionsAsync({request.region_a().value(), request.region_b().value()}, request.forcible())
      .status();
}

absl::Status TruncateRegion(const ServiceCall& call, const pb::TruncateRegionRequest& request,
                            pb::TruncateRegionResponse* response) {
  VAQUITA_ASSIGN_OR_RETURN(const RegionInfo region, DecodeRegionInfo(request.region_info()));
  return StartOnce(call, request, response, [&] { return call.master->TruncateRegionAsync(region.EncodedName()); });
}

absl::Status MoveRegion(const ServiceCall& call, const pb::MoveRegionRequest& request, pb::MoveRegionResponse*) {
  const std::string to = request.has_dest_server_name() ? DecodeServerName(request.dest_server_name()) : std::string();
  return call.master->MoveRegion(request.region().value(), to, /*at_most_ms=*/std::nullopt, call.rpc.context.watch);
}

absl::Status AssignRegion(const ServiceCall& call, const pb::AssignRegionRequest& request, pb::AssignRegionResponse*) {
  VAQUITA_ASSIGN_OR_RETURN(const int64_t id, call.master->AssignRegionAsync(request.region().value()));
  return WaitForEnd(call, id);
}

absl::Status UnassignRegion(const ServiceCall& call, const pb::UnassignRegionRequest& request,
                            pb::UnassignRegionResponse*) {
  VAQUITA_ASSIGN_OR_RETURN(const int64_t id, call.master->UnassignRegionAsync(request.region().value()));
  return WaitForEnd(call, id);
}

absl::Status OfflineRegion(const ServiceCall& call, const pb::OfflineRegionRequest& request,
                           pb::OfflineRegionResponse*) {
  return call.master->OfflineRegion(request.region().value());
}

absl::Status LastMajorCompactionOfRegion(const ServiceCall& call,
                                         const pb::MajorCompactionTimestampForRegionRequest& request,
                                         pb::MajorCompactionTimestampResponse* response) {
  response->set_compaction_timestamp(call.master->LastMajorCompactionMs(request.region().value()));
  return absl::OkStatus();
}

}  // namespace

void AddRegionMethods(ServiceMethods* methods) {
  using enum ServiceMethods::Pace;
  methods->Add("SplitRegion", kWaits, &SplitRegion);
  methods->Add("MergeTableRegions", kWaits, &MergeTableRegions);
  methods->Add("DispatchMergingRegions", kWaits, &DispatchMergingRegions);
  methods->Add("TruncateRegion", kWaits, &TruncateRegion);
  methods->Add("MoveRegion", kWaits, &MoveRegion);
  methods->Add("AssignRegion", kWaits, &AssignRegion);
  methods->Add("UnassignRegion", kWaits, &UnassignRegion);
  methods->Add("OfflineRegion", kQuick, &OfflineRegion);
  methods->Add("getLastMajorCompactionTimestampForRegion", kQuick, &LastMajorCompactionOfRegion);
}

}  // namespace vaquita::hbase
