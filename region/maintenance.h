// region/maintenance.h: the background upkeep of a set of regions: flushes, compactions, and asking for splits.
//
// Flush when a region's memstores pass its flush size, or, largest region first, when all together pass the global
// limit; minor compaction when the policy selects files; major compaction when its period (with jitter) is over. A
// region whose store has too many files is flushed after a compaction, or after a time; meanwhile its memstores grow,
// up to the size at which it refuses writes. Small and large compactions have their own threads, as HBase's throttle
// does. A split is only asked for, by `want_split`, because meta must change with it. Threads: a fixed number from
// Options, none per region; idle regions cost nothing but the periodic check. Source: MemStoreFlusher, CompactSplit,
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
  virtual ~Maintenance() = default;  // stops: running work ends first, queued work is dropped

  // Regions to look after. Remove interrupts compactions, and waits until no work is running on the region.
  virtual void Add(std::shared_ptr<Region> region) = 0;
  virtual void Remove(const std::shared_ptr<Region>& region) = 0;
  // A write went to `region`: cheap; queues a flush if it has become due. While all memstores are at the global limit
  // it waits, and while the region's flush waits for a compaction it is slow, more so the nearer the region is to
  // refusing writes.
  virtual void AfterWrite(const std::shared_ptr<Region>& region) = 0;
  // Returns whether AfterWrite waits now. It does not on a thread whose waits are short (base/short_waits.h): such a
  // thread asks first.
  virtual bool DelaysWriters(const Region& region) const = 0;
  // Somebody flushed `region`: queues a compaction if one has become due.
  virtual void AfterFlush(const std::shared_ptr<Region>& region) = 0;
  // Queues a compaction that was asked for. `family` empty: all.
  virtual void RequestCompaction(std::shared_ptr<Region> region, CompactionKind kind, std::string_view family) = 0;
  virtual CompactionsUnderWay Compactions(const Region& region) const = 0;
  // While compactions are off none begins, whoever asks for it. Returns whether they were on.
  virtual bool SwitchCompactions(bool on) = 0;
  // The periodic check, now: queues the flushes and compactions that are due by the clock.
  virtual void CheckNow() = 0;
  // Waits until nothing is queued or running (the periodic check aside). For tests, benchmarks and the demo.
  virtual void WaitIdle() = 0;
};

}  // namespace vaquita
