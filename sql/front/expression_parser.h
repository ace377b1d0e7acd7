// sql/front/expression_parser.h: reads expressions and SELECT, which contain one another.
//
// Threads: one at a time.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "base/nesting.h"
#include "sql/front/ast.h"
#include "sql/front/token_reader.h"

namespace vaquita::sql {

class ExpressionParser {
 public:
  explicit ExpressionParser(TokenReader* tokens);

  absl::StatusOr<ExprPtr> Expression();
  absl::StatusOr<std::vector<ExprPtr>> ExpressionList();  // parted by commas
  absl::StatusOr<ExprPtr> Operand() { return Sum(); }     // an expression without conditions
  absl::StatusOr<Select> Query();
  absl::StatusOr<std::vector<OrderItem>> OrderBy();  // after ORDER BY
  absl::StatusOr<TableIdent> Table();
  absl::StatusOr<ColumnName> NameOfColumn();
  // Reads a column's name and its type, which has no value if none is there: X, F.X VARCHAR.
  absl::StatusOr<ColumnDeclaration> NameAndType();
  // Reads INTEGER, DECIMAL(10,2), VARCHAR(7) ARRAY[3]. `*array_size` may be null.
  absl::StatusOr<SqlType> Type(int32_t* array_size, std::string_view column);

  // Returns how many parameters were read so far.
  int32_t parameters() const { return parameters_; }

 private:
  // Return an error if what was read is nested too deep; Link counts an operator whose left operand was read.
  absl::Status NotTooDeep() const;
  absl::Status Link();
  // Counts so many leaves of trees, `times` times. Trees share what is repeated, but those who read them do not see it:
  // repeated parts within each other would take them a time and memory without bound. Returns an error beyond 500,000.
  absl::Status Repeat(int64_t leaves, int64_t times);
  // Counts the text of a literal, which repetitions copy, too.
  absl::Status CountText(const std::string& text);

  absl::StatusOr<ExprPtr> And();
  absl::StatusOr<ExprPtr> Not();
  absl::StatusOr<ExprPtr> Condition();
  // `leaves` is how many the value has.
  absl::StatusOr<ExprPtr> ConditionOn(ExprPtr value, int64_t leaves);
  absl::StatusOr<ExprPtr> RightSide();
  absl::StatusOr<ExprPtr> In(ExprPtr value, int64_t leaves, bool negated);
  using Reader = absl::StatusOr<ExprPtr> (ExpressionParser::*)();
  absl::StatusOr<ExprPtr> Sum();
  absl::StatusOr<ExprPtr> Difference();
  absl::StatusOr<ExprPtr> Operands(std::string_view op, Reader operand);
  absl::StatusOr<ExprPtr> Concatenation();
  absl::StatusOr<ExprPtr> Product();
  absl::StatusOr<ExprPtr> Unary();
  absl::StatusOr<ExprPtr> Postfix();
  absl::StatusOr<ExprPtr> Primary();
  absl::StatusOr<ExprPtr> Word();
  absl::StatusOr<ExprPtr> Sequence();
  absl::StatusOr<ExprPtr> Parenthesis();
  absl::StatusOr<ExprPtr> Number();
  absl::StatusOr<ExprPtr> Parameter();
  absl::StatusOr<ExprPtr> Case();
  absl::StatusOr<ExprPtr> Cast();
  absl::StatusOr<ExprPtr> Function(std::string name);
  absl::Status WithinGroup(Expr* call);
  absl::StatusOr<ExprPtr> Quantified(ExprPtr value, std::string_view op);
  absl::StatusOr<ExprPtr> BinaryLiteral();
  absl::StatusOr<ExprPtr> DateLiteral(TypeId type);
  // Reads expressions and the symbol behind them.
  absl::StatusOr<std::vector<ExprPtr>> List(std::string_view end, std::string_view end_name);

  // Reads a query and the parenthesis behind it.
  absl::StatusOr<SelectPtr> Subquery();
  absl::StatusOr<Select> SimpleQuery();
  absl::StatusOr<SelectItem> Item();
  absl::StatusOr<std::vector<Source>> From();
  JoinKind OuterJoin();
  absl::StatusOr<Source> OneSource();
  absl::Status DynamicColumns(Source* source);
  absl::Status Limits(Select* select);
  absl::StatusOr<ExprPtr> LimitValue();
  // Takes a number, which has to fit into an INTEGER.
  absl::StatusOr<int32_t> SmallNumber();

  TokenReader& tokens_;
  int32_t parameters_ = 0;
  int64_t leaves_ = 0;
  Nesting nesting_;
};

}  // namespace vaquita::sql
