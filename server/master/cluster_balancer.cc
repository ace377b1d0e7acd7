#include "server/master/cluster_balancer.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/log.h"
#include "base/status.h"
#include "server/master/balancer/planner_settings.h"

namespace vaquita {
namespace {

constexpr int64_t kLeastBetweenReportsMs = 1'000;

// The name by which loads are remembered: unlike the encoded one it costs no hash.
std::string LoadName(const RegionInfo& info) { return info.NameWithoutHash(); }

template <typename Entry>
void Keep(Entry entry, int64_t most, std::deque<Entry>* ring) {
  while (static_cast<int64_t>(ring->size()) >= most) ring->pop_front();
  ring->push_back(std::move(entry));
}

// Returns the last ones of a ring, the latest first.
template <typename Entry>
std::vector<Entry> Latest(const std::deque<Entry>& ring, int64_t limit) {
  const auto size = static_cast<int64_t>(ring.size());
  return {ring.rbegin(), ring.rbegin() + std::clamp<int64_t>(limit, 0, size)};
}

}  // namespace

void ClusterBalancer::Observe() { Observe(cluster_->Reports()); }

void ClusterBalancer::Observe(const std::vector<ServerMetrics>& reports) {
  if (reports.size() < 2) return;
  const int64_t now_ms = clock_->NowMs();
  std::lock_guard lock(history_mutex_);
  // A clock that was set back: nothing would follow loads of a later time.
  if (now_ms < observed_ms_) {
    history_ = {};
  } else if (now_ms - observed_ms_ < kLeastBetweenReportsMs) {
    return;
  }
  observed_ms_ = now_ms;
  for (const ServerMetrics& server : reports) {
    for (const RegionMetrics& region : server.regions) {
      history_.Add(LoadName(region.info), {.time_ms = now_ms,
                                           .read_requests = region.read_requests,
                                           .write_requests = region.write_requests,
                                           .store_bytes = region.store_file_bytes,
                                           .memstore_bytes = region.memstore_bytes});
    }
  }
  history_.ForgetBefore(now_ms - 2 * kObservePeriodMs);
}

std::chrono::milliseconds ClusterBalancer::TickPeriod() const {
  return std::chrono::milliseconds(std::min(kObservePeriodMs, options_->balancer_period_ms));
}

void ClusterBalancer::Tick() {
  Observe();
  if (++ticks_ * TickPeriod().count() < options_->balancer_period_ms) return;
  ticks_ = 0;
  if (const auto answer = Run({}); !answer.ok()) spdlog::warn("balancer: {}", answer.status().ToString());
}

balancer::ClusterPicture ClusterBalancer::TakePicture(const std::vector<ServerMetrics>& reports) {
  std::vector<balancer::PlacedRegion> regions = cluster_->Regions();
  {
    std::lock_guard lock(history_mutex_);
    for (balancer::PlacedRegion& region : regions) region.load = history_.Of(LoadName(region.info));
  }
  std::vector<std::string> servers;
  for (const ServerMetrics& server : reports) servers.push_back(server.server_name);
  return balancer::TakePicture(std::move(servers), std::move(regions));
}

absl::StatusOr<BalanceAnswer> ClusterBalancer::Run(const BalanceRequest& request) {
  BalanceAnswer answer;
  const std::unique_lock lock(run_mutex_, std::try_to_lock);
  if (!lock.owns_lock()) {
    answer.text = "Not running balancer because another run is under way";
    spdlog::info("{}", answer.text);
    return answer;
  }
  const balancer::BalancerConditions conditions = cluster_->Conditions();
  answer.text = balancer::WhyBalancerDoesNotRun(conditions, request);
  if (!answer.text.empty()) {
    spdlog::info("{}", answer.text);
    std::lock_guard counters_lock(counters_mutex_);
    ++counters_.skips[static_cast<size_t>(balancer::ObstacleOf(conditions, request))];
    return answer;
  }
  const int64_t start_ms = clock_->NowMs();
  VAQUITA_ASSIGN_OR_RETURN(const balancer::BalancerSettings settings, balancer::BalancerSettingsOf(*options_));
  const std::vector<ServerMetrics> reports = cluster_->Reports();
  Observe(reports);
  const balancer::ClusterPicture picture = TakePicture(reports);
  const balancer::BalancePlan plan = balancer::MakePlan(picture, settings);
  answer.ran = true;
  answer.moves_calculated = static_cast<int64_t>(plan.moves.size());
  answer.text = balancer::PlanText(picture, plan);
  if (!plan.moves.empty()) spdlog::info("balancer: {} moves: {}", plan.moves.size(), plan.verdict);
  Record(picture, plan);
  if (!request.dry_run && !plan.moves.empty()) {
    const std::lock_guard counters_lock(counters_mutex_);
    last_plan_ = answer.text;
  }
  if (!request.dry_run) answer.moves_executed = CarryOut(picture, plan);
  Count(&BalancerCounters::runs);
  Count(&BalancerCounters::run_ms, clock_->NowMs() - start_ms);
  return answer;
}

BalancerCounters ClusterBalancer::counters() const {
  std::lock_guard lock(counters_mutex_);
  return counters_;
}

std::string ClusterBalancer::last_plan() const {
  const std::lock_guard lock(counters_mutex_);
  return last_plan_;
}

void ClusterBalancer::Record(const balancer::ClusterPicture& picture, const balancer::BalancePlan& plan) {
  if (plan.moves.empty()) {
    if (!options_->keep_balancer_rejections) return;
    const std::lock_guard lock(counters_mutex_);
    Keep(BalancerRejection{.reason = plan.rejection.empty() ? plan.verdict : plan.rejection, .costs = plan.weighing},
         options_->most_balancer_rejections, &rejections_);
    return;
  }
  if (!options_->keep_balancer_decisions) return;
  BalancerDecision decision{.costs_before = plan.costs_before,
                            .costs_after = plan.costs_after,
                            .cost_before = plan.imbalance_before,
                            .cost_after = plan.imbalance_after,
                            .steps = plan.steps,
                            .moves = {}};
  for (const balancer::RegionMove& move : plan.moves) {
    const RegionInfo& region = picture.regions[move.region].info;
    decision.moves.push_back(absl::StrCat("table: ", region.table.ToString(), " , region: ", region.EncodedName(),
                                          " , source: ", picture.servers[move.from],
                                          " , destination: ", picture.servers[move.to]));
  }
  const std::lock_guard lock(counters_mutex_);
  Keep(std::move(decision), options_->most_balancer_decisions, &decisions_);
}

std::vector<BalancerDecision> ClusterBalancer::Decisions(int64_t limit) const {
  const std::lock_guard lock(counters_mutex_);
  return Latest(decisions_, limit);
}

std::vector<BalancerRejection> ClusterBalancer::Rejections(int64_t limit) const {
  const std::lock_guard lock(counters_mutex_);
  return Latest(rejections_, limit);
}

void ClusterBalancer::Count(int64_t BalancerCounters::*counter, int64_t by) {
  std::lock_guard lock(counters_mutex_);
  counters_.*counter += by;
}

// A move that fails is left to the next run.
int64_t ClusterBalancer::CarryOut(const balancer::ClusterPicture& picture, const balancer::BalancePlan& plan) {
  const int64_t asked_ms = options_->max_balancing_ms;
  const int64_t most_ms = asked_ms < 0 ? options_->balancer_period_ms : asked_ms;
  const int64_t start_ms = clock_->NowMs();
  int64_t executed = 0;
  for (const balancer::RegionMove& move : plan.moves) {
    const int64_t left_ms = most_ms - (clock_->NowMs() - start_ms);
    if (stopping_ || (most_ms > 0 && left_ms < 0)) {
      spdlog::info("balancer: stopped until the next run, after {} of {} moves", executed, plan.moves.size());
      break;
    }
    const std::string region = picture.regions[move.region].info.EncodedName();
    const std::string& from = picture.servers[move.from];
    const std::string& to = picture.servers[move.to];
    const absl::Status status = cluster_->Move(region, to, most_ms > 0 ? std::optional(left_ms) : std::nullopt);
    if (status.ok()) {
      spdlog::info("balancer: region={} from={} to={} reason={}", region, from, to, move.reason);
      ++executed;
      Count(&BalancerCounters::moves);
    } else {
      spdlog::warn("balancer: region={} from={} to={} error={}", region, from, to, status.ToString());
      Count(&BalancerCounters::failed_moves);
    }
  }
  return executed;
}

}  // namespace vaquita
