// tools/bench/answer_check.h: checks every answer against what its row must hold.
//
// Operations on one row take turns while answers are checked, so there is one right answer to each. A write that failed
// may have been done, so that its cells are checked only for being a value that belongs there. Threads: any; the caller
// holds the rows' lock.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "absl/status/statusor.h"
#include "client/table.h"
#include "tools/bench/row_keys.h"
#include "tools/bench/workload.h"

namespace vaquita::bench {

inline constexpr std::string_view kCounterColumn = "counter";
inline constexpr std::string_view kAppendedColumn = "appended";
inline constexpr int kAllFields = -1;

// Returns the bytes of the value that operation `tag` writes to a column.
size_t FieldBytes(const Workload& workload, int field, uint64_t tag);

class AnswerCheck {
 public:
  // `rows_are_new`: the table was made for this workload, so that its rows are known. Returns InvalidArgument if two
  // rows have the same key. `workload` outlives it.
  static absl::StatusOr<std::unique_ptr<AnswerCheck>> Make(const Workload* workload, const RowKeys& keys,
                                                           bool rows_are_new);

  // Locks these rows against other threads.
  std::vector<std::unique_lock<std::mutex>> Lock(std::span<const uint64_t> rows);

  // These say what was written. `done`: it was acknowledged.
  void Wrote(uint64_t row, int field, uint64_t tag, bool done);
  void Deleted(uint64_t row, bool done);
  void DeletedField(uint64_t row, int field, bool done);

  // These return what is wrong with an answer, or "". `result` may lack what a filter left out.
  std::string CheckGet(uint64_t row, std::string_view key, int field, const client::Result& result);
  std::string CheckIncrement(uint64_t row, std::string_view key, const client::Result& result, bool done);
  std::string CheckAppend(uint64_t row, std::string_view key, const client::Result& result, bool done);

  // Checks the rows of a scan, one after the other.
  class ScanCheck {
   public:
    ScanCheck(const AnswerCheck* check, std::string start, std::string stop, int64_t limit);
    std::string Row(const client::Result& result);
    std::string End();  // the scanner had no more rows

   private:
    std::string Missing(std::string_view before) const;

    const AnswerCheck* const check_;
    const std::string start_;
    const std::string stop_;
    const int64_t limit_;
    int64_t rows_ = 0;
    std::string last_;
  };

 private:
  static constexpr int64_t kAbsent = -1;
  static constexpr int64_t kAnything = -2;
  static constexpr int64_t kUnread = -3;  // left by an earlier run; the first read says it
  static constexpr size_t kStripes = 1024;

  struct RowState {
    std::vector<int64_t> tags;  // by column
    std::optional<int64_t> counter;
    std::optional<std::string> appended;
  };
  struct Stripe {
    std::mutex mutex;
    std::unordered_map<uint64_t, RowState> rows;  // those that changed
  };

  AnswerCheck(const Workload* workload, bool rows_are_new) : workload_(workload), rows_are_new_(rows_are_new) {}

  RowState& StateOf(uint64_t row);
  static int64_t TagOfFirstRead(const Cell* cell);
  std::string CheckCell(std::string_view key, const Cell& cell) const;
  std::optional<int> FieldOf(std::string_view qualifier) const;

  const Workload* const workload_;
  const bool rows_are_new_;
  std::array<Stripe, kStripes> stripes_;
  std::vector<std::string> sorted_;  // the loaded rows' keys, if a scan must return them all
};

}  // namespace vaquita::bench
