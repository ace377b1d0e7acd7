#include "client/region_list.h"

#include "client/retries.h"

namespace vaquita::client {

absl::StatusOr<std::vector<RegionLocation>> ListRegions(Cluster& cluster, const TableName& table) {
  std::vector<RegionLocation> locations;
  for (Retries retries(cluster.options);;) {
    const CallOutcome outcome = cluster.link->ListRegions(table, retries.AttemptDeadline(), &locations);
    if (outcome.ok()) return locations;
    if (!retries.Again(outcome, Repeatable::kYes)) return outcome.status;
  }
}

}  // namespace vaquita::client
