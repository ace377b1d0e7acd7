#include "server/master/procedure/descriptor_check.h"

#include "base/log.h"
#include "base/status.h"
#include "model/coprocessors.h"

namespace vaquita {
namespace {

// HBase takes 65,536. Here the primary's server answers for all of them, so that more do not serve more.
constexpr int32_t kMostReplicas = 128;

}  // namespace

absl::Status CheckDescriptor(const Options& options, const TableDescriptor& table) {
  if (static_cast<int64_t>(table.families.size()) > options.max_table_families) {
    return Error(ErrorKind::kDoNotRetryIO,
                 "table " + table.name.ToString() + " would have " + std::to_string(table.families.size()) +
                     " families; vaquita.table.max.families is " + std::to_string(options.max_table_families));
  }
  VAQUITA_RETURN_IF_ERROR(table.Validate(options.table_sanity_checks));
  if (table.RegionReplication() > kMostReplicas) {
    return Error(ErrorKind::kDoNotRetryIO, "table " + table.name.ToString() + " would have a REGION_REPLICATION of " +
                                               std::to_string(table.RegionReplication()) + "; at most " +
                                               std::to_string(kMostReplicas) + " are possible here");
  }
  if (!options.ignore_unknown_coprocessors && table.HasSanityChecks(options.table_sanity_checks)) {
    return CheckCoprocessors(table);
  }
  for (const std::string& name : CoprocessorClasses(table)) {
    if (RunsCoprocessor(name)) continue;
    spdlog::warn("table {}: its coprocessor {} does not run here, so the table may behave in another way than in HBase",
                 table.name.ToString(), name);
  }
  return absl::OkStatus();
}

absl::Status CheckRegionCount(const Options& options, const TableDescriptor& table, size_t regions) {
  const int64_t replicas = table.RegionReplication();
  const int64_t total = static_cast<int64_t>(regions) * replicas;
  if (total <= options.max_table_regions) return absl::OkStatus();
  return Error(ErrorKind::kDoNotRetryIO, "table " + table.name.ToString() + " would have " + std::to_string(total) +
                                             (replicas > 1 ? " regions, replicas included" : " regions") +
                                             "; vaquita.table.max.regions is " +
                                             std::to_string(options.max_table_regions));
}

}  // namespace vaquita
