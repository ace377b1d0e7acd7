// engine/store.h: a store: the cells of one HBase family of one region, as a RocksDB column family.
//
// A region asks its stores for their sizes, files and middle row; it writes, reads and flushes them through StoreDb.
// Threads: every method may be called from any thread. Ownership: StoreDb makes stores and hands them out as
// shared_ptr; a store keeps its database open.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/memstore_gauge.h"
#include "engine/rocksdb/store_file_properties.h"
#include "engine/rocksdb/store_settings.h"
#include "model/family_descriptor.h"
#include "model/store_metrics.h"

namespace rocksdb {
class ColumnFamilyHandle;
class DB;
struct ColumnFamilyMetaData;
struct FlushJobInfo;
struct SstFileMetaData;
}  // namespace rocksdb

namespace vaquita {

class CompactionRuns;
struct Database;
struct SortedRun;
struct StoreMark;
class WriteCounter;

struct StoreFileInfo {
  std::string name;
  int64_t bytes = 0;
  int64_t entries = 0;
  std::string first_row;
  std::string last_row;
  bool reference = false;  // holds rows outside the store's range: a split's half that was not compacted yet
};

struct CompactionResult {
  bool major = false;
  int64_t files_read = 0;
  int64_t bytes_read = 0;
  int64_t bytes_written = 0;
  DroppedCells dropped;
};

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
  FileWork Read() const {
    return {.flushes = flushes,
            .flushed_bytes = flushed_bytes,
            .minor_compactions = minor_compactions,
            .major_compactions = major_compactions,
            .failed_compactions = failed_compactions,
            .compacted_bytes_read = compacted_bytes_read,
            .compacted_bytes_written = compacted_bytes_written};
  }
};

// The bounds of a range's encoded keys, [lower, upper); empty: no bound.
struct KeyBounds {
  std::string lower;
  std::string upper;

  static KeyBounds Of(const StoreSpec& spec);
};

class Store final {
 public:
  const StoreSpec& spec() const { return settings_->spec(); }
  StoreMetrics Metrics() const;
  int64_t MemstoreBytes() const { return memstore_.bytes(); }  // cheap: called after every write
  // Returns whether reads of cells that a flush drops have cost more than a flush does. Cheap: called after every
  // write.
  bool FlushSavesReads() const {
    const int64_t seeks = seeks_past_dead_.load(std::memory_order_relaxed);
    if (seeks < kLeastSeeksToFlush) return false;
    const int64_t cells = memstore_.cells();
    return cells >= kLeastCellsToFlush && seeks >= kLeastSeeksToFlush + cells;
  }
  // Begin to fetch what a scanner reads first (base/prefetch.h): of the store, whose own memory is at hand, and then of
  // what the first call has fetched.
  void PrefetchParts() const;
  void PrefetchSpec() const;
  int64_t StoreFileCount() const { return file_count_.load(std::memory_order_relaxed); }
  std::vector<StoreFileInfo> Files() const;
  // Returns whether any file still holds rows outside the store's range. Such a region is neither split nor merged.
  bool HasReferences() const;
  // Changes the family's options (alter). Reads and compactions follow the new options at once; block size, compression
  // and bloom filter hold for files written from now on.
  absl::Status Alter(const FamilyDescriptor& family);
  // Returns the row in the middle of the largest store file, found without a scan. Empty if it cannot split the store:
  // without files, or if the middle row is the first or the last row (as HBase refuses).
  absl::StatusOr<std::string> Midkey() const;
  // While compactions are held, no compaction begins, and a running one ends soon and without effect. For a store that
  // is about to close.
  void HoldCompactions(bool hold) { compactions_held_ = hold; }

  // The rest is for engine/ alone.
  Store(std::shared_ptr<Database> database, std::shared_ptr<StoreSettings> settings,
        rocksdb::ColumnFamilyHandle* handle);
  ~Store();
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  rocksdb::ColumnFamilyHandle* handle() const { return handle_; }
  StoreMark* mark() const { return mark_; }  // null if marks are not kept
  rocksdb::DB* rocksdb() const;
  const KeyBounds& bounds() const { return bounds_; }
  RowOrder row_order() const { return row_order_; }
  bool new_version_behavior() const { return settings_->new_version_behavior(); }
  MemstoreGauge* memstore() const { return &memstore_; }
  std::mutex* compaction_mutex() { return &compaction_mutex_; }  // held while a compaction of the store runs
  const std::atomic<bool>* compactions_held() const { return &compactions_held_; }
  CompactionRuns* compactions() const;  // those of all stores
  WriteCounter* write_counter() const;  // that of all stores
  // Returns whether a compaction has found a damaged store file. Such a store is not compacted until the file is
  // repaired and the store is opened again.
  bool damaged() const { return damaged_; }
  void OnDamageFound() { damaged_ = true; }

  // Returns all files, oldest first.
  std::vector<SortedRun> Runs() const;
  bool IsReference(const rocksdb::SstFileMetaData& file) const;
  // Returns the properties that the file called `name` carries.
  StoreFileProperties FileProperties(const std::string& name) const;

  // Scanners add their seeks past versions that no read with the family's present options sees.
  std::atomic<int64_t>* seeks_past_dead() { return &seeks_past_dead_; }

  // RocksDB and compactions report events here.
  void OnMemtableSealed() { memstore_.Seal(); }
  void OnFlushCompleted(const rocksdb::FlushJobInfo& flush);
  void OnCompactionStarted() { compacting_ = true; }
  void OnCompactionEnded(const CompactionResult& result);
  void OnCompactionFailed(bool was_interrupted);
  // Writes the memstore to a file, which Files() and exports then have.
  absl::Status Flush();
  // Counts the files anew.
  void RefreshFiles();
  // Corrects the memstore's gauge after a flush: memtables that RocksDB no longer has are flushed.
  void ReconcileMemstore();
  // Sets the memstore's gauge after RocksDB has replayed the log.
  void RecoverMemstore();

 private:
  // A seek takes about a microsecond, as does a cell in a flush. Any flush takes some milliseconds, and leaves a file
  // that is compacted later; if the memstore is small, the dead versions are in files.
  static constexpr int64_t kLeastSeeksToFlush = 20'000;
  static constexpr int64_t kLeastCellsToFlush = 1'000;

  absl::Status AwaitFiles() const;
  rocksdb::ColumnFamilyMetaData MetaData() const;

  const std::shared_ptr<Database> database_;
  const std::shared_ptr<StoreSettings> settings_;
  rocksdb::ColumnFamilyHandle* const handle_;
  StoreMark* const mark_;
  const RowOrder row_order_;
  const KeyBounds bounds_;
  mutable MemstoreGauge memstore_;
  std::atomic<int64_t> seeks_past_dead_ = 0;  // since the last flush
  std::mutex compaction_mutex_;
  std::atomic<bool> compactions_held_ = false;
  std::atomic<bool> damaged_ = false;

  mutable std::mutex files_mutex_;                         // one refresh at a time, and the map
  std::map<std::string, StoreFileProperties> properties_;  // by file name
  std::atomic<int64_t> file_count_ = 0;
  std::atomic<int64_t> file_bytes_ = 0;
  std::atomic<int64_t> last_major_ms_ = 0;

  mutable std::mutex counters_mutex_;  // held while a flush or compaction is counted, so that it is seen whole
  FileCounters counters_;
  int64_t compacted_files_read_ = 0;
  DroppedCells dropped_;
  std::atomic<bool> compacting_ = false;
};

}  // namespace vaquita
