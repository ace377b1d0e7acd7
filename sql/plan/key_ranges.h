// sql/plan/key_ranges.h: turns conditions on a table's key columns into ranges of rows.
//
// Equal leading columns become a prefix, several values of one a skip scan, and the first column with bounds ends the
// prefix. Every row that fulfils the conditions is within the ranges; other rows may be, too. Threads: functions.
// Source: WhereOptimizer, ScanRanges (5.2).
#pragma once

#include <optional>
#include <vector>

#include "model/cell.h"
#include "sql/encoding/row_key.h"

namespace vaquita::sql {

// The values that one key column may have. Without values and bounds it may have any.
struct KeyCondition {
  std::vector<Value> equal;  // one of these; null is a value, too
  std::optional<Value> low;
  bool low_inclusive = true;
  std::optional<Value> high;
  bool high_inclusive = true;
  bool never = false;  // no value at all
};

// Returns ranges without overlap, in the order of the rows; none if no row can fulfil the conditions. `conditions` has
// one for each key column. A salted table has the ranges of each bucket.
std::vector<RowRange> KeyRanges(const std::vector<KeyColumn>& columns, const std::vector<KeyCondition>& conditions,
                                int32_t salt_buckets);

// Returns whether the conditions name whole keys, so that each range has one row at most.
bool IsPointLookup(const std::vector<KeyCondition>& conditions);

}  // namespace vaquita::sql
