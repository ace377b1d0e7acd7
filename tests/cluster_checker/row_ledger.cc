#include "tests/cluster_checker/row_ledger.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace vaquita::checker {
namespace {

// Rows come in order, each once, and those that were asked for only.
absl::Status CheckOrder(const RowRange& range, const std::vector<std::string>& rows, bool reversed) {
  for (size_t i = 0; i < rows.size(); ++i) {
    if (!range.Contains(rows[i])) return absl::DataLossError(absl::StrCat("row ", rows[i], " is outside of the scan"));
    if (i == 0) continue;
    if (rows[i] == rows[i - 1]) return absl::DataLossError(absl::StrCat("row ", rows[i], " came twice"));
    if ((rows[i] < rows[i - 1]) != reversed) {
      return absl::DataLossError(absl::StrCat("row ", rows[i], " came after ", rows[i - 1]));
    }
  }
  return absl::OkStatus();
}

}  // namespace

void RowLedger::PutBegins(const std::string& row) {
  const std::lock_guard lock(mutex_);
  rows_[row].put_begins = MonotonicNs();
}

void RowLedger::PutEnds(const std::string& row) {
  const std::lock_guard lock(mutex_);
  Times& times = rows_.at(row);
  times.put_ends = std::min(times.put_ends, MonotonicNs());
}

void RowLedger::DeleteBegins(const std::string& row) {
  const std::lock_guard lock(mutex_);
  rows_.at(row).delete_begins = MonotonicNs();
}

void RowLedger::DeleteEnds(const std::string& row) {
  const std::lock_guard lock(mutex_);
  const auto found = rows_.find(row);
  if (found == rows_.end()) return;  // a read has seen that it is gone
  found->second.delete_ends = std::min(found->second.delete_ends, MonotonicNs());
}

size_t RowLedger::size() const {
  const std::lock_guard lock(mutex_);
  return rows_.size();
}

RowLedger::Read::Read(RowLedger* ledger) : ledger_(ledger) {
  const std::lock_guard lock(ledger_->mutex_);
  began_ = ledger_->reads_.insert(MonotonicNs());
}

RowLedger::Read::~Read() {
  const std::lock_guard lock(ledger_->mutex_);
  ledger_->reads_.erase(began_);
}

std::string RowLedger::ToText(const Times& times, int64_t began, int64_t ended) {
  const auto text = [began](int64_t ns) -> std::string {
    return ns == kNever ? "never" : absl::StrFormat("%.3f", static_cast<double>(ns - began) / 1e6);
  };
  return absl::StrCat(" (ms since the read began: put from ", text(times.put_begins), " to ", text(times.put_ends),
                      ", deleted from ", text(times.delete_begins), " to ", text(times.delete_ends), ", read until ",
                      text(ended), ")");
}

absl::Status RowLedger::Read::Check(const RowRange& range, const std::vector<std::string>& rows, bool reversed) {
  if (absl::Status status = CheckOrder(range, rows, reversed); !status.ok()) return status;
  std::vector<std::string> ascending = rows;
  if (reversed) std::reverse(ascending.begin(), ascending.end());

  const std::lock_guard lock(ledger_->mutex_);
  const int64_t began = *began_;
  const int64_t ended = MonotonicNs();
  auto got = ascending.begin();
  auto known =
      range.start_inclusive ? ledger_->rows_.lower_bound(range.start) : ledger_->rows_.upper_bound(range.start);
  for (; known != ledger_->rows_.end() && range.Contains(known->first);) {
    const std::string& row = known->first;
    Times& times = known->second;
    if (got != ascending.end() && *got < row) break;  // one that nobody put
    if (got != ascending.end() && *got == row) {
      if (times.delete_ends < began) {
        return absl::DataLossError(absl::StrCat("row ", row, " is deleted, and came", ToText(times, began, ended)));
      }
      times.put_ends = std::min(times.put_ends, ended);
      ++got;
    } else {
      if (times.put_ends < began && times.delete_begins > ended) {
        return absl::DataLossError(absl::StrCat("row ", row, " is missing", ToText(times, began, ended)));
      }
      if (times.put_ends < began) times.delete_ends = std::min(times.delete_ends, ended);
      if (times.delete_ends < *ledger_->reads_.begin()) {  // no read can give it any more: it is as if never put
        known = ledger_->rows_.erase(known);
        continue;
      }
    }
    ++known;
  }
  if (got == ascending.end()) return absl::OkStatus();
  return absl::DataLossError(absl::StrCat("row ", *got, " came, which nobody put, or which was deleted long ago"));
}

}  // namespace vaquita::checker
