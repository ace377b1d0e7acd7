// server/regionserver/moved_regions.h: where the regions went that moved away from a server, for clients that still ask
// it.
//
// Kept for two minutes, as HBase does. Threads: any. Source: HRegionServer.movedRegionInfoCache (2.6).
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
  void Remove(const RegionInfo& region);  // it is back
  // By encoded or full name; false if it is not known to have moved.
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
