// sql/engine/row_stream.h: reads the rows of a table's ranges in the order of their keys.
//
// The buckets of a salted table are scanned in parallel, and their rows are merged: a key's order is that without the
// salt. Threads: one at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "client/table.h"
#include "model/operations.h"

namespace vaquita::sql {

// The rows that a stream reads.
struct RowsToRead {
  Scan scan;                     // for each range: its columns and direction
  std::vector<RowRange> ranges;  // ascending, without overlap
  bool salted = false;           // the first byte of each row is its bucket
  int64_t likely_rows = 0;       // so many rows are likely to be all that is wanted; 0: unknown
};

class RowStream {
 public:
  RowStream(std::shared_ptr<client::Table> table, RowsToRead rows);
  RowStream(const RowStream&) = delete;
  RowStream& operator=(const RowStream&) = delete;
  ~RowStream();

  // Returns the next row; nullopt behind the last one.
  absl::StatusOr<std::optional<client::Result>> Next();

 private:
  class Lane;

  absl::Status Start();
  // Returns whether the first row of lane `a` comes after that of lane `b`.
  bool IsAfter(const Lane* a, const Lane* b) const;

  const std::shared_ptr<client::Table> table_;
  const bool reversed_;
  std::vector<std::unique_ptr<Lane>> lanes_;
  std::vector<Lane*> heap_;  // lanes that have a row, the next one's first
  Lane* taken_ = nullptr;    // gave its row away
  bool started_ = false;
};

}  // namespace vaquita::sql
