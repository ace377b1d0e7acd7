// lab/emulator/emulated_cluster.h: the state of regions, servers and their files in a running emulation.
//
// Records are counted as fractions: a point of the sample stands for many, which arrive one after the other. Times are
// milliseconds since the start. Threads: the emulation's own.
#pragma once

#include <cstdint>
#include <deque>
#include <limits>
#include <queue>
#include <string>
#include <vector>

#include "lab/emulator/emulation.h"
#include "lab/emulator/key_time_index.h"

namespace vaquita::lab {

inline constexpr double kNever = std::numeric_limits<double>::infinity();
inline constexpr int64_t kPriorityUser = 1;    // Store.PRIORITY_USER
inline constexpr double kBlockBytes = 65'536;  // a store file's block before compression

struct EmulatedFile {
  double bytes = 0;
  ArrivalRange arrivals;      // its cells are those that came to its region between these points
  double created_ms = 0;      // time of the flush or compaction; for a reference, its file's
  double newest_cell_ms = 0;  // for the TTL
  bool reference = false;     // refers to one half of a parent's file
  uint32_t compaction = 0;    // 1 + index in EmulatorRun::running_ of the compaction that reads it; 0: none
  bool compacting() const { return compaction != 0; }
};

struct EmulatedStore {
  std::vector<EmulatedFile> files;  // from oldest to newest
  double memstore = 0;              // records since the last flush
  double flushing = 0;              // records that a flush is writing
  double oldest_ms = kNever;        // the oldest record in the memstore
  double flushed_until_ms = 0;      // earlier records are in files, or being written to one
  double flush_began_ms = 0;
  double major_period_ms = 0;
  bool compaction_queued = false;
  int64_t queued_priority = 0;     // the request that counts; older ones, which are less urgent, stay in the queue too
  double references_until_ms = 0;  // compacted references are archived at this time
};

struct EmulatedRegion {
  uint32_t id = 0;
  std::string start_key;
  RankRange ranks;
  uint32_t server = 0;
  uint32_t place_on_server = 0;  // in EmulatedServer::regions
  bool retired = false;          // it was split
  bool online = false;
  double max_file_bytes = 0;  // with its jitter
  std::vector<EmulatedStore> stores;

  // Inflow: from piece_start to piece_end `rate` records a millisecond, which are the points of the sample from
  // next_point to piece_points_end, as they arrive in `ranks`.
  uint32_t next_point = 0;
  uint32_t piece_points_end = 0;
  double ahead = 0;  // records of the piece that came before its points did, at its start
  double piece_start = 0;
  double piece_end = 0;
  double rate = 0;
  double growth = 0;        // its share of the server's growth, heap bytes a millisecond
  double usual_gap_ms = 0;  // between two of its points
  double synced_ms = 0;
  double backlog = 0;  // records that wait because writes are blocked, or the region is away
  uint32_t alarm = 0;  // only the newest alarm that was set counts

  bool over_blocking_size = false;
  double blocked_since_ms = 0;
  double periodic_delay_ms = 0;  // delay of its next periodic flush
  bool flush_queued = false;     // or running, or put off
  bool flushing = false;
  double flush_done_ms = 0;
  bool flush_put_off = false;  // waits until its stores have fewer files, at most until flush_deadline_ms
  double flush_deadline_ms = 0;

  EmulatedCounts counts;
  double records_at_snapshot = 0;
  double hottest_share = 0;
  double hottest_ratio = 0;
  double last_write_ms = -1;
};

struct QueuedCompaction {
  int64_t priority = 0;  // HBase's: the fewer files until the store blocks, the sooner
  uint64_t sequence = 0;
  uint32_t region = 0;
  uint32_t store = 0;
  friend bool operator<(const QueuedCompaction& a, const QueuedCompaction& b) {  // for a queue with the first on top
    return a.priority != b.priority ? a.priority > b.priority : a.sequence > b.sequence;
  }
};

struct EmulatedServer {
  std::vector<uint32_t> regions;
  // Memstores of all its regions: heap bytes at synced_ms, and how many a millisecond they grow by.
  double memstore_bytes = 0;
  double growth = 0;
  double synced_ms = 0;
  bool over_global_limit = false;
  double blocked_since_ms = 0;

  std::deque<uint32_t> flush_queue;  // regions
  int flushes_running = 0;

  std::priority_queue<QueuedCompaction> small_compactions;
  std::priority_queue<QueuedCompaction> large_compactions;
  int small_running = 0;
  int large_running = 0;
  double compaction_bytes_per_s = 0;  // the last tuned limit
  double tuned_ms = -kNever;
  std::vector<int32_t> stores_with;  // number of files -> number of stores with so many

  EmulatedServerReport report;
  double records_at_snapshot = 0;
};

struct RunningCompaction {
  uint32_t region = 0;
  uint32_t store = 0;
  uint32_t server = 0;
  uint32_t files = 0;  // 0: it has ended
  bool large = false;  // it has a thread for large ones
  bool major = false;
  bool cancelled = false;  // its region split or moves
};

}  // namespace vaquita::lab
