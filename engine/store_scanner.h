// engine/store_scanner.h: reads the visible cells of one store, row by row.
//
// A scanner stands on a row; the region merges the scanners of its stores by row. Within a row cells come in store
// order; rows come ascending, or descending when reversed. What is visible is the column tracker's decision. The
// iterator it reads pins the files and memtables of the moment it was made (see StoreDb::NewIterators). Threads: one at
// a time.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "base/read_watch.h"
#include "engine/cells/column_tracker.h"
#include "engine/store_db.h"
#include "model/cell.h"

namespace vaquita {

struct StoreScanOptions {
  TrackerQuery query;
  RowRange rows;             // already clipped to the region
  bool reversed = false;     // rows.start is then the first row read, so the larger one
  int64_t now_ms = 0;        // for TTL
  ReadStop* stop = nullptr;  // asked before each cell; not owned, outlives the scanner
};

class StoreScanner {
 public:
  // Reads `iterator`, one of StoreDb::NewIterators' for `store`.
  StoreScanner(std::shared_ptr<Store> store, std::unique_ptr<rocksdb::Iterator> iterator, StoreScanOptions options);
  ~StoreScanner();
  StoreScanner(StoreScanner&&) noexcept;

  // Whether it stands on a row. False at the end of the range, or after an error, which status() has.
  bool Valid() const;
  absl::Status status() const;
  // The row it stands on, unescaped, whether or not any of its cells is visible. Lives until the scanner moves to
  // another row.
  std::string_view row() const;

  // The next visible cell of the current row, or false at the row's end, or where StoreScanOptions::stop says so: then
  // another call goes on from there. The views live until the next call.
  bool NextCell(CellView* cell);
  // Moves to the next row that has cells, past whatever NextCell has not read of this one.
  void NextRow();
  // Moves to the first row at or after `row` (at or before when reversed) if it stands before that; never moves back.
  void SeekRow(std::string_view row);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace vaquita
