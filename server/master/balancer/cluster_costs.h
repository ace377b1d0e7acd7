// server/master/balancer/cluster_costs.h: the costs of a cluster's placement, now and after a change.
//
// Each cost is a share of its worst; table skew is the sum of each table's. Weighing a change takes the same time for
// any number of servers and regions: every cost keeps its sum of squares, which a change shifts by the two servers'
// terms. cluster_costs_test.cc compares with a full calculation. Source: CostFunction and its subclasses,
// BalancerClusterState (2.6). Threads: one at a time.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "server/master/balancer/cluster_picture.h"
#include "server/master/balancer/load_aware_settings.h"
#include "server/master/balancer/skew.h"

namespace vaquita::balancer {

// The first kAmounts kinds are amounts of regions that a server sums.
enum CostKind { kRegionCount, kReadRequests, kWriteRequests, kMemstore, kStoreFiles, kTableSkew, kMoves, kCostKinds };
inline constexpr int kAmounts = kTableSkew;
using Costs = std::array<double, kCostKinds>;

// Returns the amount that a region adds to its server.
double Amount(CostKind kind, const RegionLoad& load);

// Returns the name of HBase's class that calculates the cost: "RegionCountSkewCostFunction".
const char* CostFunctionName(CostKind kind);

// Moves `region` to `to`; an exchange also moves `back` from there to the former server of `region`.
struct Change {
  RegionIndex region = kNone;
  ServerIndex to = kNone;
  RegionIndex back = kNone;
};

class ClusterCosts {
 public:
  // Computes the costs of the picture's regions first..last-1: one table's, or all. `picture` outlives it.
  ClusterCosts(const ClusterPicture& picture, RegionIndex first, RegionIndex last, const LoadAwareSettings& settings);

  const Costs& costs() const { return costs_; }
  Costs CostsAfter(const Change& change) const;
  void Apply(const Change& change);

  // Returns the weighted sum as a share of all weights: 0 is the best, 1 the worst.
  double Imbalance(const Costs& costs) const;
  const Costs& weights() const { return weights_; }

  RegionIndex first() const { return first_; }
  RegionIndex last() const { return last_; }
  ServerIndex server_count() const { return static_cast<ServerIndex>(regions_of_.size()); }
  ServerIndex place(RegionIndex region) const { return place_[region - first_]; }
  // Returns the regions of a server that may move, in no order.
  const std::vector<RegionIndex>& movable(ServerIndex server) const { return regions_of_[server]; }
  double amount(CostKind kind, ServerIndex server) const { return amounts_[kind][server]; }
  double mean(CostKind kind) const { return skews_[kind].mean(); }
  int32_t of_table(TableIndex table, ServerIndex server) const;
  double table_mean(TableIndex table) const { return tables_[table - first_table_].skew.mean(); }

 private:
  struct TableCost {
    Skew skew;
    double squares = 0;
  };

  void CountTables();
  void Put(RegionIndex region, ServerIndex to);
  // Returns the growth of the squared distances when `amount` moves from one server to another.
  double AmountShift(CostKind kind, ServerIndex from, ServerIndex to, double amount) const;
  double TableShift(TableIndex table, ServerIndex from, ServerIndex to) const;
  double MoveCost(int64_t moves) const;
  int64_t MovesAfter(const Change& change) const;
  uint64_t TableKey(TableIndex table, ServerIndex server) const {
    return static_cast<uint64_t>(table) << 32 | static_cast<uint32_t>(server);
  }

  const ClusterPicture& picture_;
  const RegionIndex first_;
  const RegionIndex last_;
  TableIndex first_table_ = 0;
  Costs weights_{};
  double weight_sum_ = 0;  // including the constant costs
  int64_t max_moves_ = 0;

  std::vector<ServerIndex> place_;
  std::vector<std::vector<RegionIndex>> regions_of_;
  std::vector<int32_t> position_;  // in regions_of_, of those that may move
  std::array<std::vector<double>, kAmounts> amounts_;
  std::array<Skew, kAmounts> skews_;
  std::array<double, kAmounts> squares_{};
  std::vector<TableCost> tables_;
  absl::flat_hash_map<uint64_t, int32_t> of_table_;  // counts other than 0, by TableKey
  int64_t moves_ = 0;                                // regions away from their place in the picture
  Costs costs_{};
};

}  // namespace vaquita::balancer
