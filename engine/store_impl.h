// engine/store_impl.h: a Store on its RocksDB column family.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "engine/append_marks.h"
#include "engine/file_deletions.h"
#include "engine/memstore_gauge.h"
#include "engine/rocksdb/delayed_syncs.h"
#include "engine/rocksdb/store_file_properties.h"
#include "engine/rocksdb/store_settings.h"
#include "engine/store_db.h"
#include "rocksdb/db.h"
#include "rocksdb/listener.h"

namespace vaquita {

// Counts the flushes and compactions of one store, or of all stores.
struct FileCounters {
  std::atomic<int64_t> flushes = 0;
  std::atomic<int64_t> flushed_bytes = 0;
  std::atomic<int64_t> minor_compactions = 0;
  std::atomic<int64_t> major_compactions = 0;
  std::atomic<int64_t> failed_compactions = 0;
  std::atomic<int64_t> compacted_bytes_read = 0;
  std::atomic<int64_t> compacted_bytes_written = 0;

  void AddFlush(int64_t bytes);
  void AddCompaction(bool major, int64_t bytes_read, int64_t bytes_written);
  // Adds the counters to a StoreMetrics or a StoreDbMetrics.
  template <typename Metrics>
  void CopyTo(Metrics* metrics) const {
    metrics->flushes = flushes;
    metrics->flushed_bytes = flushed_bytes;
    metrics->minor_compactions = minor_compactions;
    metrics->major_compactions = major_compactions;
    metrics->failed_compactions = failed_compactions;
    metrics->compacted_bytes_read = compacted_bytes_read;
    metrics->compacted_bytes_written = compacted_bytes_written;
  }
};

// A RocksDB and the objects that it uses. The StoreDb and its stores share it; the last one closes it.
struct Database {
  AppendMarks marks;
  DelayedSyncs syncs;
  FileDeletions file_deletions;
  const std::shared_ptr<CompactionRuns> compactions = std::make_shared<CompactionRuns>();
  std::unique_ptr<rocksdb::Env> env;
  std::shared_ptr<rocksdb::Cache> block_cache;
  std::unique_ptr<rocksdb::DB> rocksdb;
  std::atomic<int64_t> memstore_bytes = 0;  // all stores
  FileCounters counters;                    // all stores, dropped ones included
};

// The bounds of a range's encoded keys, [lower, upper); empty: no bound.
struct KeyBounds {
  std::string lower;
  std::string upper;

  static KeyBounds Of(const StoreSpec& spec);
};

// Files of one age: one file of level 0, or all files of a deeper level (which do not overlap).
struct SortedRun {
  int level = 0;
  int64_t bytes = 0;
  bool reference = false;
  std::vector<rocksdb::SstFileMetaData> files;
};

class StoreImpl final : public Store {
 public:
  StoreImpl(std::shared_ptr<Database> database, std::shared_ptr<StoreSettings> settings,
            rocksdb::ColumnFamilyHandle* handle);
  ~StoreImpl() override;

  const StoreSpec& spec() const override { return settings_->spec(); }
  StoreMetrics Metrics() const override;
  int64_t MemstoreBytes() const override { return memstore_.bytes(); }
  int64_t StoreFileCount() const override { return file_count_.load(std::memory_order_relaxed); }
  std::vector<StoreFileInfo> Files() const override;
  bool HasReferences() const override;
  absl::Status Alter(const FamilyDescriptor& family) override;
  absl::StatusOr<std::string> Midkey() const override;
  void HoldCompactions(bool hold) override { compactions_held_ = hold; }

  rocksdb::ColumnFamilyHandle* handle() const { return handle_; }
  StoreMark* mark() const { return mark_; }  // null if marks are not kept
  rocksdb::DB* rocksdb() const { return database_->rocksdb.get(); }
  const KeyBounds& bounds() const { return bounds_; }
  RowOrder row_order() const { return row_order_; }
  MemstoreGauge* memstore() const { return &memstore_; }
  std::mutex* compaction_mutex() { return &compaction_mutex_; }  // held while a compaction of the store runs
  const std::atomic<bool>* compactions_held() const { return &compactions_held_; }
  CompactionRuns* compactions() const { return database_->compactions.get(); }  // those of all stores
  // Returns whether a compaction has found a damaged store file. Such a store is not compacted until the file is
  // repaired and the store is opened again.
  bool damaged() const { return damaged_; }
  void OnDamageFound() { damaged_ = true; }

  // Returns all files, oldest first.
  std::vector<SortedRun> Runs() const;
  bool IsReference(const rocksdb::SstFileMetaData& file) const;
  // Returns the properties that the file called `name` carries.
  StoreFileProperties FileProperties(const std::string& name) const;

  // RocksDB and compactions report events here. OnFilesChanged counts the files anew.
  void OnMemtableSealed() { memstore_.Seal(); }
  void OnFlushCompleted(const rocksdb::FlushJobInfo& flush);
  void OnCompactionStarted() { compacting_ = true; }
  void OnCompactionEnded(bool major, int64_t bytes_read, int64_t bytes_written);
  void OnCompactionFailed(bool was_interrupted);
  // Writes the memstore to a file, which Files() and exports then have.
  absl::Status Flush();
  void RefreshFiles();
  // Corrects the memstore's gauge after a flush: memtables that RocksDB no longer has are flushed.
  void ReconcileMemstore();
  // Sets the memstore's gauge after RocksDB has replayed the log.
  void RecoverMemstore();

 private:
  absl::Status AwaitFiles() const;
  rocksdb::ColumnFamilyMetaData MetaData() const;

  const std::shared_ptr<Database> database_;
  const std::shared_ptr<StoreSettings> settings_;
  rocksdb::ColumnFamilyHandle* const handle_;
  StoreMark* const mark_;
  const RowOrder row_order_;
  const KeyBounds bounds_;
  mutable MemstoreGauge memstore_;
  std::mutex compaction_mutex_;
  std::atomic<bool> compactions_held_ = false;
  std::atomic<bool> damaged_ = false;

  mutable std::mutex files_mutex_;                         // one refresh at a time, and the map
  std::map<std::string, StoreFileProperties> properties_;  // by file name
  std::atomic<int64_t> file_count_ = 0;
  std::atomic<int64_t> file_bytes_ = 0;
  std::atomic<int64_t> last_major_ms_ = 0;

  FileCounters counters_;
  std::atomic<bool> compacting_ = false;
};

}  // namespace vaquita
