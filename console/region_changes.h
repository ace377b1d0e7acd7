// console/region_changes.h: finds splits, merges, openings and closings between two lists of a server's regions.
//
// A split closes its parent a moment before its daughters are served. So a closed region is remembered for kWaitMs, in
// case regions with its rows open. A call takes n log n time for n regions that come and go. Threads: one at a time.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "console/event_log.h"
#include "model/region_info.h"

namespace vaquita {

class RegionChanges {
 public:
  static constexpr int64_t kWaitMs = 3'000;
  using Regions = std::map<std::string, RegionInfo>;  // by encoded name

  // Returns the events since the last call. The first call only remembers the regions.
  std::vector<ConsoleEvent> Update(const Regions& regions, int64_t now_ms);
  // Returns the closings that are certain by now.
  std::vector<ConsoleEvent> Closed(int64_t now_ms);
  bool waits() const { return !gone_.empty(); }

 private:
  struct Gone {
    RegionInfo info;
    int64_t time_ms;
  };
  // A region's table, start key and encoded name: splits and merges are found by where regions begin.
  using Place = std::tuple<TableName, std::string, std::string>;

  static Place PlaceOf(const std::string& name, const RegionInfo& region) {
    return {region.table, region.start_key, name};
  }
  bool TakeSplit(const RegionInfo& lower, std::map<Place, RegionInfo>* come, int64_t now_ms,
                 std::vector<ConsoleEvent>* events);
  bool TakeMerge(const RegionInfo& merged, int64_t now_ms, std::vector<ConsoleEvent>* events);

  bool first_ = true;
  Regions regions_;
  std::map<Place, Gone> gone_;
};

}  // namespace vaquita
