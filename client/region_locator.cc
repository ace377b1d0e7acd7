#include "client/region_locator.h"

#include <mutex>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status.h"

namespace vaquita::client {
namespace {

// Returns a row close before `row` (empty: the end of a table). A region's border may still lie between the two.
std::string CloseRowBefore(std::string_view row) {
  constexpr size_t kPadding = 9;
  if (row.empty()) return std::string(kPadding, '\xff');
  std::string before(row);
  if (before.back() == '\0') {
    before.pop_back();
  } else {
    --before.back();
    before.append(kPadding, '\xff');
  }
  return before;
}

}  // namespace

bool SaysRegionIsGone(const absl::Status& status) {
  ErrorKind kind;
  // Its server cannot be reached, or does not answer.
  if (!GetErrorKind(status, &kind)) return absl::IsUnavailable(status) || absl::IsDeadlineExceeded(status);
  return kind == ErrorKind::kNotServingRegion || kind == ErrorKind::kWrongRegion || kind == ErrorKind::kRegionMoved ||
         kind == ErrorKind::kRegionOffline || kind == ErrorKind::kServerNotRunningYet ||
         kind == ErrorKind::kRegionServerAborted;
}

CallOutcome RegionLocator::Locate(const TableName& table, std::string_view row, TimePoint deadline, Located* located) {
  if (*located = Find(table, row); *located != nullptr) return {};
  RegionLocation location;
  CallOutcome outcome = link_->LocateRow(table, row, deadline, &location);
  outcome.may_have_run = false;  // a look-up changes nothing
  if (!outcome.ok()) return outcome;
  // A scan that went on in a region before the row would go round in a circle.
  if (location.info.table != table || !location.info.ContainsRow(row)) {
    return {Error(ErrorKind::kHBaseIO,
                  absl::StrCat("No location found for '", table.ToString(), "', row='", ToStringBinary(row),
                               "': the cluster names the region ", ToStringBinary(location.info.Name())))};
  }
  *located = std::make_shared<LocatedRegion>(std::move(location));
  Keep(*located);
  return {};
}

CallOutcome RegionLocator::LocateBefore(const TableName& table, std::string_view row, TimePoint deadline,
                                        Located* located) {
  CallOutcome outcome = Locate(table, CloseRowBefore(row), deadline, located);
  while (outcome.ok()) {
    const std::string& end = (*located)->location.info.end_key;
    if (end.empty() || (!row.empty() && end >= row)) break;
    outcome = Locate(table, std::string(end), deadline, located);  // there was a border between the two rows
  }
  return outcome;
}

absl::Status RegionLocator::Report(const Located& region, const absl::Status& status, TimePoint deadline) {
  if (!SaysRegionIsGone(status)) return status;
  Forget(region);
  if (!IsError(status, ErrorKind::kNotServingRegion) && !IsError(status, ErrorKind::kRegionOffline)) return status;
  const TableName& table = region->location.info.table;
  TableState state = TableState::kEnabled;
  const CallOutcome asked = link_->GetTableState(table, deadline, &state);
  if (IsError(asked.status, ErrorKind::kTableNotFound)) return asked.status;
  if (asked.ok() && state == TableState::kDisabled) {
    return Error(ErrorKind::kTableNotEnabled, table.ToString() + " is disabled.");
  }
  return status;
}

Located RegionLocator::Find(const TableName& table, std::string_view row) const {
  std::shared_lock lock(mutex_);
  const auto regions = regions_.find(table);
  if (regions == regions_.end()) return nullptr;
  auto after = regions->second.upper_bound(row);
  if (after == regions->second.begin()) return nullptr;
  const Located& candidate = std::prev(after)->second;
  return candidate->location.info.ContainsRow(row) ? candidate : nullptr;
}

// Entries that overlap the region are older than it. One behind its start would hide it from the rows that follow.
void RegionLocator::Keep(const Located& region) {
  const RegionInfo& info = region->location.info;
  std::unique_lock lock(mutex_);
  auto& regions = regions_[info.table];
  const auto first = regions.lower_bound(info.start_key);
  regions.erase(first, info.end_key.empty() ? regions.end() : regions.lower_bound(info.end_key));
  regions.emplace(info.start_key, region);
}

void RegionLocator::Forget(const Located& region) {
  const RegionInfo& info = region->location.info;
  std::unique_lock lock(mutex_);
  const auto regions = regions_.find(info.table);
  if (regions == regions_.end()) return;
  const auto entry = regions->second.find(info.start_key);
  if (entry != regions->second.end() && entry->second == region)
    regions->second.erase(entry);  // otherwise the entry is newer
}

}  // namespace vaquita::client
