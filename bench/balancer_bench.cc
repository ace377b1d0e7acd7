// Measures the balancer's plans for a large cluster on one core: time, gain and memory.
#include <algorithm>
#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/memory.h"
#include "base/status.h"
#include "bench/bench_data.h"
#include "bench/suite.h"
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

using Plan = balancer::BalancePlan (*)(const balancer::ClusterPicture&, bool by_table);

balancer::BalancePlan SimplePlan(const balancer::ClusterPicture& picture, bool by_table) {
  return balancer::MakeSimplePlan(picture, {.by_table = by_table});
}
balancer::BalancePlan LoadAwarePlan(const balancer::ClusterPicture& picture, bool by_table) {
  return balancer::MakeLoadAwarePlan(picture, {.by_table = by_table});
}

double MemoryMb() { return static_cast<double>(ResidentMemoryBytes()) / (1024 * 1024); }

struct LargePicture {
  const double empty_mb = MemoryMb();
  const balancer::ClusterPicture picture = balancer::LargeCluster(kServers, kRegions);
};

absl::Status BenchPlan(benchmark::State& state, const LargePicture& large, Plan make, bool by_table) {
  balancer::BalancePlan plan;
  Stopwatch watch;
  for (auto _ : state) plan = make(large.picture, by_table);
  state.counters["seconds"] = watch.Seconds();
  state.counters["imbalance"] = plan.imbalance_after;
  state.counters[kLimit] = plan.imbalance_before;
  state.counters["memory_mb"] = MemoryMb() - large.empty_mb;
  state.SetLabel(Spread(large.picture, plan));
  return absl::OkStatus();
}

}  // namespace

void AddBalancer(Suite* suite) {
  std::string name;
  const auto add = [&](const std::string& what, Plan make, bool by_table) {
    name = absl::StrCat("balancer/", what, by_table ? "/by_table" : "/cluster");
    const auto bench = [=](benchmark::State& state) -> absl::Status {
      VAQUITA_ASSIGN_OR_RETURN(const auto large,
                               suite->Shared<LargePicture>([]() -> absl::StatusOr<std::shared_ptr<LargePicture>> {
                                 return std::make_shared<LargePicture>();
                               }));
      return BenchPlan(state, *large, make, by_table);
    };
    suite->Add(name, bench)->Iterations(1)->Unit(benchmark::kMillisecond);
    suite->Expect({absl::StrCat(what, " plan of 1,000 x 200,000", by_table ? " by table" : ""), name, "seconds", "s",
                   Goal::Kind::kAtMost, kMostSeconds});
  };
  for (const bool by_table : {false, true}) {
    add("simple", SimplePlan, by_table);
    add("load-aware", LoadAwarePlan, by_table);
    suite->Expect({"  its weighted imbalance", name, "imbalance", "", Goal::Kind::kLess});
  }
  suite->Expect(
      {"memory of the cluster's picture and plans", name, "memory_mb", "MB", Goal::Kind::kAtMost, kMostMemoryMb});
}

}  // namespace vaquita::bench
