// Measures the balancer's plans for a large cluster on one core: time, gain and memory.
#include <algorithm>

#include "absl/strings/str_format.h"
#include "base/resident_memory.h"
#include "bench/figures.h"
#include "server/master/balancer/load_aware_plan.h"
#include "server/master/balancer/simple_plan.h"
#include "server/master/balancer/testing/large_cluster.h"

namespace vaquita::bench {
namespace {

constexpr size_t kServers = 1'000;
constexpr size_t kRegions = 200'000;
constexpr double kMostSeconds = 5;
constexpr double kMostMemoryMb = 2'000;

std::string Spread(const balancer::ClusterPicture& picture, const balancer::BalancePlan& plan) {
  const std::vector<int32_t> counts = balancer::RegionCountsAfter(picture, plan);
  const auto [least, most] = std::minmax_element(counts.begin(), counts.end());
  return absl::StrFormat("%d moves, then %d to %d regions a server", plan.moves.size(), *least, *most);
}

}  // namespace

absl::Status BenchBalancer(const BenchOptions&, Figures* figures) {
  const double empty_mb = static_cast<double>(ResidentMemoryBytes()) / (1024 * 1024);
  const balancer::ClusterPicture picture = balancer::LargeCluster(kServers, kRegions);
  for (const bool by_table : {false, true}) {
    const std::string what = absl::StrFormat("plan of 1,000 x 200,000%s", by_table ? " by table" : "");
    Stopwatch simple_watch;
    const balancer::BalancePlan simple = balancer::MakeSimplePlan(picture, {.by_table = by_table});
    figures->push_back(CeilingFigure("simple " + what, simple_watch.Seconds(), kMostSeconds, "s"));
    figures->back().limit = Spread(picture, simple);

    Stopwatch load_watch;
    const balancer::BalancePlan load = balancer::MakeLoadAwarePlan(picture, {.by_table = by_table});
    figures->push_back(CeilingFigure("load-aware " + what, load_watch.Seconds(), kMostSeconds, "s"));
    figures->back().limit = Spread(picture, load);
    figures->push_back({.what = "  its weighted imbalance",
                        .measured = absl::StrFormat("%.4f", load.imbalance_after),
                        .limit = absl::StrFormat("%.4f before", load.imbalance_before),
                        .goal = "less",
                        .met = load.imbalance_after < load.imbalance_before});
  }
  const double memory_mb = static_cast<double>(ResidentMemoryBytes()) / (1024 * 1024) - empty_mb;
  figures->push_back(CeilingFigure("memory of the cluster's picture and plans", memory_mb, kMostMemoryMb, "MB"));
  return absl::OkStatus();
}

}  // namespace vaquita::bench
