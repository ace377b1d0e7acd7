#include "base/class_names.h"

#include <algorithm>

namespace vaquita {

bool ClassNames::Has(std::string_view name) const {
  if (name.starts_with(package)) name.remove_prefix(package.size());
  return std::ranges::find(names, name) != names.end();
}

const ClassNames& SplitPolicyNames() {
  static const auto* const kNames =
      new ClassNames{"org.apache.hadoop.hbase.regionserver.",
                     {"SteppingSplitPolicy", "IncreasingToUpperBoundRegionSplitPolicy", "ConstantSizeRegionSplitPolicy",
                      "KeyPrefixRegionSplitPolicy", "DelimitedKeyPrefixRegionSplitPolicy", "BusyRegionSplitPolicy",
                      "DisabledRegionSplitPolicy"}};
  return *kNames;
}

const ClassNames& BalancerNames() {
  static const auto* const kNames =
      new ClassNames{"org.apache.hadoop.hbase.master.balancer.", {"StochasticLoadBalancer", "SimpleLoadBalancer"}};
  return *kNames;
}

}  // namespace vaquita
