// sql/plan/decimal_types.h: the digits of the DECIMALs that operators make, as Phoenix has them.
//
// Threads: functions. Source: DecimalAddExpression, DecimalSubtractExpression, DecimalMultiplyExpression,
// DecimalDivideExpression (5.2).
#pragma once

#include <string>

#include "sql/encoding/sql_type.h"
#include "sql/front/ast.h"

namespace vaquita::sql {

// Returns the type of `number` as a DECIMAL, which an operator takes. It has no scale if Phoenix knows none.
SqlType AsDecimal(const SqlType& type);
SqlType AsDecimal(const Expr& number);

// Returns the type of a DECIMAL that the operator +, -, * or / makes of two.
SqlType DecimalOf(const std::string& op, const SqlType& a, const SqlType& b);
// Returns the type of a quotient.
SqlType QuotientOf(const Expr& dividend, const Expr& divisor);

// Marks the quotients of a query's outputs and of HAVING (Expr::cut): Phoenix's client computes these, and cuts them
// off behind the digits of their type. Its servers compute conditions, groups and the arguments of aggregates, and keep
// all digits. The query is resolved.
void CutQuotients(Select* select);
// Returns whether the output has a quotient that is not cut. Its type's scale says nothing then.
bool HasWholeQuotient(const Expr& output);

}  // namespace vaquita::sql
