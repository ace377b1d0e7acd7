// tests/cluster_checker/row_ledger.h: knows which rows a scan or a get must return, may return and must not return,
// while writers go on.
//
// Each row is put once and deleted at most once, by one client, which waits for each answer. So a row that was
// acknowledged before a read began, and whose deletion had not begun when it ended, must be returned. A row that no
// client had put before the read ended, or whose deletion was acknowledged before it began, must not. An operation that
// ended with an error may have happened or not; the first read that sees it settles that. Times are MonotonicNs().
// Threads: any.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "model/cell.h"
#include "tests/cluster_checker/history.h"

namespace vaquita::checker {

class RowLedger {
 public:
  void PutBegins(const std::string& row);
  void DeleteBegins(const std::string& row);
  // Note acknowledged operations. A failed one does not end.
  void PutEnds(const std::string& row);
  void DeleteEnds(const std::string& row);

  // A read, from before its request to its check.
  class Read {
   public:
    explicit Read(RowLedger* ledger);
    ~Read();
    Read(const Read&) = delete;
    // Checks `rows`, the result of a scan of `range`, in its order. The error names a row that is missing, deleted,
    // never put, repeated or out of order.
    absl::Status Check(const RowRange& range, const std::vector<std::string>& rows, bool reversed = false);

   private:
    RowLedger* const ledger_;
    std::multiset<int64_t>::iterator began_;
  };

  size_t size() const;

 private:
  struct Times {
    int64_t put_begins;
    int64_t put_ends = kNever;
    int64_t delete_begins = kNever;
    int64_t delete_ends = kNever;
  };
  static std::string ToText(const Times& times, int64_t began, int64_t ended);

  mutable std::mutex mutex_;
  std::map<std::string, Times, std::less<>> rows_;
  std::multiset<int64_t> reads_;  // the beginnings of the present reads
};

}  // namespace vaquita::checker
