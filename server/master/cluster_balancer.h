// server/master/cluster_balancer.h: runs the balancer: observes the load of regions, plans, and moves.
//
// The plans themselves are pure functions (server/master/balancer/). Moves are made one after the other, so that one
// region at a time is offline, until hbase.balancer.max.balancing is over; the next run does the rest. Threads: any;
// one run at a time. Source: HMaster.balance, executeRegionPlansWithThrottling, BalancerChore, ClusterStatusChore
// (2.6).
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/clock.h"
#include "base/options.h"
#include "model/balance_request.h"
#include "model/balancer_record.h"
#include "model/cluster_status.h"
#include "server/master/balancer/balance_plan.h"
#include "server/master/balancer/balancer_conditions.h"
#include "server/master/balancer/cluster_picture.h"
#include "server/master/balancer/load_history.h"

namespace vaquita {

// Since the master's start.
struct BalancerCounters {
  int64_t runs = 0;  // runs that looked for a plan, dry ones included
  int64_t run_ms = 0;
  int64_t moves = 0;
  int64_t failed_moves = 0;
  std::array<int64_t, balancer::kBalancerObstacles> skips = {};  // by the obstacle
};

class ClusterBalancer {
 public:
  // The period of Observe: hbase.balancer.statusPeriod's default.
  static constexpr int64_t kObservePeriodMs = 60'000;

  // The part of the master that it needs. Threads: any.
  class Cluster {
   public:
    virtual ~Cluster() = default;
    virtual balancer::BalancerConditions Conditions() const = 0;
    // Returns the regions of enabled tables that are open or opening, without their loads.
    virtual std::vector<balancer::PlacedRegion> Regions() const = 0;
    // Returns the last reports of servers that may get regions: online ones that are not being emptied.
    virtual std::vector<ServerMetrics> Reports() const = 0;
    // Moves a region, by its encoded name, and waits until it is served there, `at_most_ms` at most.
    virtual absl::Status Move(const std::string& region, const std::string& server,
                              std::optional<int64_t> at_most_ms) = 0;
  };

  // All outlive it.
  ClusterBalancer(Cluster* cluster, const Options* options, Clock* clock)
      : cluster_(cluster), options_(options), clock_(clock) {}

  // Remembers the servers' reports, unless there is one server, or the last time was less than a second ago, because
  // the load is the difference between two reports.
  void Observe();
  // Makes one run, unless another one is under way. Returns an error if there is no balancer of the configured class.
  absl::StatusOr<BalanceAnswer> Run(const BalanceRequest& request);
  // Called every TickPeriod(): observes, and runs when a period is over.
  void Tick();
  std::chrono::milliseconds TickPeriod() const;
  BalancerCounters counters() const;
  // Returns the last plan that was carried out, with its reasons, as BalanceAnswer's text; empty: there was none.
  std::string last_plan() const;
  // Return the last runs, the latest first: those with a plan, dry ones included, and those without one.
  std::vector<BalancerDecision> Decisions(int64_t limit) const;
  std::vector<BalancerRejection> Rejections(int64_t limit) const;
  // Makes a present run stop moving regions.
  void Stop() { stopping_ = true; }

 private:
  void Observe(const std::vector<ServerMetrics>& reports);
  balancer::ClusterPicture TakePicture(const std::vector<ServerMetrics>& reports);
  void Record(const balancer::ClusterPicture& picture, const balancer::BalancePlan& plan);
  int64_t CarryOut(const balancer::ClusterPicture& picture, const balancer::BalancePlan& plan);
  void Count(int64_t BalancerCounters::*counter, int64_t by = 1);

  Cluster* const cluster_;
  const Options* const options_;
  Clock* const clock_;
  int64_t ticks_ = 0;  // ticks since the last run
  std::atomic<bool> stopping_{false};
  std::mutex run_mutex_;
  mutable std::mutex counters_mutex_;
  BalancerCounters counters_;                 // under counters_mutex_
  std::string last_plan_;                     // likewise
  std::deque<BalancerDecision> decisions_;    // likewise, the oldest first
  std::deque<BalancerRejection> rejections_;  // likewise
  std::mutex history_mutex_;
  int64_t observed_ms_ = 0;        // under history_mutex_
  balancer::LoadHistory history_;  // under history_mutex_
};

}  // namespace vaquita
