#include "server/master/balancer/candidates.h"

#include <algorithm>
#include <utility>

namespace vaquita::balancer {
namespace {

constexpr int kSamples = 4;               // regions among which the best is taken
constexpr double kShareInAnyCase = 0.05;  // each cost's least share of the candidates

}  // namespace

Candidates::Candidates(const ClusterPicture& picture, const ClusterCosts& costs, Dice* dice)
    : picture_(picture), costs_(costs), dice_(*dice) {
  for (int kind = 0; kind < kAmounts; ++kind) {
    std::vector<double> amounts;
    for (ServerIndex server = 0; server < costs.server_count(); ++server) {
      amounts.push_back(costs.amount(static_cast<CostKind>(kind), server));
    }
    std::vector<double> negative = amounts;
    for (double& amount : negative) amount = -amount;
    highest_.emplace_back(std::move(amounts));
    lowest_.emplace_back(std::move(negative));
  }
  WeighCosts();
}

void Candidates::Moved(ServerIndex a, ServerIndex b) {
  for (int kind = 0; kind < kAmounts; ++kind) {
    for (const ServerIndex server : {a, b}) {
      const double amount = costs_.amount(static_cast<CostKind>(kind), server);
      highest_[kind].SetScore(server, amount);
      lowest_[kind].SetScore(server, -amount);
    }
  }
  WeighCosts();
}

void Candidates::WeighCosts() {
  double sum = 0;
  for (int kind = 0; kind < kCostKinds; ++kind) sum += costs_.weights()[kind] * costs_.costs()[kind];
  double so_far = 0;
  for (int kind = 0; kind < kCostKinds; ++kind) {
    const double share = sum == 0 ? 0 : costs_.weights()[kind] * costs_.costs()[kind] / sum;
    so_far += share + kShareInAnyCase;
    chances_[kind] = so_far;
  }
}

CostKind Candidates::ChooseCost() {
  const double at = dice_.Share() * chances_.back();
  return static_cast<CostKind>(std::upper_bound(chances_.begin(), chances_.end() - 1, at) - chances_.begin());
}

Change Candidates::Next() {
  switch (const CostKind kind = ChooseCost()) {
    case kTableSkew:
      return ForTables();
    case kMoves:
      return AtRandom();
    default:
      return ForAmount(kind);
  }
}

// Returns the server with the most or the least; every other time the best of a few, because a pair may have nothing to
// exchange.
ServerIndex Candidates::Extreme(CostKind kind, bool highest) {
  if (dice_.Coin()) return (highest ? highest_ : lowest_)[kind].winner();
  ServerIndex best = AnyServer();
  for (int i = 1; i < kSamples; ++i) {
    const ServerIndex server = AnyServer();
    const bool higher = costs_.amount(kind, server) > costs_.amount(kind, best);
    if (higher == highest) best = server;
  }
  return best;
}

template <typename Score>
RegionIndex Candidates::PickRegion(ServerIndex server, Score score) {
  const std::vector<RegionIndex>& regions = costs_.movable(server);
  if (regions.empty()) return kNone;
  RegionIndex best = regions[dice_.Below(regions.size())];
  for (uint32_t more = dice_.Below(kSamples); more > 0; --more) {
    const RegionIndex region = regions[dice_.Below(regions.size())];
    if (score(region) > score(best)) best = region;
  }
  return best;
}

// Proposes a region from a server with much to one with little, in exchange for a smaller one if region counts need it.
Change Candidates::ForAmount(CostKind kind) {
  const ServerIndex from = Extreme(kind, /*highest=*/true);
  const ServerIndex to = Extreme(kind, /*highest=*/false);
  if (from == to) return {};
  const auto amount = [&](RegionIndex region) { return Amount(kind, picture_.regions[region].load); };
  const RegionIndex region = PickRegion(from, amount);
  if (region == kNone) return {};
  const bool exchange = !HasMore(from, to) || (kind != kRegionCount && dice_.Coin());
  return {region, to, exchange ? PickRegion(to, [&](RegionIndex r) { return -amount(r); }) : kNone};
}

// Proposes a region from a server with more of its table to one with less, in exchange for one of the reverse kind.
Change Candidates::ForTables() {
  const ServerIndex from = AnyServer();
  ServerIndex to = AnyServer();
  const RegionIndex region = PickRegion(from, [&](RegionIndex r) {
    const TableIndex table = picture_.regions[r].table;
    return costs_.of_table(table, from) - costs_.table_mean(table);
  });
  if (region == kNone) return {};
  const TableIndex table = picture_.regions[region].table;
  for (uint32_t more = dice_.Below(kSamples); more > 0; --more) {
    const ServerIndex server = AnyServer();
    if (costs_.of_table(table, server) < costs_.of_table(table, to)) to = server;
  }
  if (from == to) return {};
  const bool exchange = !HasMore(from, to) || dice_.Coin();
  return {region, to,
          exchange ? PickRegion(to,
                                [&](RegionIndex r) {
                                  const TableIndex back = picture_.regions[r].table;
                                  return costs_.of_table(back, to) - costs_.of_table(back, from);
                                })
                   : kNone};
}

Change Candidates::AtRandom() {
  ServerIndex from = AnyServer();
  ServerIndex to = AnyServer();
  if (from == to) return {};
  if (HasMore(to, from)) std::swap(from, to);
  const auto any = [](RegionIndex) { return 0; };
  const RegionIndex region = PickRegion(from, any);
  if (region == kNone) return {};
  const bool exchange = !HasMore(from, to) || dice_.Coin();
  return {region, to, exchange ? PickRegion(to, any) : kNone};
}

}  // namespace vaquita::balancer
