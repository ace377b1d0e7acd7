#include "server/master/balancer/planner_settings.h"

#include <string>

#include "absl/strings/strip.h"
#include "base/absl_text.h"
#include "base/status.h"
#include "server/master/balancer/balancer_conditions.h"
#include "server/master/balancer/load_aware_plan.h"

namespace vaquita::balancer {

absl::StatusOr<BalancerSettings> BalancerSettingsOf(const Options& options) {
  const absl::string_view name =
      absl::StripPrefix(AbslText(options.balancer_class), "org.apache.hadoop.hbase.master.balancer.");
  if (name != "StochasticLoadBalancer" && name != "SimpleLoadBalancer") {
    return Error(ErrorKind::kIllegalArgument,
                 "hbase.master.loadbalancer.class is StochasticLoadBalancer or "
                 "SimpleLoadBalancer, and cannot be " +
                     options.balancer_class);
  }
  BalancerSettings settings;
  settings.load_aware = name == "StochasticLoadBalancer";
  settings.simple = {
      .by_table = options.balance_by_table, .slop = options.regions_slop, .overall_slop = options.regions_slop};
  settings.load = {.by_table = options.balance_by_table,
                   .slop = options.regions_slop,
                   .region_count_cost = options.region_count_cost,
                   .table_skew_cost = options.table_skew_cost,
                   .move_cost = options.move_cost,
                   .read_request_cost = options.read_request_cost,
                   .write_request_cost = options.write_request_cost,
                   .memstore_size_cost = options.memstore_size_cost,
                   .store_file_size_cost = options.store_file_size_cost,
                   .locality_cost = options.locality_cost,
                   .rack_locality_cost = options.rack_locality_cost,
                   .max_move_percent = options.max_move_percent,
                   .min_cost_need_balance = options.min_cost_need_balance,
                   .steps_per_region = options.balancer_steps_per_region,
                   .max_steps = options.balancer_max_steps,
                   .run_max_steps = options.balancer_run_max_steps,
                   .hotspot_ratio = options.hotspot_ratio,
                   .hotspot_requests = options.hotspot_requests};
  return settings;
}

NormalizerSettings NormalizerSettingsOf(const Options& options) {
  return {.enabled_by_default = options.normalize_tables,
          .split_enabled = options.normalizer_splits,
          .merge_enabled = options.normalizer_merges,
          .merge_min_region_count = options.normalizer_min_regions,
          .merge_min_region_age_days = options.normalizer_min_age_days,
          .merge_min_region_size_mb = options.normalizer_min_size_mb,
          .merge_most_regions = options.normalizer_most_merged,
          .plans_size_limit_mb = options.normalizer_plans_mb};
}

BalancePlan MakePlan(const ClusterPicture& picture, const BalancerSettings& settings) {
  if (std::string why = WhyNothingToBalance(picture); !why.empty()) return {.verdict = std::move(why)};
  return settings.load_aware ? MakeLoadAwarePlan(picture, settings.load) : MakeSimplePlan(picture, settings.simple);
}

}  // namespace vaquita::balancer
