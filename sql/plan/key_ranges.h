// sql/plan/key_ranges.h: turns conditions on a table's key columns into ranges of rows.
//
// Equal leading columns become a prefix, several values of one a skip scan, and the first column with bounds ends the
// prefix. Every row that fulfils the conditions is within the ranges; other rows may be, too. Threads: functions.
// Source: WhereOptimizer, ScanRanges (5.2).
#pragma once

#include <optional>
#include <vector>

#include "absl/functional/function_ref.h"
#include "model/cell.h"
#include "sql/catalog/table_def.h"
#include "sql/encoding/row_key.h"

namespace vaquita::sql {

// More than this many ranges would cost more than the rows between them.
inline constexpr size_t kMostKeyRanges = 10'000;

// The values that one key column may have. Without values and bounds it may have any.
struct KeyCondition {
  std::vector<Value> equal;  // one of these; null is a value, too
  std::optional<Value> low;
  bool low_inclusive = true;
  std::optional<Value> high;
  bool high_inclusive = true;
  bool never = false;  // no value at all
};

enum class KeyOp : uint8_t { kIsNull, kEqual, kLess, kLessOrEqual, kGreater, kGreaterOrEqual };

// Adds that a key column is null, has one of the values (kEqual), or has the bound `values[0]`. The values have the
// kind of the column's type. One that the column cannot have matches nothing, and as a bound says nothing. Of several
// conditions on a column, the first one counts: all are to be checked again for the rows.
void AddKeyCondition(KeyOp op, const std::vector<Value>& values, const ColumnDef& column, KeyCondition* condition);

// Returns ranges without overlap, in the order of the rows; none if no row can fulfil the conditions. `conditions` has
// one for each key column. A salted table has the ranges of each bucket.
std::vector<RowRange> KeyRanges(const std::vector<KeyColumn>& columns, const std::vector<KeyCondition>& conditions,
                                int32_t salt_buckets);

// Visits the ranges of a table with so many buckets, each with the salt before it; 0 buckets have the ranges alone.
// `whole_keys`: each range is of one key, which only the bucket of its own salt has.
void VisitBuckets(const std::vector<RowRange>& ranges, int32_t salt_buckets, bool whole_keys,
                  absl::FunctionRef<void(const RowRange&)> visit);

}  // namespace vaquita::sql
