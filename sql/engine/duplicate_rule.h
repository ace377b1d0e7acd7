// sql/engine/duplicate_rule.h: ON DUPLICATE KEY: what an UPSERT does with a row that is there.
//
// Threads: one at a time. Source: UpsertCompiler, PhoenixIndexBuilder.executeAtomicOp (5.2).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "sql/engine/query.h"
#include "sql/engine/row_writer.h"
#include "sql/front/ast.h"
#include "sql/plan/resolver.h"

namespace vaquita::sql {

class DuplicateRule {
 public:
  // Resolves the statement's UPDATE clauses. Returns Phoenix's errors for those that cannot be.
  static absl::StatusOr<std::shared_ptr<DuplicateRule>> Make(const Upsert& upsert, Resolver* resolver);
  // Completes the rule when all parameters of the statement have their types.
  absl::Status Prepare(const QuerySource& source, std::vector<SqlType> parameters);

  // Returns the columns whose values the expressions need.
  const std::vector<int32_t>& reads() const { return reads_; }
  // Returns the columns that the rule writes.
  const std::vector<int32_t>& targets() const { return targets_; }
  // Returns whether the row stays as it is: IGNORE.
  bool ignores() const { return targets_.empty(); }
  int64_t memory_bytes() const { return query_ == nullptr ? 0 : query_->memory_bytes(); }
  // Returns the new values of a row with the values `row`. `parameters` are the statement's. Returns the errors of
  // expressions, and of values that do not fit.
  absl::StatusOr<std::vector<std::pair<int32_t, Value>>> NewValues(const RowValues& row,
                                                                   std::span<const Value> parameters);

 private:
  absl::Status AddUpdate(const TableDef& table, const ColumnName& name, Expr* value, const Scope& scope,
                         Resolver* resolver);

  TablePtr table_;
  std::vector<ExprPtr> values_;
  std::vector<int32_t> targets_;
  std::vector<int32_t> reads_;
  std::vector<SqlType> parameters_;  // the statement's, and those for the columns that are read
  std::unique_ptr<Query> query_;
};

}  // namespace vaquita::sql
