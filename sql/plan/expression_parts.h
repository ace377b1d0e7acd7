// sql/plan/expression_parts.h: looks at the parts of an expression, outside sub-queries. Threads: functions.
#pragma once

#include <cstdint>
#include <functional>

#include "sql/front/ast.h"

namespace vaquita::sql {

// Returns whether `visit` returns true for the expression and for all its parts.
bool AllParts(const Expr& expr, const std::function<bool(const Expr&)>& visit);

// Returns whether the expression is the call of an aggregate function.
bool IsAggregate(const Expr& expr);
// Returns the first sequence in the expression; null if there is none.
const Expr* SequenceIn(const Expr& expr);
// Returns whether the expression has an aggregate function outside sub-queries.
bool HasAggregate(const Expr& expr);
// Returns whether both have the same value in every row. Adds the number of parts that it compares, unless it is null.
bool SameExpression(const Expr& a, const Expr& b, int64_t* compared = nullptr);
// Returns whether its value is the same for all rows and known without parameters.
bool IsConstant(const Expr& expr);

}  // namespace vaquita::sql
