// server/master/master_metrics.h: the counters and gauges of a master, as plain data. Counters are since its start.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "model/cluster_status.h"
#include "model/region_info.h"
#include "server/master/assignment/assignment_counters.h"
#include "server/master/cluster_balancer.h"
#include "server/master/cluster_normalizer.h"
#include "server/master/meta/catalog.h"

namespace vaquita {

struct MasterMetrics {
  struct Server {
    std::string name;  // "host,port,startcode"
    bool live = true;  // else it is dead, and its regions are being recovered
    bool draining = false;
    int64_t heartbeat_age_ms = 0;  // since its last report; 0 of a server in the master's process
  };

  // A region on its way.
  struct Transition {
    RegionInfo info;
    RegionState state = RegionState::kOffline;
    std::string server;  // where it is opening or closing; else empty
    int64_t for_ms = 0;  // the time since it left
  };
  static constexpr size_t kMostTransitions = 100;

  bool initialized = false;
  bool writes_work = true;
  int64_t epoch = 0;
  int64_t backup_masters = 0;
  std::vector<Server> servers;
  Catalog::RegionCounts regions;
  std::map<TableState, int64_t> tables;
  int64_t unreadable_meta_rows = 0;  // that the start passed over
  int64_t regions_in_transition = 0;
  int64_t oldest_transition_ms = 0;     // the time of the longest
  std::vector<Transition> transitions;  // the first kMostTransitions of them
  int64_t running_procedures = 0;
  int64_t stuck_procedures = 0;  // those that have run for ProcedureExecutor::kStuckMs
  AssignmentCounters assignment;
  bool balancer_on = true;
  BalancerCounters balancer;
  bool normalizer_on = true;
  NormalizerCounters normalizer;
};

}  // namespace vaquita
