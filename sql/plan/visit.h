// sql/plan/visit.h: visits the expressions of a query.
//
// Threads: functions.
#pragma once

#include <functional>

#include "sql/front/ast.h"

namespace vaquita::sql {

// Takes an expression. Returns false if what that one is made of is to be left out.
using Visit = std::function<bool(const ExprPtr&)>;

// Calls `visit` with the expression, unless it is null, and with all that it is made of, also in sub-queries.
void VisitExpr(const ExprPtr& expr, const Visit& visit);
// Calls `visit` with the expressions of the query and of its sub-queries.
void VisitSelect(const Select& select, const Visit& visit);

}  // namespace vaquita::sql
