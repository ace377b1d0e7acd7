// model/store_metrics.h: the counters and gauges of one store, and of a database, as plain data.
#pragma once

#include <cstdint>

namespace vaquita {

enum class CompactionKind { kMinor, kMajor };

// Cells that compactions left out, by the reason.
struct DroppedCells {
  int64_t markers = 0;   // delete markers
  int64_t deleted = 0;   // cells that a marker hides
  int64_t versions = 0;  // more versions than the family keeps
  int64_t expired = 0;   // a TTL is over
  int64_t outside = 0;   // rows of the other half of a split
  int64_t skipped = 0;   // more cells of these kinds, in long runs whose cells are not counted by kind

  int64_t Sum() const { return markers + deleted + versions + expired + outside + skipped; }
  DroppedCells& operator+=(const DroppedCells& other) {
    markers += other.markers;
    deleted += other.deleted;
    versions += other.versions;
    expired += other.expired;
    outside += other.outside;
    skipped += other.skipped;
    return *this;
  }
  friend DroppedCells operator-(DroppedCells a, const DroppedCells& b) {
    return {a.markers - b.markers, a.deleted - b.deleted, a.versions - b.versions,
            a.expired - b.expired, a.outside - b.outside, a.skipped - b.skipped};
  }
  friend bool operator==(const DroppedCells&, const DroppedCells&) = default;
};

// The flushes and compactions of a store, or of all stores of a database, since it was opened. Sizes in bytes.
struct FileWork {
  int64_t flushes = 0;
  int64_t flushed_bytes = 0;
  int64_t minor_compactions = 0;
  int64_t major_compactions = 0;
  int64_t failed_compactions = 0;  // given up with an error
  int64_t compacted_bytes_read = 0;
  int64_t compacted_bytes_written = 0;
};

// A store's work and its gauges. Sizes in bytes.
struct StoreMetrics : FileWork {
  int64_t store_files = 0;
  int64_t store_file_bytes = 0;
  int64_t memstore_bytes = 0;
  int64_t memstore_cells = 0;
  // These two are known where the store is open, and not told to the master.
  int64_t compacted_files_read = 0;
  DroppedCells dropped;
  int64_t last_major_compaction_ms = 0;  // 0: never
  bool compacting = false;
  // (flushed + compacted bytes written) / flushed bytes; 0 before the first flush.
  double write_amplification() const {
    return flushed_bytes == 0 ? 0 : double(flushed_bytes + compacted_bytes_written) / double(flushed_bytes);
  }
};

// A database's work, that of dropped stores included, and its gauges. Sizes in bytes.
struct StoreDbMetrics : FileWork {
  int64_t block_cache_bytes = 0;
  int64_t block_cache_capacity_bytes = 0;
  // The write-ahead log, since the database was opened.
  int64_t log_writes = 0;
  int64_t log_written_bytes = 0;
  int64_t log_syncs = 0;
};

}  // namespace vaquita
