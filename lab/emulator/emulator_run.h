// lab/emulator/emulator_run.h: one run of the emulator: the clock, the events and their effects.
//
// lab/emulator/emulator_run.cc has the clock, the inflow and the time line, emulator_flushes.cc the memstores,
// emulator_compactions.cc the store files, emulator_regions.cc splits and the balancer, emulator_cache.cc the hits of
// the block cache. Threads: one.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <queue>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "lab/emulator/block_cache_model.h"
#include "lab/emulator/cell_sizes.h"
#include "lab/emulator/emulated_cluster.h"
#include "lab/emulator/emulation.h"
#include "lab/emulator/event_queue.h"
#include "model/compaction_policy.h"

namespace vaquita::lab {

class EmulatorRun {
 public:
  // All arguments outlive the run, and make sense.
  EmulatorRun(const EmulatedCluster& cluster, const EmulatedLoad& load, const KeySample& sample,
              const SplitKeys& splits, std::function<void(double)> progress);
  Emulation Run();

 private:
  enum class EventKind : uint8_t {
    kRegionAlarm,     // inflow changes, or a memstore reaches a size or an age
    kFlushDone,       // target: region
    kFlushDeadline,   // a flush that was put off has waited long enough
    kCompactionDone,  // target: index in running_
    kSplitDone,
    kMoveDone,         // target: region; number: to which server
    kCompactionCheck,  // target: server
    kBalance,
    kSnapshot,
  };
  struct Event {
    double time_ms;
    uint64_t sequence;  // events of one time happen in the order in which they were set
    EventKind kind;
    uint32_t target;
    uint32_t number;
    friend bool operator>(const Event& a, const Event& b) {
      return a.time_ms != b.time_ms ? a.time_ms > b.time_ms : a.sequence > b.sequence;
    }
  };

  // The clock (emulator_run.cc)
  void Begin(const SplitKeys& splits);
  void At(double time_ms, EventKind kind, uint32_t target, uint32_t number = 0);
  void Handle(const Event& event);
  // Return the number of the sample's points that have arrived by `time_ms`, and the time of point n.
  uint32_t PointsUntil(double time_ms) const;
  double ArrivalTime(uint32_t point) const { return (point + 1) * point_ms_; }
  double Random() { return std::uniform_real_distribution<double>(0, 1)(random_); }

  // Inflow (emulator_run.cc)
  EmulatedRegion* AddRegion(RankRange ranks, std::string start_key, uint32_t server);
  void Sync(EmulatedRegion* region);
  void SyncServer(EmulatedServer* server);
  void UpdateGrowth(EmulatedRegion* region);
  void TakeRecords(EmulatedRegion* region, double records, double from_ms);
  bool Fills(const EmulatedRegion& region) const;  // its memstores accept new records
  void NextPiece(EmulatedRegion* region);
  void SetAlarm(EmulatedRegion* region);
  void OnAlarm(EmulatedRegion* region);
  void TakeSnapshot();
  void FinishReports(Emulation* emulation);
  bool TakesNoMore(const EmulatedRegion& region) const;

  // Memstores (emulator_flushes.cc)
  double MemstoreBytes(const EmulatedRegion& region) const;  // heap; with what is being flushed
  double UnflushedBytes(const EmulatedRegion& region) const;
  double PeriodicFlushTime(const EmulatedRegion& region) const;
  void CheckMemstores(EmulatedRegion* region);
  void CheckServerMemstores(EmulatedServer* server);
  void FlushForServer(EmulatedServer* server);
  void RequestFlush(EmulatedRegion* region);
  void RunFlushes(EmulatedServer* server);
  bool PutOff(EmulatedRegion* region);
  std::vector<uint32_t> StoresToFlush(const EmulatedRegion& region) const;
  void BeginFlush(EmulatedRegion* region);
  void OnFlushDone(EmulatedRegion* region);
  void ResumeFlush(EmulatedRegion* region);  // resumes one that was put off
  // Writes `records` of the store to a new file, all at once. Returns its bytes.
  double AddFlushedFile(EmulatedRegion* region, uint32_t store, double records, double until_ms);
  void CountFlush(EmulatedRegion* region, double bytes);
  void FlushForClose(EmulatedRegion* region);
  void BlockRegion(EmulatedRegion* region, bool blocked);
  void BlockServer(EmulatedServer* server, bool blocked);
  void ReleaseBacklog(EmulatedRegion* region);

  // Store files (emulator_compactions.cc)
  // Takes the store's files out of all counts (-1), or puts them in (1): around every change of them.
  void CountFiles(EmulatedRegion* region, const EmulatedStore& store, int sign);
  bool HasTooManyFiles(const EmulatedRegion& region) const;
  int64_t Priority(const EmulatedStore& store) const;
  int64_t Priority(const EmulatedRegion& region) const;
  bool NeedsCompaction(const EmulatedStore& store) const;
  void RequestCompaction(EmulatedRegion* region, uint32_t store);
  void Enqueue(EmulatedRegion* region, uint32_t store, std::priority_queue<QueuedCompaction>* queue);
  void RequestDueCompactions(EmulatedRegion* region);
  void RunCompactions(EmulatedServer* server);
  void RunOneCompaction(EmulatedServer* server, bool large_thread);
  CompactionSelection Select(EmulatedRegion* region, uint32_t store);
  void DropExpiredFiles(EmulatedRegion* region, uint32_t store);
  void BeginCompaction(EmulatedServer* server, const QueuedCompaction& queued, const CompactionSelection& selection,
                       double bytes, bool large_thread);
  double CompactionCheckMs() const;
  void SetCompactionCheck(uint32_t server);
  double CompactionSpeed(EmulatedServer* server);
  void OnCompactionDone(uint32_t running);
  void FinishCompaction(const RunningCompaction& compaction, uint32_t slot);
  EmulatedFile Compacted(const EmulatedRegion& region, std::span<const EmulatedFile> files) const;
  double LiveShare(const EmulatedRegion& region, const EmulatedFile& file) const;
  void AfterCompaction(EmulatedRegion* region, uint32_t store);
  void CancelCompactions(EmulatedRegion* region);
  void OnCompactionCheck(uint32_t server);
  bool MajorIsDue(const EmulatedStore& store);

  // Regions (emulator_regions.cc)
  double SplitBytes(const EmulatedRegion& region) const;
  bool IsLargeEnoughToSplit(const EmulatedRegion& region) const;
  // Returns the rank at which the region is cut in two; 0 if it cannot be split.
  uint32_t MidRank(const EmulatedRegion& region) const;
  uint32_t MidRank(const EmulatedRegion& region, const EmulatedStore& store) const;
  bool RequestSplit(EmulatedRegion* region);
  void TakeOffline(EmulatedRegion* region);
  void PutOnline(EmulatedRegion* region);
  void OnSplitDone(uint32_t parent, uint32_t mid_rank);
  // Adds a half of `parent`, with `share` of the parent's pending records.
  EmulatedRegion* AddDaughter(const EmulatedRegion& parent, RankRange ranks, std::string start_key, double share);
  double ShareOfComing(const EmulatedRegion& region, RankRange ranks) const;
  double RecordsAhead(const EmulatedRegion& region) const;
  void InheritFiles(const EmulatedRegion& parent, EmulatedRegion* daughter);
  void SetBalance();
  void Balance();
  EmulatedRegion* RegionToMove(const EmulatedServer& server);
  void OnMoveDone(EmulatedRegion* region, uint32_t to);
  void AddToServer(EmulatedRegion* region, uint32_t server);
  void RemoveFromServer(EmulatedRegion* region);

  // Reads (emulator_cache.cc)
  double CacheHitRatio(const EmulatedServer& server) const;
  bool IsInOrder(const EmulatedRegion& region, const EmulatedFile& file) const;
  void AddLatest(const EmulatedRegion& region, const EmulatedFile& file, double blocks,
                 std::vector<BlockGroup>* groups) const;
  void SpreadPopular(const BlockGroup& even, std::vector<BlockGroup>* groups) const;

  const EmulatedCluster& cluster_;
  const HBaseSettings& settings_;
  const EmulatedLoad& load_;
  const KeySample& sample_;
  const std::function<void(double)> progress_;

  // Values that follow from the arguments.
  std::vector<RecordSize> sizes_;  // by family
  double memstore_per_record_ = 0;
  double flush_bytes_ = 0;
  double max_file_bytes_ = 0;
  double blocking_bytes_ = 0;
  double global_limit_ = 0;
  double global_low_mark_ = 0;
  double records_per_point_ = 0;
  double point_ms_ = 0;
  uint32_t points_per_piece_ = 1;
  CompactionPolicy compaction_policy_;
  double throttle_bytes_ = 0;

  double now_ms_ = 0;
  uint64_t sequence_ = 0;
  EventQueue<Event> events_;
  std::mt19937_64 random_{42};
  std::deque<EmulatedRegion> regions_;  // stay where they are as others come
  std::vector<EmulatedServer> servers_;
  std::vector<RunningCompaction> running_;
  std::vector<uint32_t> free_running_;
  std::vector<CompactionCandidate> candidates_;  // Select()'s own

  int64_t initial_regions_ = 0;
  EmulatedCounts total_;
  std::vector<EmulatedMoment> timeline_;
  double settled_ms_ = 0;
};

}  // namespace vaquita::lab
