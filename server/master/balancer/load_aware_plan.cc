#include "server/master/balancer/load_aware_plan.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "base/saturated.h"
#include "server/master/balancer/candidates.h"
#include "server/master/balancer/cluster_costs.h"
#include "server/master/balancer/count_check.h"
#include "server/master/balancer/dice.h"
#include "server/master/balancer/move_reasons.h"

namespace vaquita::balancer {
namespace {

constexpr int64_t kLeastStepsPerRegion = 20;

std::string WhyHotspot(const ClusterPicture& picture, const ClusterCosts& costs, const LoadAwareSettings& settings) {
  for (const CostKind kind : {kReadRequests, kWriteRequests}) {
    for (ServerIndex server = 0; server < costs.server_count(); ++server) {
      const double amount = costs.amount(kind, server);
      if (amount < settings.hotspot_requests || amount < settings.hotspot_ratio * costs.mean(kind)) continue;
      return absl::StrFormat("%s takes %.0f %s requests/s, the average server %.0f", picture.servers[server], amount,
                             kind == kReadRequests ? "read" : "write", costs.mean(kind));
    }
  }
  return "";
}

// Returns why to look for a plan; empty if there is no reason.
std::string WhyBalance(const ClusterPicture& picture, const ClusterCosts& costs, const LoadAwareSettings& settings) {
  std::vector<int32_t> counts;
  for (ServerIndex server = 0; server < costs.server_count(); ++server) {
    counts.push_back(static_cast<int32_t>(costs.amount(kRegionCount, server)));
  }
  if (std::string why = WhyCountsAskForBalance(counts, settings.slop); !why.empty()) return why;
  if (const double imbalance = costs.Imbalance(costs.costs()); imbalance >= settings.min_cost_need_balance) {
    return absl::StrFormat("weighted average imbalance=%.4f, threshold %.4f", imbalance,
                           settings.min_cost_need_balance);
  }
  return WhyHotspot(picture, costs, settings);
}

// `share` is the span's share of the cluster's regions. Tables share the steps, so that a plan by table takes about as
// long as another; a small table gets enough steps to be levelled.
int64_t StepCount(const ClusterCosts& costs, const LoadAwareSettings& settings, double share) {
  const int64_t regions = costs.last() - costs.first();
  const int64_t calculated =
      SaturatedProduct(SaturatedProduct(regions, settings.steps_per_region), costs.server_count());
  int64_t most = SaturatedInteger(share * static_cast<double>(settings.max_steps));
  if (settings.by_table) most = std::max(most, kLeastStepsPerRegion * regions);
  return settings.run_max_steps ? std::max(most, calculated) : std::min(most, calculated);
}

// Returns the weighted costs that are not 0, as HBase records them.
std::string CostsText(const ClusterCosts& costs) {
  std::vector<std::string> texts;
  for (int kind = 0; kind < kCostKinds; ++kind) {
    const double cost = costs.costs()[kind] * costs.weights()[kind];
    if (cost > 0) texts.push_back(absl::StrCat(" ", CostFunctionName(static_cast<CostKind>(kind)), " : ", cost));
  }
  return absl::StrJoin(texts, ";");
}

// Fills the record of a span whose imbalance is below the threshold.
void Reject(const ClusterCosts& costs, const LoadAwareSettings& settings, BalancePlan* plan) {
  const double imbalance = costs.Imbalance(costs.costs());
  constexpr char kSum[] = "(cost1*multiplier1)+(cost2*multiplier2)+...+(costn*multipliern)";
  plan->rejection = imbalance > 0 ? absl::StrCat("[", kSum, "]/sumMultiplier = ", imbalance, " <= minCostNeedBalance(",
                                                 settings.min_cost_need_balance, ")")
                                  : absl::StrCat(kSum, " = 0 <= 0");
  for (int kind = 0; kind < kCostKinds; ++kind) {
    plan->weighing.push_back(absl::StrCat(CostFunctionName(static_cast<CostKind>(kind)), " cost:", costs.costs()[kind],
                                          " multiplier:", costs.weights()[kind]));
  }
}

// Keeps each candidate that lowers the cost. A tenth of the steps without one ends it. Returns the number of steps.
int64_t Walk(const ClusterPicture& picture, int64_t steps, Dice* dice, ClusterCosts* costs) {
  Candidates candidates(picture, *costs, dice);
  double imbalance = costs->Imbalance(costs->costs());
  int64_t without_gain = 0;
  int64_t step = 0;
  for (; step < steps && without_gain <= steps / 10; ++step, ++without_gain) {
    const Change change = candidates.Next();
    if (change.region == kNone) continue;
    const double after = costs->Imbalance(costs->CostsAfter(change));
    if (after >= imbalance) continue;
    const ServerIndex from = costs->place(change.region);
    costs->Apply(change);
    candidates.Moved(from, change.to);
    imbalance = after;
    without_gain = 0;
  }
  return step;
}

// A long walk leaves regions moved that need not be.
void PutBackWhatNeedNotMove(const ClusterPicture& picture, ClusterCosts* costs) {
  for (RegionIndex region = costs->first(); region < costs->last(); ++region) {
    const ServerIndex home = picture.regions[region].server;
    if (costs->place(region) == home) continue;
    const Change change = {.region = region, .to = home};
    if (costs->Imbalance(costs->CostsAfter(change)) <= costs->Imbalance(costs->costs())) costs->Apply(change);
  }
}

// Adds the moves that lead from `before` to `after`, those that gain most first.
void AddMoves(const ClusterPicture& picture, const ClusterCosts& before, const ClusterCosts& after,
              std::vector<RegionMove>* moves) {
  std::vector<std::pair<double, RegionMove>> found;
  for (RegionIndex region = after.first(); region < after.last(); ++region) {
    RegionMove move{region, before.place(region), after.place(region), ""};
    if (move.from == move.to) continue;
    MoveReason reason = ReasonOf(picture, before, move);
    move.reason = std::move(reason.text);
    found.emplace_back(reason.gain, std::move(move));
  }
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  for (auto& [gain, move] : found) moves->push_back(std::move(move));
}

class LoadAwarePlanner {
 public:
  LoadAwarePlanner(const ClusterPicture& picture, const LoadAwareSettings& settings)
      : picture_(picture), settings_(settings), dice_(settings.seed) {}

  BalancePlan Plan() {
    const auto regions = static_cast<RegionIndex>(picture_.regions.size());
    if (!settings_.by_table) {
      PlanSpan(0, regions, "Cluster wide");
    } else {
      for (RegionIndex first = 0, last = 0; first < regions; first = last) {
        const TableIndex table = picture_.regions[first].table;
        while (last < regions && picture_.regions[last].table == table) ++last;
        PlanSpan(first, last, absl::StrCat("Table specific (", picture_.tables[table].ToString(), ")"));
      }
    }
    return std::move(plan_);
  }

 private:
  void PlanSpan(RegionIndex first, RegionIndex last, const std::string& what);

  const ClusterPicture& picture_;
  const LoadAwareSettings& settings_;
  Dice dice_;
  BalancePlan plan_;
};

void LoadAwarePlanner::PlanSpan(RegionIndex first, RegionIndex last, const std::string& what) {
  if (first == last) return;
  const ClusterCosts before(picture_, first, last, settings_);
  const double imbalance = before.Imbalance(before.costs());
  const double share = static_cast<double>(last - first) / static_cast<double>(picture_.regions.size());
  plan_.imbalance_before += share * imbalance;

  const std::string why = WhyBalance(picture_, before, settings_);
  if (why.empty()) {
    plan_.imbalance_after += share * imbalance;
    if (plan_.verdict.empty()) {
      plan_.verdict =
          absl::StrFormat("%s - skipping load balancing because weighted average imbalance=%.4f < threshold(%.4f)",
                          what, imbalance, settings_.min_cost_need_balance);
      Reject(before, settings_, &plan_);
    }
    return;
  }
  ClusterCosts after = before;
  plan_.steps += Walk(picture_, StepCount(before, settings_, share), &dice_, &after);
  PutBackWhatNeedNotMove(picture_, &after);
  const double imbalance_after = after.Imbalance(after.costs());
  plan_.imbalance_after += share * imbalance_after;
  const size_t moves = plan_.moves.size();
  AddMoves(picture_, before, after, &plan_.moves);
  if (moves == 0) {
    plan_.costs_before = CostsText(before);
    plan_.costs_after = CostsText(after);
    plan_.verdict =
        absl::StrFormat("%s - %s; going from an imbalance of %.4f to %.4f", what, why, imbalance, imbalance_after);
  }
}

}  // namespace

BalancePlan MakeLoadAwarePlan(const ClusterPicture& picture, const LoadAwareSettings& settings) {
  return LoadAwarePlanner(picture, settings).Plan();
}

}  // namespace vaquita::balancer
