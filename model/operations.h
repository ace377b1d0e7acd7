// model/operations.h: the requests to a region, as plain data with HBase's names and defaults.
//
// Front ends and the client library fill these in from their wire forms; the region executes them. Each struct has the
// fields of hbase-client's class of that name. The file has data alone, because the client library includes it too.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "model/cell.h"
#include "model/cell_block.h"
#include "model/durability.h"
#include "model/filter_spec.h"

namespace vaquita {

// Families and, per family, the qualifiers asked for (none: the whole family). An empty map asks for every family.
using ColumnSelection = std::map<std::string, std::vector<std::string>>;

// The options that Get and Scan share.
struct ReadOptions {
  ColumnSelection columns;
  int32_t max_versions = 1;
  TimeRange time_range;
  std::map<std::string, TimeRange> family_time_ranges;  // these override time_range for their family
  std::optional<FilterSpec> filter;
  int32_t store_limit = -1;  // most cells per row and family; -1: no limit (setMaxResultsPerColumnFamily)
  int32_t store_offset = 0;  // cells skipped per row and family before that (setRowOffsetPerColumnFamily)
  bool cache_blocks = true;
};

struct Get : ReadOptions {
  std::string row;
  bool existence_only = false;
  bool closest_row_before = false;
};

struct Scan : ReadOptions {
  RowRange rows;  // reversed: start is the larger row
  bool reversed = false;
  bool raw = false;
  int32_t limit = -1;                  // most rows; -1: no limit
  int32_t batch = -1;                  // most cells per result; -1: whole rows
  int32_t caching = -1;                // most results per answer; -1: the server's choice
  int64_t max_result_bytes = -1;       // per answer; -1: the server's limit
  bool allow_partial_results = false;  // a row may be cut where an answer reaches its size
  // Families that the filter does not need are of interest only in rows that it lets through; such a scan cannot be
  // reversed (setLoadColumnFamiliesOnDemand; HBase's servers take it for set).
  bool load_families_on_demand = true;
};

// One result: the cells [first, first + count) of a block.
struct ResultRange {
  size_t first = 0;
  size_t count = 0;
  bool partial = false;  // more cells of the same row follow in the next result
};

// The rows of one answer.
struct ResultBatch {
  CellBlock cells;
  std::vector<ResultRange> results;
  void Clear() {
    cells.Clear();
    results.clear();
  }
};

enum class MutationType { kPut, kDelete, kIncrement, kAppend };
// Returns whether such a mutation adds to the value that is there, so that to do it twice is not the same as once.
constexpr bool IsDelta(MutationType type) { return type == MutationType::kIncrement || type == MutationType::kAppend; }

// A Put, Delete, Increment or Append of one row. Cells carry family, qualifier, timestamp (kLatestTimestamp: the
// server's now), value; their row may be left empty: `row` counts. Put cells may carry their own type (a Put in HBase
// may hold delete markers only through Delete; they are refused). An Increment's values are 8-byte big-endian amounts.
// A Delete without cells deletes the row: every family at or before `timestamp_ms`.
struct Mutation {
  MutationType type = MutationType::kPut;
  std::string row;
  std::vector<Cell> cells;
  int64_t timestamp_ms = kLatestTimestamp;
  int64_t ttl_ms = kNoTtl;     // for all its cells (Mutation.setTTL)
  Durability durability{};     // kUseDefault
  bool return_results = true;  // Increment, Append
  TimeRange time_range;        // Increment, Append: which old values count
};

// If the condition on `row` holds, applies `mutations` (all of that row: one mutation, or several as RowMutations) as
// one. The condition is a column compared with a value (no comparator: the column must be absent, or with an empty
// value, as HBase's ifNotExists/checkAndPut with null), or a filter that must let something of the row through; with a
// time range either way.
struct CheckAndMutate {
  std::string row;
  std::string family;
  std::string qualifier;
  CompareOp op = CompareOp::kEqual;
  std::optional<ComparatorSpec> comparator;  // compared as HBase does: the given value against the cell's
  std::optional<FilterSpec> filter;          // instead of the column's condition
  TimeRange time_range;
  std::vector<Mutation> mutations;
};

// Several mutations of one row, applied as one.
struct RowMutations {
  std::string row;
  std::vector<Mutation> mutations;
};

// The answer to a mutation: the new cells of an Increment or Append that asked for them, and whether a condition
// held.
struct MutateResult {
  CellBlock cells;
  bool processed = true;
};

// One action of a multi-row batch, and its outcome in the same place.
using Action = std::variant<Get, Mutation, RowMutations, CheckAndMutate>;

}  // namespace vaquita
