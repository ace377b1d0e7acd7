// server/regionserver/meta_scanner.h: scans of hbase:meta in the order that HBase gives its rows.
//
// HBase compares meta's rows "table,startkey,id" part by part: the table, then the start key, then the id. Bytewise, as
// the store keeps them, a start key with bytes below ',' comes elsewhere, and a client that looks a row up backwards,
// or asks for a table up to "table ,,", would miss it. So a scan of meta reads the rows that it may need at once and
// gives them in HBase's order. Meta is small, and clients remember what they found. Difference: a filter that ends a
// scan early (PageFilter, WhileMatchFilter) sees the rows of the scan's tables in the store's order. Source:
// MetaCellComparator (2.6).
#pragma once

#include <memory>
#include <string_view>

#include "absl/status/statusor.h"
#include "region/region.h"

namespace vaquita {

// Negative, 0 or positive, as `a` comes before, with or after `b` in hbase:meta.
int CompareMetaRows(std::string_view a, std::string_view b);

// It has read everything when it is there; `watch` (may be null) may end that with an error. REQUIRES: `meta` is
// hbase:meta's region.
absl::StatusOr<std::unique_ptr<RegionScanner>> NewMetaScanner(Region& meta, const Scan& scan, ReadWatch* watch);

}  // namespace vaquita
