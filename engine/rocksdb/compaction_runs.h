// engine/rocksdb/compaction_runs.h: tells RocksDB's callbacks what the compaction that calls them may drop.
//
// RocksDB makes a compaction's filter and output files in the thread that called CompactFiles, and does not pass on the
// caller's intent: of the callbacks only the filter's knows whether a flush or a compaction calls it. So a database
// keeps its running compactions by their threads, and gives its callbacks this list. Threads: any.
#pragma once

#include <atomic>
#include <map>
#include <mutex>
#include <optional>
#include <thread>

#include "engine/cells/column_tracker.h"
#include "model/store_metrics.h"

namespace vaquita {

struct CompactionRun {
  CompactionScope scope;                 // kMajor if the compaction reads all of the store's files
  bool reads_oldest;                     // it reads the store's oldest files
  bool major;                            // it was asked for, or due, as a major one
  const std::atomic<bool>* interrupted;  // when it becomes true, the compaction ends without effect; outlives it
  DroppedCells* dropped = nullptr;       // counts the cells that it leaves out; outlives it
};

class CompactionRuns {
 public:
  // Lists the calling thread's compaction while it lives.
  class Entry {
   public:
    Entry(CompactionRuns* runs, const CompactionRun& run) : runs_(*runs) {
      std::lock_guard lock(runs_.mutex_);
      runs_.by_thread_.insert_or_assign(std::this_thread::get_id(), run);
    }
    ~Entry() {
      std::lock_guard lock(runs_.mutex_);
      runs_.by_thread_.erase(std::this_thread::get_id());
    }
    Entry(const Entry&) = delete;

   private:
    CompactionRuns& runs_;
  };

  // Returns the calling thread's compaction; nothing if the thread flushes.
  std::optional<CompactionRun> OfThisThread() const {
    std::lock_guard lock(mutex_);
    const auto found = by_thread_.find(std::this_thread::get_id());
    if (found == by_thread_.end()) return std::nullopt;
    return found->second;
  }

 private:
  mutable std::mutex mutex_;
  std::map<std::thread::id, CompactionRun> by_thread_;
};

}  // namespace vaquita
