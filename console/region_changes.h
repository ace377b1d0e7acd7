// console/region_changes.h: the splits, merges, openings and closings between two lists of a server's regions.
//
// A split closes its parent a moment before its daughters are served. So a region that went is remembered for kWaitMs,
// in case others of its rows come. Threads: one at a time.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "console/event_log.h"
#include "model/region_info.h"

namespace vaquita {

class RegionChanges {
 public:
  static constexpr int64_t kWaitMs = 3'000;
  using Regions = std::map<std::string, RegionInfo>;  // by encoded name

  // Returns what happened until `now_ms`. The first call only remembers.
  std::vector<ConsoleEvent> Update(const Regions& regions, int64_t now_ms);
  // The closings that are certain by now.
  std::vector<ConsoleEvent> Closed(int64_t now_ms);
  bool waits() const { return !gone_.empty(); }

 private:
  struct Gone {
    RegionInfo info;
    int64_t time_ms;
  };

  bool TakeSplit(const RegionInfo& daughter, Regions* come, int64_t now_ms, std::vector<ConsoleEvent>* events);
  bool TakeMerge(const RegionInfo& merged, int64_t now_ms, std::vector<ConsoleEvent>* events);

  bool first_ = true;
  Regions regions_;
  std::map<std::string, Gone> gone_;
};

}  // namespace vaquita
