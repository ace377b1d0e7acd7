// engine/database.h: a RocksDB with the objects that it uses, and the files of its stores.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/append_marks.h"
#include "engine/file_deletions.h"
#include "engine/rocksdb/compaction_runs.h"
#include "engine/rocksdb/delayed_syncs.h"
#include "engine/store.h"
#include "engine/write_counter.h"
#include "rocksdb/db.h"
#include "rocksdb/listener.h"

namespace vaquita {

// A RocksDB and the objects that it uses. The StoreDb and its stores share it; the last one closes it.
struct Database {
  AppendMarks marks;
  DelayedSyncs syncs;
  FileDeletions file_deletions;
  const std::shared_ptr<CompactionRuns> compactions = std::make_shared<CompactionRuns>();
  std::unique_ptr<rocksdb::Env> env;
  std::shared_ptr<rocksdb::Cache> block_cache;
  std::unique_ptr<rocksdb::DB> rocksdb;
  WriteCounter write_counter;
  std::atomic<int64_t> memstore_bytes = 0;  // all stores
  FileCounters counters;                    // all stores, dropped ones included
};

// Files of one age: one file of level 0, or all files of a deeper level (which do not overlap).
struct SortedRun {
  int level = 0;
  int64_t bytes = 0;
  bool reference = false;
  std::vector<rocksdb::SstFileMetaData> files;
};

}  // namespace vaquita
