#include "client/region_list.h"

#include <utility>

#include "client/retries.h"
#include "engine/status.h"

namespace vaquita::client {

absl::StatusOr<std::vector<RegionLocation>> ListRegions(Cluster& cluster, const TableName& table) {
  v1::TableRequest request;
  request.set_table(table.ToString());
  v1::ListRegionsResponse response;
  for (Retries retries(cluster.options);;) {
    const CallOutcome outcome =
        cluster.link.Call(&v1::AdminService::Stub::ListRegions, request, &response, retries.AttemptDeadline());
    if (outcome.ok()) break;
    if (!retries.Again(outcome, Repeatable::kYes)) return outcome.status;
  }
  std::vector<RegionLocation> locations;
  for (const v1::RegionLocation& region : response.regions()) {
    if (region.region().split()) continue;
    VAQUITA_ASSIGN_OR_RETURN(RegionLocation location, LocationFromProto(region, cluster.link.address()));
    locations.push_back(std::move(location));
  }
  return locations;
}

}  // namespace vaquita::client
