// sql/plan/key_slots.h: finds the conditions that bound a scan's rows, column by column of the key, for EXPLAIN.
//
// sql/plan/key_ranges.h makes the ranges that a scan reads; these are Phoenix's, before they become rows, so that they
// can be printed. Threads: functions. Source: WhereOptimizer, ScanRanges (5.2).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "model/cell.h"
#include "sql/catalog/table_def.h"
#include "sql/front/ast.h"

namespace vaquita::sql {

// A range of one key column's bytes as a row key has them, without separators. nullopt: no bound.
struct SlotRange {
  std::optional<std::string> low;
  std::optional<std::string> high;
  bool low_inclusive = true;
  bool high_inclusive = true;
  bool is_null = false;  // these two say what the bounds cannot
  bool is_not_null = false;

  bool IsSingle() const { return low.has_value() && low == high && low_inclusive && high_inclusive; }
  bool IsUnbound() const { return !is_null && !is_not_null && (!low.has_value() || !high.has_value()); }
};

struct KeySlots {
  bool never = false;                         // no row fulfils the condition
  std::vector<std::vector<SlotRange>> slots;  // the key's first columns, each in the order of the rows
  size_t bound = 0;                           // this many of them bound the scan
  bool skip_scan = false;
  bool point_lookup = false;
  ExprPtr filter;  // the rest of the condition; may be null

  bool IsFullScan(const TableDef& table) const { return slots.empty() || (bound == 0 && table.salt_buckets == 0); }
  // Returns how many ranges or keys the bound columns make together.
  size_t Count() const;
};

// `condition` is a planned expression (sql/plan/filter_terms.h) or null. Columns of the source number `source` are the
// table's.
KeySlots MakeKeySlots(const TableDef& table, int32_t source, const ExprPtr& condition);

// Calls `visit` with each range of rows: one or more for each bucket of a salted table, which may be millions.
void VisitRowsOfSlots(const TableDef& table, const KeySlots& slots, absl::FunctionRef<void(const RowRange&)> visit);
// Returns " ['a',1] - ['a',*]"; nothing for a scan of all rows.
std::string SlotsText(const TableDef& table, const KeySlots& slots);

}  // namespace vaquita::sql
