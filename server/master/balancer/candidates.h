// server/master/balancer/candidates.h: proposes changes that may lower a cluster's costs, one after the other.
//
// HBase has a generator of candidates for region counts and one of random ones. Here each cost has its own: it pairs a
// server with much and one with little, and takes suitable regions. A generator is chosen by its cost's share of the
// whole, so that the worst cost is tried most; each gets a part in any case. Source: CandidateGenerator,
// LoadCandidateGenerator, StochasticLoadBalancer.getRandomGenerator (2.6).
#pragma once

#include <array>
#include <vector>

#include "server/master/balancer/cluster_costs.h"
#include "server/master/balancer/dice.h"
#include "server/master/balancer/tournament.h"

namespace vaquita::balancer {

class Candidates {
 public:
  // REQUIRES: two servers at least. All outlive it.
  Candidates(const ClusterPicture& picture, const ClusterCosts& costs, Dice* dice);

  // Returns the next change; it has no region if none was found.
  Change Next();
  // Notes that one or two regions moved between these servers, so `costs` has changed.
  void Moved(ServerIndex a, ServerIndex b);

 private:
  CostKind ChooseCost();
  Change ForAmount(CostKind kind);
  Change ForTables();
  Change AtRandom();
  ServerIndex Extreme(CostKind kind, bool highest);
  ServerIndex AnyServer() { return static_cast<ServerIndex>(dice_.Below(costs_.server_count())); }
  // Returns the best of a few of the server's regions by `score`; kNone if none can move.
  template <typename Score>
  RegionIndex PickRegion(ServerIndex server, Score score);
  bool HasMore(ServerIndex a, ServerIndex b) const {
    return costs_.amount(kRegionCount, a) > costs_.amount(kRegionCount, b);
  }
  void WeighCosts();

  const ClusterPicture& picture_;
  const ClusterCosts& costs_;
  Dice& dice_;
  std::vector<Tournament> highest_;  // by kind of amount
  std::vector<Tournament> lowest_;
  Costs chances_{};  // cumulative
};

}  // namespace vaquita::balancer
