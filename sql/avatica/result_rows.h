// sql/avatica/result_rows.h: gives a driver the rows of a result, from a query or from a list.
//
// Threads: one at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "avatica/avatica.pb.h"
#include "sql/encoding/value.h"
#include "sql/engine/session.h"
#include "sql/plan/resolver.h"

namespace vaquita::sql {

// Rows that are in memory, such as the names of tables.
struct RowList {
  std::vector<OutputColumn> columns;
  std::vector<std::vector<Value>> rows;
};

class ResultRows {
 public:
  // A frame has this many rows unless the driver asks for another number, and at most about this many bytes.
  static constexpr int64_t kFrameRows = 100;
  static constexpr size_t kMostFrameBytes = 8 << 20;

  // `query` was started, and outlives the result. At most `most_rows` are given; below 0: all.
  ResultRows(PreparedStatement* query, int64_t most_rows) : query_(query), left_(most_rows) {}
  explicit ResultRows(RowList rows) : list_(std::move(rows)) {}
  // Returns the memory of the rows of a list.
  size_t list_bytes() const;

  // Returns how many rows were given or left out.
  uint64_t given() const { return given_; }
  const std::vector<OutputColumn>& columns() const { return query_ != nullptr ? query_->columns() : list_.columns; }
  // Adds as many rows as a frame holds, but at most `most` if that is not below 0. Returns an error if the query fails,
  // or if all rows were given before.
  absl::Status Fill(int64_t most, avatica::Frame* frame);
  // Leaves out the next rows. Returns whether more rows follow.
  absl::StatusOr<bool> Skip(uint64_t rows);

 private:
  absl::StatusOr<std::optional<std::vector<Value>>> Next();

  PreparedStatement* query_ = nullptr;  // null: list_
  RowList list_;
  size_t list_at_ = 0;
  int64_t left_ = -1;
  uint64_t given_ = 0;
  bool done_ = false;
  std::optional<std::vector<Value>> ahead_;  // a row that Skip() saw
};

}  // namespace vaquita::sql
