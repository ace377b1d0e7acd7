// server/master/balancer/planner_settings.h: the planners' settings, from a server's options.
#pragma once

#include "absl/status/statusor.h"
#include "base/options.h"
#include "server/master/balancer/balance_plan.h"
#include "server/master/balancer/load_aware_settings.h"
#include "server/master/balancer/normalizer_plan.h"
#include "server/master/balancer/simple_plan.h"

namespace vaquita::balancer {

struct BalancerSettings {
  bool load_aware = true;  // if false, the simple plan
  LoadAwareSettings load;
  SimplePlanSettings simple;
};

// Returns kIllegalArgument if there is no balancer of the class, which may have its package, as in HBase.
absl::StatusOr<BalancerSettings> BalancerSettingsOf(const Options& options);

NormalizerSettings NormalizerSettingsOf(const Options& options);

// Makes a plan of the chosen kind; it has no moves if there is nothing to balance (balancer_conditions.h).
BalancePlan MakePlan(const ClusterPicture& picture, const BalancerSettings& settings);

}  // namespace vaquita::balancer
