// sql/plan/explain.h: a resolved statement's plan in the words of Phoenix's EXPLAIN.
//
// The plan is the one that Phoenix has for the statement. docs/sql.md says where Vaquita goes another way. Threads:
// functions. Source: ExplainTable, ScanPlan, AggregatePlan, HashJoinPlan, UnionPlan (5.2).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "sql/catalog/table_def.h"
#include "sql/encoding/value.h"
#include "sql/front/ast.h"

namespace vaquita::sql {

// A plan's lines, and the estimates beside each of them. Without statistics a plan has estimates if its keys or its
// LIMIT say how many rows it reads.
struct Explanation {
  std::vector<std::string> lines;
  std::optional<int64_t> rows;
  std::optional<int64_t> bytes;
};

// A plan depends on these beside the statement.
struct ExplainContext {
  std::vector<TablePtr> tables;  // by the statement's numbers
  // Returns the first keys of the table's regions, in order.
  std::function<absl::StatusOr<std::vector<std::string>>(const TableDef&)> region_starts;
  std::span<const Value> parameters;
  size_t sequences = 0;  // rows take values of so many
  bool auto_commit = true;
};

// Constants in the statements must have been computed to literals. Returns NotSupported, which names it, for a
// statement whose plan Vaquita cannot word.
absl::StatusOr<Explanation> ExplainSelect(const Select& select, const ExplainContext& context);
// `select` finds the keys of the rows to remove.
absl::StatusOr<Explanation> ExplainDelete(const Select& select, const ExplainContext& context);
Explanation ExplainUpsertValues(const ExplainContext& context);
absl::StatusOr<Explanation> ExplainUpsertSelect(const Select& select, const TableIdent& into,
                                                const ExplainContext& context);

}  // namespace vaquita::sql
