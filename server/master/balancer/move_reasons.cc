#include "server/master/balancer/move_reasons.h"

#include "absl/strings/str_format.h"

namespace vaquita::balancer {
namespace {

std::string_view AmountName(CostKind kind) {
  switch (kind) {
    case kReadRequests:
      return "read requests/s";
    case kWriteRequests:
      return "write requests/s";
    case kMemstore:
      return "MB/min of memstore growth";
    case kStoreFiles:
      return "MB of store files";
    default:
      return "regions";
  }
}

std::string TextOf(CostKind kind, const ClusterPicture& picture, const ClusterCosts& before, const RegionMove& move) {
  const PicturedRegion& region = picture.regions[move.region];
  if (kind == kTableSkew) {
    return absl::StrFormat("of table %s source has %d regions, target %d, average %.1f",
                           picture.tables[region.table].ToString(), before.of_table(region.table, move.from),
                           before.of_table(region.table, move.to), before.table_mean(region.table));
  }
  if (kind == kRegionCount) {
    return absl::StrFormat("source has %.0f regions, target %.0f, average %.1f", before.amount(kind, move.from),
                           before.amount(kind, move.to), before.mean(kind));
  }
  return absl::StrFormat("has %.0f of source's %.0f %s, target has %.0f, average %.0f", Amount(kind, region.load),
                         before.amount(kind, move.from), AmountName(kind), before.amount(kind, move.to),
                         before.mean(kind));
}

}  // namespace

MoveReason ReasonOf(const ClusterPicture& picture, const ClusterCosts& before, const RegionMove& move) {
  const Costs after = before.CostsAfter({.region = move.region, .to = move.to});
  MoveReason reason;
  CostKind best = kMoves;
  double best_gain = 0;
  for (int i = 0; i < kCostKinds; ++i) {
    const auto kind = static_cast<CostKind>(i);
    const double gain = before.weights()[kind] * (before.costs()[kind] - after[kind]);
    reason.gain += gain;
    if (gain <= best_gain) continue;
    best = kind;
    best_gain = gain;
  }
  reason.text = best == kMoves ? absl::StrFormat("in exchange: source has %.0f regions, target %.0f, average %.1f",
                                                 before.amount(kRegionCount, move.from),
                                                 before.amount(kRegionCount, move.to), before.mean(kRegionCount))
                               : TextOf(best, picture, before, move);
  return reason;
}

}  // namespace vaquita::balancer
