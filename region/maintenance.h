// region/maintenance.h: the background upkeep of a set of regions: flushes, compactions, and asking for splits.
//
// Flush when a region's memstores pass its flush size, or, largest region first, when all together pass the global limit; minor
// compaction when the policy selects files; major compaction when its period (with jitter) is over. Small and large compactions have their own
// threads, as HBase's throttle does. A split is only asked for, by `want_split`, because meta must change with it.
// Threads: a fixed number from Options, none per region; idle regions cost nothing but the periodic check.
#pragma once

#include <functional>
#include <memory>
#include <string_view>

#include "region/region.h"

namespace vaquita {

class Maintenance {
 public:
  using WantSplit = std::function<void(std::shared_ptr<Region>)>;
  // `db` outlives the Maintenance.
  static std::unique_ptr<Maintenance> Start(StoreDb* db, WantSplit want_split);
  virtual ~Maintenance() = default;  // stops: running work ends first, queued work is dropped

  // Regions to look after. Remove waits until no work is running on the region.
  virtual void Add(std::shared_ptr<Region> region) = 0;
  virtual void Remove(const std::shared_ptr<Region>& region) = 0;
  // A write went to `region`: cheap; queues a flush if it has become due.
  virtual void AfterWrite(const std::shared_ptr<Region>& region) = 0;
  // Queues a compaction that was asked for. `family` empty: all.
  virtual void RequestCompaction(std::shared_ptr<Region> region, CompactionKind kind, std::string_view family) = 0;
  // Waits until nothing is queued or running. For tests, benchmarks and the demo.
  virtual void WaitIdle() = 0;
};

}  // namespace vaquita
