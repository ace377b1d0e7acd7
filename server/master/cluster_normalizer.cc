#include "server/master/cluster_normalizer.h"

#include <set>
#include <string>

#include "base/log.h"
#include "server/master/balancer/normalizer_plan.h"
#include "server/master/balancer/planner_settings.h"
#include "server/master/master.h"

namespace vaquita {
namespace {

RegionSizes SizesOf(const ClusterStatus& status, const std::vector<TableName>& tables) {
  const std::set<TableName> wanted(tables.begin(), tables.end());
  RegionSizes sizes;
  for (const ServerMetrics& server : status.servers) {
    for (const RegionMetrics& region : server.regions) {
      if (wanted.contains(region.info.table)) sizes[region.info.EncodedName()] = region.store_file_bytes / kMiB;
    }
  }
  return sizes;
}

std::vector<balancer::SizedRegion> SizedRegions(const std::vector<AssignedRegion>& regions, const RegionSizes& sizes) {
  std::vector<balancer::SizedRegion> sized;
  for (const AssignedRegion& region : regions) {
    if (region.info.split) continue;
    const auto size = sizes.find(region.info.EncodedName());
    sized.push_back(
        {region.info, size == sizes.end() ? -1 : size->second, /*open=*/region.state == RegionState::kOpen});
  }
  return sized;
}

}  // namespace

bool ClusterNormalizer::Run(const std::vector<TableName>& tables) {
  if (!master_->IsOn(MasterSwitch::kNormalizer)) {
    Count(&NormalizerCounters::skips_switched_off);
    return false;
  }
  std::lock_guard lock(run_mutex_);
  const balancer::NormalizerSettings settings = balancer::NormalizerSettingsOf(*options_);
  std::vector<TableName> normalized;
  for (const TableName& table : tables) {
    const auto descriptor = master_->GetDescriptor(table);
    if (!descriptor.ok() || !balancer::IsNormalized(**descriptor, settings)) continue;
    const auto state = master_->GetTableState(table);
    if (state.ok() && *state == TableState::kEnabled) normalized.push_back(table);
  }
  RegionSizes sizes;  // once for all tables: a status has all regions of the cluster
  if (!normalized.empty()) {
    const ClusterStatus status = master_->Status();
    if (status.regions_in_transition > 0) {
      Count(&NormalizerCounters::skips_in_transition);
      return false;
    }
    sizes = SizesOf(status, normalized);
  }
  for (const TableName& table : normalized) Normalize(table, sizes);
  Count(&NormalizerCounters::runs);
  return true;
}

NormalizerCounters ClusterNormalizer::counters() const {
  std::lock_guard lock(counters_mutex_);
  return counters_;
}

void ClusterNormalizer::Count(int64_t NormalizerCounters::*counter) {
  std::lock_guard lock(counters_mutex_);
  ++(counters_.*counter);
}

void ClusterNormalizer::Normalize(const TableName& table, const RegionSizes& sizes) {
  const auto descriptor = master_->GetDescriptor(table);
  const auto assigned = master_->GetRegions(table);
  if (!descriptor.ok() || !assigned.ok()) return;  // it was deleted meanwhile
  const std::vector<balancer::SizedRegion> regions = SizedRegions(*assigned, sizes);
  const balancer::SplitMergeSwitches switches = {.split = master_->IsOn(MasterSwitch::kSplit),
                                                 .merge = master_->IsOn(MasterSwitch::kMerge)};
  const int64_t now_ms = clock_->NowMs();
  const std::vector<balancer::Normalization> plan =
      MakeNormalizerPlan(**descriptor, regions, balancer::NormalizerSettingsOf(*options_), switches, now_ms,
                         /*seed=*/static_cast<uint64_t>(now_ms));
  for (const balancer::Normalization& one : plan) {
    std::vector<std::string> names;
    for (const size_t region : one.regions) names.push_back(regions[region].info.EncodedName());
    const bool is_split = one.kind == balancer::Normalization::Kind::kSplit;
    const auto procedure =
        is_split ? master_->SplitRegionAsync(names[0], "") : master_->MergeRegionsAsync(names, /*forcible=*/false);
    std::string what = balancer::NormalizerPlanText(regions, {one});
    what.pop_back();  // the end of its line
    if (procedure.ok()) {
      spdlog::info("normalizer: pid={} {}", *procedure, what);
      Count(is_split ? &NormalizerCounters::splits : &NormalizerCounters::merges);
    } else {
      Count(&NormalizerCounters::refused);
      spdlog::warn("normalizer: {}: {}", procedure.status().ToString(), what);
    }
  }
}

}  // namespace vaquita
