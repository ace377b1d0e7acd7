// sql/plan/flattened_query.h: finds the sub-queries of FROM that Phoenix makes one query with the query around them.
//
// The rows are the same. But Phoenix labels the outputs by the expressions over the tables behind those sub-queries,
// and takes `*` in no others. Threads: one at a time. Source: SubselectRewriter.flatten (5.2).
#pragma once

#include <cstdint>
#include <vector>

#include "sql/front/ast.h"

namespace vaquita::sql {

class FlattenedQuery {
 public:
  // The query outlives it, and need not be resolved yet.
  explicit FlattenedQuery(const Select& select);

  // Returns whether the query has taken in the sub-query of its FROM.
  bool has_subquery() const { return queries_.size() > 1; }
  // Returns the queries that are one, from the outside inwards: the FROM of the last one is what they read.
  const std::vector<const Select*>& queries() const { return queries_; }

  // Returns an output of the resolved query over what the queries read. It stays as it is if it became too large.
  ExprPtr Output(const ExprPtr& output);

 private:
  std::vector<const Select*> queries_;
  int64_t parts_ = 0;  // all outputs have so many until now
};

}  // namespace vaquita::sql
