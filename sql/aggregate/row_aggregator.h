// sql/aggregate/row_aggregator.h: computes a plan's aggregates over some rows.
//
// The results are parts: the query's engine joins those of all regions, by the same rules as it joins rows. So rows may
// be divided into parts at will. Sums are exact, or fail. Threads: one at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "absl/numeric/int128.h"
#include "absl/status/statusor.h"
#include "model/cell_block.h"
#include "model/operations.h"
#include "phoenix/aggregate.pb.h"
#include "sql/aggregate/row_columns.h"

namespace vaquita::sql {

class RowAggregator {
 public:
  // `plan` is a phoenix::AggregatePlan. Returns kIllegalArgument if it is malformed.
  static absl::StatusOr<std::unique_ptr<RowAggregator>> Make(std::string_view plan);

  // Takes a row: cells of `cells`. Returns an error if the row has bytes that are not a value, or a sum is too large;
  // then there are no parts.
  absl::Status Add(const CellBlock& cells, const ResultRange& row);
  // Returns the memory that the groups take, about.
  size_t bytes() const { return bytes_; }
  // Returns a phoenix::Parts of all groups.
  std::string TakeParts() const;

 private:
  // A sum of DECIMALs. Its largest scale and the sum of the sizes tell that nobody who adds these numbers up has to
  // round, in whatever order.
  struct Total {
    absl::int128 sum = 0;
    absl::int128 size = 0;
    int32_t scale = 0;
  };
  struct State {
    int64_t count = 0;
    int64_t sum = 0;
    Total total;
    HeldForm form;  // MIN, MAX: null if there was none
  };
  struct Group {
    std::vector<HeldForm> values;
    std::vector<State> states;
  };

  absl::Status Init(std::string_view plan);
  absl::StatusOr<Group*> GroupOfRow();
  absl::Status AddTo(const phoenix::Aggregate& aggregate, State* state);
  absl::Status AddBound(const phoenix::Aggregate& aggregate, State* state);
  static absl::Status AddNumber(const Decimal& number, Total* total);
  static void SetResult(const phoenix::Aggregate& aggregate, const State& state, phoenix::Form* form);

  phoenix::AggregatePlan plan_;
  RowColumns row_;
  std::unordered_map<std::string, size_t> places_;  // by the bytes of the columns
  std::vector<std::unique_ptr<Group>> groups_;
  std::string key_;       // the present row's
  std::string last_key_;  // the row's before
  Group* last_ = nullptr;
  size_t bytes_ = 0;
};

}  // namespace vaquita::sql
