// client/region_locator.h: which region holds a row: the cache of what the cluster answered.
//
// An entry is right until its server says otherwise (NotServingRegion, WrongRegion, RegionMoved) or cannot be reached;
// whoever finds that reports it, and the next look-up asks the cluster. So a region that splits costs each connection
// one failed call.
// Threads: every method may be called from any thread.
#pragma once

#include <map>
#include <memory>
#include <shared_mutex>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "client/server_link.h"
#include "client/table.h"
#include "model/table_name.h"

namespace vaquita::client {

class RegionLocator {
 public:
  explicit RegionLocator(ServerLink* link) : link_(link) {}  // `link` outlives the locator

  // The region of `table` that holds `row`.
  CallOutcome Locate(const TableName& table, std::string_view row, TimePoint deadline, Located* located);
  // The region with the last rows before `row`; with an empty row, the table's last region.
  CallOutcome LocateBefore(const TableName& table, std::string_view row, TimePoint deadline, Located* located);

  // A call to `region` failed with `status`: forgets the region if the status says that it is gone, and asks whether
  // that is because its table is disabled. Returns what the caller should be told.
  absl::Status Report(const Located& region, const absl::Status& status, TimePoint deadline);

 private:
  Located Find(const TableName& table, std::string_view row) const;
  void Forget(const Located& region);

  ServerLink* const link_;
  mutable std::shared_mutex mutex_;
  std::map<TableName, std::map<std::string, Located, std::less<>>> regions_;  // by table and start key
};

// Whether an error of a call to a region's server puts in doubt that the region is there.
bool SaysRegionIsGone(const absl::Status& status);

}  // namespace vaquita::client
