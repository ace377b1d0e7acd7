// engine/store_scanner.h: reads the visible cells of one store, row by row.
//
// A scanner stands on a row; the region merges the scanners of its stores by row. Within a row cells come in store
// order; rows come ascending, or descending when reversed. The column tracker decides which cells are visible. The
// iterator pins the files and memtables of the moment at which it was made (see StoreDb::NewIterators). Threads: one at
// a time.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "base/read_watch.h"
#include "engine/cells/column_tracker.h"
#include "engine/rocksdb/store_spec.h"
#include "model/cell.h"

namespace rocksdb {
class Iterator;
}  // namespace rocksdb

namespace vaquita {

struct StoreScanOptions {
  TrackerQuery query;
  bool reversed = false;
  bool one_row = false;      // the iterator's keys are one row's
  int64_t now_ms = 0;        // for TTL
  ReadStop* stop = nullptr;  // asked before each cell; not owned, outlives the scanner
  // Counts seeks past versions that the family does not keep. Not owned, outlives the scanner; null: nobody counts.
  std::atomic<int64_t>* seeks_past_dead = nullptr;
};

class StoreScanner {
 public:
  // Reads all keys of `iterator`, one of StoreDb::NewIterators' for the store of `spec`. The scanner holds `spec` until
  // it has let go of the iterator, so a pointer that also owns the store keeps it.
  StoreScanner(std::shared_ptr<const StoreSpec> spec, std::unique_ptr<rocksdb::Iterator> iterator,
               StoreScanOptions options);
  ~StoreScanner();
  StoreScanner(StoreScanner&&) noexcept;

  // Returns whether it stands on a row. False at the end of the range, or after an error, which status() returns.
  bool Valid() const;
  absl::Status status() const;
  // Returns the row it stands on, unescaped, even if none of its cells is visible. Lives until the scanner reads a cell
  // or moves to another row.
  std::string_view row() const;
  // Returns bytes that compare as the rows of the region's scanners do. They live as long as row().
  std::string_view row_position() const;

  // Reads the next visible cell of the current row. Returns false at the row's end, or where StoreScanOptions::stop
  // ends the answer; another call goes on from there. The views live until the next call.
  bool NextCell(CellView* cell);
  // Moves to the next row that has cells, past cells of this row that NextCell has not read.
  void NextRow();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace vaquita
