// client/region_locator.h: finds the region of a row, and caches the cluster's answers.
//
// An entry is used until its server refuses it (NotServingRegion, WrongRegion, RegionMoved) or cannot be reached. The
// caller reports this, and the next look-up asks the cluster. So a region that splits costs each connection one failed
// call. Threads: every method may be called from any thread.
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

  // Finds the region of `table` that holds `row`. Returns kHBaseIO, which may pass, if the cluster names another one:
  // hbase:meta may have a hole.
  CallOutcome Locate(const TableName& table, std::string_view row, TimePoint deadline, Located* located);
  // Finds the region with the last rows before `row`; for an empty row, the table's last region.
  CallOutcome LocateBefore(const TableName& table, std::string_view row, TimePoint deadline, Located* located);

  // Reports that a call to `region` failed with `status`. Forgets the region if the status says that it is gone, and
  // asks whether its table is disabled. Returns the error for the caller.
  absl::Status Report(const Located& region, const absl::Status& status, TimePoint deadline);

 private:
  Located Find(const TableName& table, std::string_view row) const;
  void Keep(const Located& region);
  void Forget(const Located& region);

  ServerLink* const link_;
  mutable std::shared_mutex mutex_;
  std::map<TableName, std::map<std::string, Located, std::less<>>> regions_;  // by table and start key
};

// Returns whether an error of a region's server means that the region may be elsewhere.
bool SaysRegionIsGone(const absl::Status& status);

}  // namespace vaquita::client
