#include "sql/plan/engine_function_text.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "base/status.h"
#include "sql/encoding/sql_error.h"
#include "sql/encoding/text.h"
#include "sql/plan/engine_text.h"
#include "sql/plan/expression_parts.h"
#include "sql/plan/functions.h"
#include "sql/plan/resolver.h"

namespace vaquita::sql {
namespace {

using Text = absl::StatusOr<std::string>;

// Returns a text as functions see it: a CHAR with its blanks.
Text PaddedForm(const Expr& expr) {
  VAQUITA_ASSIGN_OR_RETURN(const std::string text, EngineExpression(expr));
  const bool padded = IsChar(expr.type) && expr.type.length.has_value();
  return padded ? Concat("px_pad(", text, ", ", *expr.type.length, ")") : text;
}

const Expr* ArrayAmong(const Expr& call) {
  for (const ExprPtr& child : call.children)
    if (child->type.array) return child.get();
  return nullptr;
}

// Returns the type of an array's elements, or of the first argument.
SqlType TypeArgument(const Expr& call) {
  if (call.type.array) return call.type.Element();
  const Expr* array = ArrayAmong(call);
  return array != nullptr ? array->type.Element() : call.children[0]->type;
}

Text ArgumentForm(const Expr& call, size_t i, ArgumentKind kind) {
  const Expr& argument = *call.children[i];
  switch (kind) {
    case ArgumentKind::kText:
    case ArgumentKind::kFormat:
      return call.text == "STRING_TO_ARRAY" ? EngineExpression(argument) : PaddedForm(argument);
    case ArgumentKind::kReal:
      return EngineExpressionAs(argument, TypeId::kDouble);
    case ArgumentKind::kMoment:
    case ArgumentKind::kDate:
      return EngineExpressionAs(argument, TypeId::kDate);
    case ArgumentKind::kElement:
      return ResultForm(argument, TypeArgument(call));
    case ArgumentKind::kArray:
      if (!argument.type.array || !call.type.array) return EngineExpression(argument);
      return EngineExpressionAs(argument, call.type);
    default:
      return EngineExpression(argument);
  }
}

Text ArgumentForms(const Expr& call, const FunctionRow& function) {
  std::string text;
  for (size_t i = 0; i < call.children.size(); ++i) {
    VAQUITA_ASSIGN_OR_RETURN(const std::string argument, ArgumentForm(call, i, function.arguments[i].kind));
    AppendText(&text, i == 0 ? "" : ", ", argument);
  }
  if (call.text.starts_with("STDDEV_")) {  // the digits of its result
    const SqlType& type = call.children[0]->type;
    const bool digits = type.kind() == ValueKind::kDecimal && type.scale.has_value();
    AppendText(&text, ", ", digits ? Concat(*type.scale) : "NULL");
  }
  if (function.typed) AppendText(&text, text.empty() ? "" : ", ", TypeCode(TypeArgument(call)));
  return text;
}

Text CountForm(const Expr& call) {
  if (call.children.empty()) return std::string("count(*)");
  VAQUITA_ASSIGN_OR_RETURN(const std::string value, EngineExpression(*call.children[0]));
  const bool distinct = call.distinct || call.text != "COUNT";
  return Concat(distinct ? "count(DISTINCT " : "count(", value, ")");
}

// Returns whether the call is NULL because an argument is the literal NULL. Phoenix looks at this before it computes.
bool HasNullLiteral(const Expr& call, const FunctionRow& function) {
  if (function.aggregate || function.rule == ResultRule::kSameArray || call.text == "COALESCE") return false;
  for (size_t i = 0; i < call.children.size(); ++i) {
    const Expr& argument = *call.children[i];
    if (IsNullLiteral(argument) && !function.arguments[i].optional) return true;
  }
  return false;
}

// ROUND, FLOOR and CEIL of a number to digits, or of a time to a unit.
Text RoundedForm(const Expr& call, const FunctionRow& function) {
  const Expr& value = *call.children[0];
  if (value.type.kind() == ValueKind::kInteger) return EngineExpression(value);
  std::string more;
  for (size_t i = 1; i < call.children.size(); ++i) {
    VAQUITA_ASSIGN_OR_RETURN(const std::string argument, EngineExpression(*call.children[i]));
    AppendText(&more, ", ", argument);
  }
  if (call.type.kind() == ValueKind::kTimestamp) {
    VAQUITA_ASSIGN_OR_RETURN(const std::string timestamp, EngineExpression(value));
    return Concat("px_", function.engine_name, "_nanos(", timestamp, ")");
  }
  if (IsTime(value.type)) {
    VAQUITA_ASSIGN_OR_RETURN(const std::string ms, EngineExpressionAs(value, TypeId::kDate));
    return Concat("px_", function.engine_name, "_date(", ms, more, ")");
  }
  VAQUITA_ASSIGN_OR_RETURN(const std::string number, EngineExpression(value));
  return Concat("px_", function.engine_name, "(", number, more, ")");
}

// TO_CHAR and TO_NUMBER take times, too.
Text OfTimeForm(const Expr& call) {
  VAQUITA_ASSIGN_OR_RETURN(const std::string ms, EngineExpressionAs(*call.children[0], TypeId::kDate));
  if (call.text == "TO_NUMBER") return Concat("px_decimal(", ms, ")");
  if (call.children.size() < 2) return Concat("px_date_text(", ms, ")");
  VAQUITA_ASSIGN_OR_RETURN(const std::string pattern, EngineExpression(*call.children[1]));
  return Concat("px_date_text(", ms, ", ", pattern, ")");
}

Text CoalesceForm(const Expr& call) {
  VAQUITA_ASSIGN_OR_RETURN(const std::string a, EngineExpressionAs(*call.children[0], call.type));
  VAQUITA_ASSIGN_OR_RETURN(std::string b, EngineExpressionAs(*call.children[1], call.type));
  const SqlType& second = call.children[1]->type;
  if (call.type.kind() == ValueKind::kInteger && second.kind() == ValueKind::kInteger && second.id != call.type.id) {
    b = Concat("px_cast_whole(", b, ", ", TypeCode(second), ", ", TypeCode(call.type), ")");  // it may not fit
  }
  return Concat("coalesce(", a, ", ", b, ")");
}

Text SumForm(const Expr& call) {
  const bool average = call.text == "AVG";
  const SqlType type = average ? SqlType(TypeId::kDecimal) : call.type;
  VAQUITA_ASSIGN_OR_RETURN(std::string value, EngineExpressionAs(*call.children[0], type));
  if (call.children.size() > 1) {  // sums of so many values (sql/plan/pushed_aggregates.h)
    VAQUITA_ASSIGN_OR_RETURN(const std::string count, EngineExpression(*call.children[1]));
    AppendText(&value, ", ", count);
  }
  if (average) return Concat("px_cut(px_avg(", value, "), ", *call.type.scale, ")");
  return Concat(type.kind() == ValueKind::kDecimal ? "px_sum(" : "sum(", value, ")");
}

// A sub-query's rows are compared one by one in the engine. One that decides counts more than a null. The smallest of
// "is not null" tells whether there is a null; a query that does not depend on the row has it once.
Text QuantifiedQueryForm(const Expr& quantified) {
  const Expr& value = *quantified.children[0];
  const Select& subquery = *quantified.subquery;
  VAQUITA_ASSIGN_OR_RETURN(const std::string query, EngineQuery(subquery));
  const SqlType other = TypesOfRows(subquery)[0];
  const SqlType common = CommonType(value.type, other).value_or(other);
  VAQUITA_ASSIGN_OR_RETURN(const std::string left, EngineExpressionAs(value, common));
  const std::string right = ConvertedForm("q.c0", other, common);
  const bool all = quantified.negated;
  return Concat("(CASE WHEN EXISTS (SELECT 1 FROM (", query, ") AS q WHERE ", all ? "NOT (" : "(", left, " ",
                quantified.text, " ", right, ")) THEN ", all ? 0 : 1, " WHEN coalesce((SELECT min(", right,
                " IS NOT NULL) FROM (", query, ") AS q), 2) + (", left, " IS NOT NULL) < 2 THEN NULL ELSE ",
                all ? 1 : 0, " END)");
}

}  // namespace

absl::StatusOr<std::string> ResultForm(const Expr& expr, const SqlType& type) {
  return expr.type.id == TypeId::kChar && type.id == TypeId::kVarchar ? PaddedForm(expr)
                                                                      : EngineExpressionAs(expr, type);
}

Text FunctionForm(const Expr& call) {
  const FunctionRow& function = *FindFunction(call.text);
  if (function.engine_name == "count") return CountForm(call);
  if (HasNullLiteral(call, function)) return std::string("NULL");
  if (call.distinct) return NotSupported(Concat(call.text, "(DISTINCT)"));
  if (call.text == "SUM" || call.text == "AVG") return SumForm(call);
  if (call.text == "COALESCE") return CoalesceForm(call);
  if (call.text == "ROWKEY_BYTES_STRING") return Concat("px_row_key_text(s", call.source, ".k)");
  if (call.text == "PHOENIX_ROW_TIMESTAMP") return Concat("s", call.source, ".t");
  if (call.text == "INVERT") return EngineExpression(*call.children[0]);
  if (function.rule == ResultRule::kRounded) return RoundedForm(call, function);
  if ((call.text == "TO_CHAR" || call.text == "TO_NUMBER") && IsTime(call.children[0]->type)) return OfTimeForm(call);
  VAQUITA_ASSIGN_OR_RETURN(const std::string arguments, ArgumentForms(call, function));
  std::string text = Concat(function.engine_name, "(", arguments, ")");
  if (IsChar(call.type) && !function.aggregate) text = Concat("rtrim(", text, ")");
  // An empty text is NULL, as those named px_ have it.
  const bool may_be_empty = IsText(call.type) && !text.starts_with("px_");
  return may_be_empty && !function.aggregate ? Concat("nullif(", text, ", '')") : text;
}

Text ConcatForm(const Expr& concat) {
  std::vector<std::string> parts;
  for (const ExprPtr& child : concat.children) {
    VAQUITA_ASSIGN_OR_RETURN(std::string part, PaddedForm(*child));
    if (!IsText(child->type) && !child->type.is_null())
      part = Concat("px_java_text(", part, ", ", TypeCode(child->type), ")");
    parts.push_back(Concat("coalesce(", part, ", '')"));
  }
  return Concat("nullif(", JoinedInGroups(std::move(parts), " || "), ", '')");
}

Text CastForm(const Expr& cast) {
  const Expr& value = *cast.children[0];
  const SqlType& from = value.type;
  const SqlType& to = cast.type;
  if (from.is_null() || from.array || to.array) return EngineExpressionAs(value, to);
  if (to.kind() == ValueKind::kInteger) {
    if (IsTime(from)) return EngineExpressionAs(value, TypeId::kDate);
    VAQUITA_ASSIGN_OR_RETURN(const std::string number, EngineExpression(value));
    if (from.id == to.id) return number;
    return Concat("px_cast_whole(", number, ", ", TypeCode(from), ", ", TypeCode(to), ")");
  }
  if (IsFloat(to) && !IsFloat(from)) {
    VAQUITA_ASSIGN_OR_RETURN(const std::string number, EngineExpression(value));
    return Concat("px_cast_float(", number, ", ", TypeCode(from), ")");
  }
  if (IsTime(from) && to.kind() == ValueKind::kDecimal) {
    VAQUITA_ASSIGN_OR_RETURN(const std::string ms, EngineExpressionAs(value, TypeId::kDate));
    return Concat("px_decimal(", ms, ")");
  }
  return from.kind() == ValueKind::kText && to.kind() == ValueKind::kText ? PaddedForm(value)
                                                                          : EngineExpressionAs(value, to);
}

// SQLite's functions have at most 127 arguments, so that a long array is made of several.
Text ArrayForm(const Expr& array) {
  constexpr size_t kMostElements = 100;
  const int64_t code = TypeCode(array.type.Element());
  std::string whole;
  for (size_t first = 0; first < array.children.size(); first += kMostElements) {
    std::string part = Concat("px_array(", code);
    for (size_t i = first; i < std::min(first + kMostElements, array.children.size()); ++i) {
      VAQUITA_ASSIGN_OR_RETURN(const std::string element, ResultForm(*array.children[i], array.type.Element()));
      AppendText(&part, ", ", element);
    }
    part += ")";
    whole = whole.empty() ? part : Concat("px_array_cat(", whole, ", ", part, ", ", code, ")");
  }
  return whole;
}

Text ElementForm(const Expr& element) {
  VAQUITA_ASSIGN_OR_RETURN(const std::string array, EngineExpression(*element.children[0]));
  VAQUITA_ASSIGN_OR_RETURN(const std::string index, EngineExpression(*element.children[1]));
  return Concat("px_array_elem(", array, ", ", index, ", ", TypeCode(element.type), ")");
}

Text QuantifiedForm(const Expr& quantified) {
  if (quantified.subquery != nullptr) return QuantifiedQueryForm(quantified);
  const Expr& value = *quantified.children[0];
  const SqlType element = quantified.children[1]->type.Element();
  const SqlType common = CommonType(value.type, element).value_or(element);
  VAQUITA_ASSIGN_OR_RETURN(const std::string left, EngineExpressionAs(value, common));
  VAQUITA_ASSIGN_OR_RETURN(const std::string array, EngineExpression(*quantified.children[1]));
  return Concat("px_quantified('", quantified.text, "', ", quantified.negated ? 1 : 0, ", ", left, ", ", array, ", ",
                TypeCode(element), ", ", TypeCode(common), ")");
}

}  // namespace vaquita::sql
