// sql/plan/expression_parts.h: looks at the parts of an expression, outside sub-queries unless said. Threads:
// functions.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sql/front/ast.h"

namespace vaquita::sql {

// Returns whether `is` returns true for the expression or for one of its parts. Asks no further then.
bool AnyPart(const Expr& expr, const std::function<bool(const Expr&)>& is);

// Returns whether the expression is the call of an aggregate function.
bool IsAggregate(const Expr& expr);
// Return whether the expression has such a part.
bool HasAggregate(const Expr& expr);
bool HasColumn(const Expr& expr);
bool HasSubquery(const Expr& expr);
// Returns whether the expression is the literal NULL; an empty text is one, too.
bool IsNullLiteral(const Expr& expr);
// Returns whether one of the query's outputs has an aggregate function. The query need not be resolved yet.
bool HasAggregateOutput(const Select& select);
// Returns whether the query's rows are groups; it need not be resolved yet.
bool IsGrouped(const Select& select);
// Returns the first sequence in the expression; null if there is none.
const Expr* SequenceIn(const Expr& expr);
// Returns whether both have the same value in every row. Adds the number of parts that it compares, unless it is null.
bool SameExpression(const Expr& a, const Expr& b, int64_t* compared = nullptr);
// Returns whether its value is the same for all rows and known without parameters.
bool IsConstant(const Expr& expr);

// Adds the number of the expression's parts, sub-queries with them, and of the bytes of its literals. Counts no further
// than just beyond `most`.
void AddSize(const ExprPtr& expr, int64_t most, int64_t* size);
// Returns the values of a row; the value itself if it is none.
std::vector<ExprPtr> ValuesOf(const ExprPtr& value);

// Returns a copy whose parts are copies, too; sub-queries are the same.
ExprPtr CopyOf(const Expr& expr);
// Returns a column of a source.
ExprPtr ColumnExpr(int32_t source, int32_t column, std::string name, const SqlType& type);
// Returns the expression with parameters in the place of columns: `first` for the first of `*columns`, and so on. Adds
// columns that are not there, and their types to `*types`.
ExprPtr ColumnsAsParameters(const ExprPtr& expr, int32_t first, std::vector<int32_t>* columns,
                            std::vector<SqlType>* types);

}  // namespace vaquita::sql
