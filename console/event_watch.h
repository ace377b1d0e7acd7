// console/event_watch.h: finds the events of a process's regions, stores and servers, five times a second.
//
// Where nothing happened it costs two reads of counters, however many regions the server has. Threads: CollectEvents
// from one at a time; Start makes a thread that calls it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/chore.h"
#include "console/console_source.h"
#include "console/event_log.h"
#include "console/region_changes.h"
#include "model/store_metrics.h"

namespace vaquita {

class Region;

class EventWatch {
 public:
  // Both outlive it.
  EventWatch(const ConsoleSource* source, EventLog* log) : source_(*source), log_(*log) {}
  void Start();
  void CollectEvents();

 private:
  // A region and its stores as they were when events were last collected.
  struct Watched {
    std::weak_ptr<Region> region;
    std::string name;
    std::map<std::string, StoreMetrics> stores;  // by family
  };

  void CollectRegionEvents(RegionServer* server, int64_t now_ms);
  void CollectStoreEvents(RegionServer* server, int64_t now_ms);
  void CollectMasterEvents(Master* master, int64_t now_ms);
  std::string NewReasons(const std::string& plan);

  const ConsoleSource& source_;
  EventLog& log_;
  RegionChanges changes_;
  std::string server_;  // the name of the server of the members below: another life has another name
  int64_t regions_version_ = -1;
  StoreDbMetrics stores_;
  bool look_again_ = false;
  std::vector<Watched> regions_;
  bool master_seen_ = false;
  std::set<std::string> servers_;
  int64_t balancer_moves_ = 0;
  std::string shown_plan_;
  int64_t master_checked_ms_ = 0;
  std::unique_ptr<Chore> chore_;
};

}  // namespace vaquita
