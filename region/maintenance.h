// region/maintenance.h: the background upkeep of a set of regions: flushes, compactions, and requests for splits.
//
// It flushes a region when its memstores pass its flush size, or when reads pass so many dead versions there that a
// flush is cheaper, and the largest regions first when all memstores together pass the global limit. It runs a minor
// compaction when the policy selects files, and a major one when its period (with jitter) is over. A region whose store
// has too many files is flushed after a compaction, or after a time; meanwhile its memstores grow, up to the size at
// which it refuses writes. Small and large compactions have their own threads, as with HBase's throttle. Splits are
// requested by `want_split`, because meta must change with them. Threads: a fixed number from Options; an idle region
// costs only the periodic check. Source: MemStoreFlusher, CompactSplit, HRegionServer's CompactionChecker and
// PeriodicMemStoreFlusher (2.6).
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/task_pool.h"
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
  Maintenance(StoreDb* db, WantSplit want_split);
  ~Maintenance();  // interrupts compactions, waits for running work, and drops queued work

  // Add and Remove choose the regions. Remove interrupts compactions, and waits until no work is running on the region.
  void Add(std::shared_ptr<Region> region);
  void Remove(const std::shared_ptr<Region>& region);
  // Called after a write to `region`; cheap. Queues a flush if one is due. While all memstores are at the global limit
  // it waits. While the region's flush waits for a compaction it delays the writer, longer the nearer the region is to
  // refusing writes. If `short_waits` (base/call_context.h) it never waits, and the writer asks DelaysWriters first.
  void AfterWrite(const std::shared_ptr<Region>& region, bool short_waits = false);
  // Returns whether AfterWrite would wait now.
  bool DelaysWriters(const Region& region) const;
  // Called after a flush of `region` by others. Queues a compaction if one is due.
  void AfterFlush(const std::shared_ptr<Region>& region);
  // Queues a flush if the region's memstores have more than `bytes`.
  void FlushIfOver(const std::shared_ptr<Region>& region, int64_t bytes);
  // Queues a compaction that a user asked for. An empty `family` means all families.
  void RequestCompaction(std::shared_ptr<Region> region, CompactionKind kind, std::string_view family);
  CompactionsUnderWay Compactions(const Region& region) const;
  // Turns compactions on or off. While they are off none begins, not even one that a user asks for. Returns whether
  // they were on.
  bool SwitchCompactions(bool on) { return compactions_on_.exchange(on); }
  // Ends the compactions of all regions, also those that others run, and lets none begin: the server stops.
  void InterruptCompactions();
  // The periodic check, now: queues the flushes and compactions that are due by the clock.
  void CheckNow() { CheckAll(/*compactions_too=*/true); }
  // Waits until nothing is queued or running (the periodic check aside). For tests, benchmarks and the demo.
  void WaitIdle();

 private:
  // A region under maintenance. All but `region` and `name` is guarded by mutex_.
  struct Entry {
    std::shared_ptr<Region> region;
    std::string name;  // encoded
    bool removed = false;
    int running = 0;            // tasks at work on it
    bool flush_queued = false;  // or running, or waiting for a compaction
    bool flushing = false;
    bool flush_waits = false;  // for a compaction
    std::chrono::steady_clock::time_point flush_waits_since;
    std::set<std::pair<std::string, CompactionKind>> queued_compactions;  // family, as asked
    int minor_compactions = 0;                                            // queued or running
    int major_compactions = 0;
    int64_t memstore_since_ms = 0;  // since when the periodic check has seen cells in its memstores; 0: it has not
  };
  using EntryPtr = std::shared_ptr<Entry>;

  const Options& options() const { return db_->options(); }
  EntryPtr Find(const Region* region) const;
  EntryPtr FindLocked(const Region* region) const;
  std::vector<EntryPtr> Entries() const;
  std::vector<std::shared_ptr<Store>> StoresOf(const Entry& entry) const;
  int64_t MemstoreBytes(const Entry& entry) const;

  // Runs `work` as a task: it counts as pending until it has run, and is dropped if its region is removed before.
  void Post(TaskPool* pool, EntryPtr entry, std::function<void()> work, std::chrono::milliseconds delay = {});
  bool BeginWork(Entry* entry);
  void EndWork(Entry* entry);

  void QueueFlush(const EntryPtr& entry);
  void PostFlush(const EntryPtr& entry, std::chrono::milliseconds delay);
  void FlushOrWait(const EntryPtr& entry);
  bool HasTooManyFiles(const Entry& entry) const;
  bool MustWaitForCompaction(const EntryPtr& entry);
  void FlushNow(const EntryPtr& entry);
  void QueueGlobalFlush();
  void FlushLargestUntilBelow();
  EntryPtr LargestToFlush();
  void WaitForGlobalLimit(bool short_waits);
  void SlowDown(const Entry& entry);

  void QueueDueCompactions(const EntryPtr& entry);
  // `asked`: kMinor leaves the kind to the policy when the compaction begins. `kind` is the kind as it looks now.
  void QueueCompaction(const EntryPtr& entry, const std::string& family, CompactionKind asked, CompactionKind kind);
  void RunCompaction(const EntryPtr& entry, const std::string& family, CompactionKind asked, CompactionKind kind);
  void AskForSplit(const EntryPtr& entry);

  // Looks after the nonces and the notes, which no region's flush or compaction takes along.
  void CheckSharedStores();
  bool RegionsNeedLog() const;

  void PostTick();
  void Tick();
  void CheckAll(bool compactions_too);
  void CheckMemstoreAge(const EntryPtr& entry, int64_t now_ms);

  StoreDb* const db_;
  const WantSplit want_split_;
  const int64_t global_low_bytes_;

  mutable std::mutex mutex_;
  std::condition_variable changed_;  // work ended, or memstores shrank
  std::unordered_map<const Region*, EntryPtr> entries_;
  std::map<TableName, int> table_regions_;
  int64_t pending_ = 0;  // tasks queued or running, the tick aside
  bool global_flush_queued_ = false;
  bool stopping_ = false;
  std::atomic<bool> compactions_on_ = true;
  int64_t ticks_ = 0;  // the tick's own
  std::atomic<bool> shared_work_queued_ = false;
  std::atomic<int64_t> log_bytes_at_shared_flush_ = 0;  // written until then

  TaskPool flushes_;  // the tick runs here too
  TaskPool small_compactions_;
  TaskPool large_compactions_;
};

}  // namespace vaquita
