// server/master/balancer/planner_settings.h: what a server's options say to the planners.
#pragma once

#include "absl/status/statusor.h"
#include "base/options.h"
#include "server/master/balancer/balance_plan.h"
#include "server/master/balancer/load_aware_settings.h"
#include "server/master/balancer/normalizer_plan.h"
#include "server/master/balancer/simple_plan.h"

namespace vaquita::balancer {

struct BalancerSettings {
  bool load_aware = true;  // which of the two plans
  LoadAwareSettings load;
  SimplePlanSettings simple;
};

// kIllegalArgument for a balancer's class that there is none of. With or without its package, as HBase's.
absl::StatusOr<BalancerSettings> BalancerSettingsOf(const Options& options);

NormalizerSettings NormalizerSettingsOf(const Options& options);

// The plan of the chosen kind; without moves if there is nothing to balance (balancer_conditions.h).
BalancePlan MakePlan(const ClusterPicture& picture, const BalancerSettings& settings);

}  // namespace vaquita::balancer
