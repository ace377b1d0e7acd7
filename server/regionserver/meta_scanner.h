// server/regionserver/meta_scanner.h: scans hbase:meta in HBase's order of its rows.
//
// HBase compares meta's rows "table,startkey,id" part by part: the table, then the start key, then the id. In the
// store's bytewise order a start key with bytes below ',' would have another place, and a client that looks up a row
// backwards, or asks for a table up to "table ,,", would miss it. So a scan of meta reads all rows that it may need at
// once and returns them in HBase's order. Meta is small, and clients cache their look-ups. Difference: a filter that
// ends a scan early (PageFilter, WhileMatchFilter) sees the rows of the scan's tables in the store's order. Source:
// MetaCellComparator (2.6).
#pragma once

#include <memory>
#include <string_view>

#include "absl/status/statusor.h"
#include "region/region.h"

namespace vaquita {

// Returns a negative number, 0 or a positive number if `a` is before, equal to or after `b` in hbase:meta's order.
int CompareMetaRows(std::string_view a, std::string_view b);

// Reads all rows before it returns; `watch` (may be null) may end that with an error. REQUIRES: `meta` is hbase:meta's
// region.
absl::StatusOr<std::unique_ptr<RegionScanner>> NewMetaScanner(Region& meta, const Scan& scan, ReadWatch* watch);

}  // namespace vaquita
