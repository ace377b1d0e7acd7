// server/master/balanced_cluster.h: the master's cluster as the balancer sees it.
#pragma once

#include <string>
#include <vector>

#include "server/master/cluster_balancer.h"

namespace vaquita {

class Master;

// Threads: any.
class BalancedCluster : public ClusterBalancer::Cluster {
 public:
  explicit BalancedCluster(Master* master) : master_(master) {}  // `master` outlives it

  balancer::BalancerConditions Conditions() const override;
  std::vector<balancer::PlacedRegion> Regions() const override;
  std::vector<ServerMetrics> Reports() const override;
  absl::Status Move(const std::string& region, const std::string& server, std::optional<int64_t> at_most_ms) override;

 private:
  Master* const master_;
};

}  // namespace vaquita
