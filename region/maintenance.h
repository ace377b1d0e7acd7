// region/maintenance.h: the background upkeep of a set of regions: flushes, compactions, and requests for splits.
//
// It flushes a region when its memstores pass its flush size, and the largest regions first when all memstores together
// pass the global limit. It runs a minor compaction when the policy selects files, and a major one when its period
// (with jitter) is over. A region whose store has too many files is flushed after a compaction, or after a time;
// meanwhile its memstores grow, up to the size at which it refuses writes. Small and large compactions have their own
// threads, as with HBase's throttle. Splits are requested by `want_split`, because meta must change with them. Threads:
// a fixed number from Options; an idle region costs only the periodic check. Source: MemStoreFlusher, CompactSplit,
// HRegionServer's CompactionChecker and PeriodicMemStoreFlusher (2.6).
#pragma once

#include <functional>
#include <memory>
#include <string_view>

#include "region/region.h"

namespace vaquita {

// The compactions of a region that are queued or running.
struct CompactionsUnderWay {
  bool minor = false;
  bool major = false;
};

class Maintenance {
 public:
  using WantSplit = std::function<void(std::shared_ptr<Region>)>;
  // `db` outlives the Maintenance. `want_split` (may be null) is called from a background thread, with no work running
  // on the region.
  static std::unique_ptr<Maintenance> Start(StoreDb* db, WantSplit want_split);
  virtual ~Maintenance() = default;  // waits for running work, and drops queued work

  // Add and Remove choose the regions. Remove interrupts compactions, and waits until no work is running on the region.
  virtual void Add(std::shared_ptr<Region> region) = 0;
  virtual void Remove(const std::shared_ptr<Region>& region) = 0;
  // Called after a write to `region`; cheap. Queues a flush if one is due. While all memstores are at the global limit
  // it waits. While the region's flush waits for a compaction it delays the writer, longer the nearer the region is to
  // refusing writes. If `short_waits` (base/call_context.h) it never waits, and the writer asks DelaysWriters first.
  virtual void AfterWrite(const std::shared_ptr<Region>& region, bool short_waits) = 0;
  void AfterWrite(const std::shared_ptr<Region>& region) { AfterWrite(region, /*short_waits=*/false); }
  // Returns whether AfterWrite would wait now.
  virtual bool DelaysWriters(const Region& region) const = 0;
  // Called after a flush of `region` by others. Queues a compaction if one is due.
  virtual void AfterFlush(const std::shared_ptr<Region>& region) = 0;
  // Queues a compaction that a user asked for. An empty `family` means all families.
  virtual void RequestCompaction(std::shared_ptr<Region> region, CompactionKind kind, std::string_view family) = 0;
  virtual CompactionsUnderWay Compactions(const Region& region) const = 0;
  // Turns compactions on or off. While they are off none begins, not even one that a user asks for. Returns whether
  // they were on.
  virtual bool SwitchCompactions(bool on) = 0;
  // The periodic check, now: queues the flushes and compactions that are due by the clock.
  virtual void CheckNow() = 0;
  // Waits until nothing is queued or running (the periodic check aside). For tests, benchmarks and the demo.
  virtual void WaitIdle() = 0;
};

}  // namespace vaquita
