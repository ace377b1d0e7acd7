// sql/plan/filter_terms.h: a condition in the form in which Phoenix evaluates it and EXPLAIN prints it.
//
// Parameters have their values, a constant stands on the right and in the type of what it is compared with, NOT stands
// outside, lists are sorted. The resolver's tree stays as it is. Threads: functions. Source: ExpressionCompiler,
// ComparisonExpression, InListExpression (5.2).
#pragma once

#include <functional>
#include <span>
#include <string>
#include <unordered_set>
#include <vector>

#include "sql/encoding/value.h"
#include "sql/front/ast.h"

namespace vaquita::sql {

// Returns the name that EXPLAIN gives a column.
using ColumnNamer = std::function<std::string(const Expr& column)>;

// Returns the expression in Phoenix's form. A condition without columns must have been computed to a literal before.
ExprPtr PlannedExpression(const Expr& expr, const ColumnNamer& name, std::span<const Value> parameters);

// Returns the comparison that holds when the sides are exchanged: ">" for "<".
std::string Flipped(const std::string& op);
// Returns whether the condition can hold for no row: FALSE, or a comparison with NULL.
bool IsNever(const Expr& planned);

// Adds the conditions between the ANDs to `*terms`, also those of ANDs within ANDs.
void AddTerms(const ExprPtr& condition, std::vector<ExprPtr>* terms);
// Returns the condition without the terms in `without` and without those that always hold; null if nothing is left.
ExprPtr WithoutTerms(const ExprPtr& condition, const std::unordered_set<const Expr*>& without);

}  // namespace vaquita::sql
