// engine/rocksdb/compaction_run.h: tells RocksDB's callbacks what the compaction of their thread may drop.
//
// RocksDB makes a compaction's filter and output files in the thread that called CompactFiles, and does not pass on the
// caller's intent. So the caller leaves it here for its own thread.
#pragma once

#include <atomic>

#include "engine/cells/column_tracker.h"

namespace vaquita {

class CompactionRun {
 public:
  // `scope`: kMajor if the compaction reads all of the store's files. `reads_oldest`: it reads the store's oldest
  // files. `interrupted`: when it becomes true, the compaction ends without effect; outlives the run.
  CompactionRun(CompactionScope scope, bool reads_oldest, bool major, const std::atomic<bool>* interrupted)
      : scope_(scope), reads_oldest_(reads_oldest), major_(major), interrupted_(interrupted) {
    current_ = this;
  }
  ~CompactionRun() { current_ = nullptr; }
  CompactionRun(const CompactionRun&) = delete;

  // Returns the calling thread's compaction, or null if the thread flushes.
  static const CompactionRun* Current() { return current_; }

  CompactionScope scope() const { return scope_; }
  bool reads_oldest() const { return reads_oldest_; }
  bool major() const { return major_; }  // asked for, or due, as a major one
  const std::atomic<bool>* interrupted() const { return interrupted_; }

 private:
  static inline thread_local const CompactionRun* current_ = nullptr;

  const CompactionScope scope_;
  const bool reads_oldest_;
  const bool major_;
  const std::atomic<bool>* const interrupted_;
};

}  // namespace vaquita
