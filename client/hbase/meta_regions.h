// client/hbase/meta_regions.h: reads tables and their regions from hbase:meta, as HBase's clients do.
//
// Each call reads hbase:meta again; client/region_locator.h caches the answers. Threads: any. Source:
// AsyncNonMetaRegionLocator, ClientMetaTableAccessor, RegionInfo.createRegionName (hbase-client 2.6).
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "client/hbase/hbase_servers.h"
#include "client/server_link.h"
#include "model/operations.h"

namespace vaquita::client {

class MetaRegions {
 public:
  explicit MetaRegions(HBaseServers* servers) : servers_(servers) {}  // `servers` outlives this

  // Returns kTableNotFound if no region of the table can hold the row.
  CallOutcome LocateRow(const TableName& table, std::string_view row, TimePoint deadline, RegionLocation* location);
  CallOutcome ListRegions(const TableName& table, TimePoint deadline, std::vector<RegionLocation>* locations);
  // Finds a region by its full or encoded name. Returns kUnknownRegion if it does not exist.
  CallOutcome FindRegion(std::string_view name, TimePoint deadline, RegionLocation* location);
  CallOutcome GetTableState(const TableName& table, TimePoint deadline, TableState* state);

 private:
  // Takes a row, and returns whether to go on. An error ends the reading and becomes its outcome.
  using TakeRow = std::function<absl::StatusOr<bool>(const Result& row)>;
  CallOutcome ReadRows(Scan scan, TimePoint deadline, const TakeRow& take);
  CallOutcome LocateMeta(TimePoint deadline, RegionLocation* location);

  HBaseServers* const servers_;
};

}  // namespace vaquita::client
