// server/regionserver/moved_regions.h: the new servers of regions that moved away, for clients that still ask here.
//
// They are kept for two minutes, as in HBase. Threads: any. Source: HRegionServer.movedRegionInfoCache (2.6).
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "model/region_info.h"
#include "model/server_name.h"

namespace vaquita {

class MovedRegions {
 public:
  explicit MovedRegions(const Clock* clock) : clock_(clock) {}  // `clock` outlives it

  void Add(const RegionInfo& region, const ServerName& destination);
  void Remove(const RegionInfo& region);  // the region is back
  // Finds the new server by encoded or full name. Returns false if the region is not known to have moved.
  bool Find(std::string_view region, ServerName* destination) const;

 private:
  struct Move {
    ServerName destination;
    int64_t at_ms = 0;
  };
  bool IsOver(const Move& move) const;

  const Clock* const clock_;
  mutable std::mutex mutex_;
  std::map<std::string, Move, std::less<>> moves_;  // by encoded name
};

}  // namespace vaquita
