// This file has how Resolver checks functions and arrays, and gives them their types. Phoenix: FunctionParseNode.
#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_join.h"
#include "base/status.h"
#include "sql/encoding/sql_error.h"
#include "sql/encoding/text.h"
#include "sql/encoding/value_codec.h"
#include "sql/plan/functions.h"
#include "sql/plan/resolver.h"

namespace vaquita::sql {
namespace {

constexpr int32_t kAverageScale = 4;  // an average has at least so many digits after the point
constexpr std::string_view kFormats = "HEX, BASE62, BASE64, ASCII";

absl::Status WrongArgument(std::string_view expected, std::string_view got, const Expr& call, size_t argument) {
  return SqlError(ErrorCode::kTypeMismatch,
                  Concat("expected: ", expected, " but was: ", got, " at ", call.text, " argument ", argument + 1));
}

// Returns the type that a NULL or a parameter without a type gets in the argument's place.
SqlType TypeOfNull(ArgumentKind kind) {
  switch (kind) {
    case ArgumentKind::kText:
    case ArgumentKind::kTextOrMoment:
    case ArgumentKind::kUnit:
    case ArgumentKind::kFormat:
      return TypeId::kVarchar;
    case ArgumentKind::kNumber:
    case ArgumentKind::kMomentOrNumber:
      return TypeId::kDecimal;
    case ArgumentKind::kReal:
      return TypeId::kDouble;
    case ArgumentKind::kBigint:
      return TypeId::kBigint;
    case ArgumentKind::kInteger:
    case ArgumentKind::kSmall:
      return TypeId::kInteger;
    case ArgumentKind::kBoolean:
      return TypeId::kBoolean;
    case ArgumentKind::kDate:
      return TypeId::kDate;
    case ArgumentKind::kMoment:
      return TypeId::kTimestamp;
    case ArgumentKind::kBytes:
      return TypeId::kVarbinary;
    default:
      return {};
  }
}

bool HasText(const Value& value) { return std::holds_alternative<std::string>(value); }

absl::Status CheckArgument(const Expr& call, const FunctionRow& function, size_t i) {
  const ArgumentRow& row = function.arguments[i];
  const Expr& argument = *call.children[i];
  if (!Accepts(row.kind, argument.type)) {
    const auto names = TypeNamesOf(row.kind);
    std::string expected = "[";
    for (const std::string_view name : names) AppendText(&expected, expected.size() == 1 ? "" : ", ", name);
    return WrongArgument(expected + "]", argument.type.Name(), call, i);
  }
  const bool constant = argument.kind == ExprKind::kParameter || IsConstant(argument);
  if (row.constant && !constant) return WrongArgument("constant", LabelOf(argument), call, i);
  if (row.kind == ArgumentKind::kFormat && argument.kind == ExprKind::kLiteral && HasText(argument.literal)) {
    std::string format = argument.literal.text();
    absl::AsciiStrToUpper(&format);
    if (Concat(", ", kFormats, ",").find(Concat(", ", format, ",")) == std::string::npos) {
      return WrongArgument(Concat("[", kFormats, "]"), argument.literal.text(), call, i);
    }
  }
  const bool is_fraction = call.text.starts_with("PERCENTILE_") && i == 2 && argument.kind == ExprKind::kLiteral;
  if (is_fraction && !argument.literal.is_null()) {
    VAQUITA_ASSIGN_OR_RETURN(const Value value, CoerceValue(argument.type, TypeId::kDecimal, argument.literal, ""));
    if (value.decimal().unscaled() < 0 || value.decimal() > Decimal(1)) {
      return SqlError(ErrorCode::kValueOutsideRange, Concat("expected: [0 , 1] but was: ", value.decimal().ToString(),
                                                            " at ", call.text, " argument ", i + 1));
    }
  }
  return absl::OkStatus();
}

// A date is rounded to a unit of time, which has to be there.
absl::Status CheckUnit(const Expr& call) {
  constexpr std::array<std::string_view, 8> kUnits = {"DAY",         "HOUR", "MINUTE", "SECOND",
                                                      "MILLISECOND", "WEEK", "MONTH",  "YEAR"};
  const std::string all =
      Concat("Only a time unit value that belongs to one of these : ",
             absl::StrJoin(kUnits, ", ", [](auto* out, auto u) { out->append(u); }), " is allowed.");
  const Expr* unit = call.children.size() > 1 ? call.children[1].get() : nullptr;
  if (unit == nullptr || IsNullLiteral(*unit)) {
    return SqlError(ErrorCode::kIllegalData, Concat("No time unit value specified. ", all));
  }
  if (unit->kind != ExprKind::kLiteral) return absl::OkStatus();  // the engine checks it
  std::string name = HasText(unit->literal) ? unit->literal.text() : unit->text;
  absl::AsciiStrToUpper(&name);
  if (std::ranges::find(kUnits, name) != kUnits.end()) return absl::OkStatus();
  return SqlError(ErrorCode::kIllegalData, Concat("Invalid value of time unit ", name, ". ", all));
}

std::optional<int64_t> ConstantInteger(const Expr& call, size_t i) {
  if (i >= call.children.size()) return std::nullopt;
  const auto* number = std::get_if<int64_t>(&call.children[i]->literal);
  return number == nullptr ? std::nullopt : std::optional(*number);
}

// Returns the type of a part of a text: of a CHAR if it is clear how long the part is.
SqlType PartType(const Expr& call) {
  const SqlType& whole = call.children[0]->type;
  const auto from = ConstantInteger(call, 1);
  const auto length = ConstantInteger(call, 2);
  if (whole.id != TypeId::kChar) return TypeId::kVarchar;
  if (length.has_value())
    return {TypeId::kChar, static_cast<int32_t>(std::clamp<int64_t>(*length, 0, kMostFixedBytes))};
  if (call.children.size() > 2 || !from.has_value()) return TypeId::kVarchar;
  const int64_t rest =
      *from < 0 ? -std::max<int64_t>(*from, INT32_MIN) : whole.length.value_or(0) - *from + (*from == 0 ? 0 : 1);
  return {TypeId::kChar, static_cast<int32_t>(std::clamp<int64_t>(rest, 0, kMostFixedBytes))};
}

SqlType ArrayOf(const SqlType& element) {
  SqlType array = element;
  array.array = !element.is_null();
  return array;
}

// Returns whether the call rounds a TIMESTAMP's nanoseconds. All else makes it a DATE.
bool RoundsNanos(const Expr& call) {
  if (call.children[0]->type.kind() != ValueKind::kTimestamp || call.children.size() < 2) return false;
  const Expr& unit = *call.children[1];
  const bool one = call.children.size() < 3 || call.children[2]->literal == Value(int64_t{1});
  const bool milliseconds =
      unit.kind == ExprKind::kLiteral && HasText(unit.literal) && SameIgnoringCase(unit.literal.text(), "MILLISECOND");
  return milliseconds && one && (call.text == "ROUND" || call.text == "CEIL");
}

SqlType RoundedType(const SqlType& type) {
  if (type.kind() == ValueKind::kInteger || type.kind() == ValueKind::kMillis) return type;
  if (type.id == TypeId::kTimestamp) return TypeId::kDate;
  if (type.id == TypeId::kUnsignedTimestamp) return TypeId::kUnsignedDate;
  return TypeId::kDecimal;
}

SqlType SumType(const SqlType& type) {
  if (type.kind() == ValueKind::kInteger) return TypeId::kBigint;
  return type.kind() == ValueKind::kReal ? TypeId::kDouble : TypeId::kDecimal;
}

SqlType ResultOf(const Expr& call, const FunctionRow& function) {
  const auto type = [&](size_t i) { return call.children[i]->type; };
  switch (function.rule) {
    case ResultRule::kFixed:
      break;
    case ResultRule::kFirst:
      if (type(0).is_null()) return TypeOfNull(function.arguments[0].kind);
      return type(0).id == TypeId::kDecimal && !type(0).array ? SqlType(TypeId::kDecimal) : type(0);
    case ResultRule::kSum:
      return SumType(type(0));
    case ResultRule::kRounded:
      return RoundsNanos(call) ? type(0) : RoundedType(type(0));
    case ResultRule::kPart:
      return PartType(call);
    case ResultRule::kElementOf:
      return type(0).Element();
    case ResultRule::kSameArray:
      for (size_t i = 0; i < 2; ++i)
        if (type(i).array) return type(i);
      return ArrayOf(function.arguments[0].kind == ArgumentKind::kElement ? type(0) : type(1));
    case ResultRule::kArrayOf:
      return ArrayOf(function.result == TypeId::kNull ? type(0) : SqlType(function.result));
    case ResultRule::kValue:
      return type(2);
    case ResultRule::kValues:
      return ArrayOf(type(2));
  }
  if (function.result == TypeId::kBinary) return {TypeId::kBinary, 16};  // MD5
  return function.result;
}

// An element has the type of the array, or one whose values all are of that type.
absl::Status CheckElements(const Expr& call) {
  const SqlType element = call.type.Element();
  for (const ExprPtr& child : call.children) {
    const SqlType other = child->type.Element();
    if (other.is_null() || element.is_null()) continue;
    const bool whole = other.kind() == ValueKind::kInteger && element.kind() == ValueKind::kInteger;
    const bool narrower =
        !whole || (RowOf(other.id).min >= RowOf(element.id).min && RowOf(other.id).max <= RowOf(element.id).max);
    const bool text = other.kind() == ValueKind::kText && element.kind() == ValueKind::kText;
    const bool number = IsNumber(other) && IsNumber(element) && (whole || element.kind() != ValueKind::kInteger);
    if (other.id != element.id && !text && !(number && narrower)) {
      return SqlError(ErrorCode::kTypeMismatch, Concat(element.Name(), " and ", other.Name()));
    }
  }
  return absl::OkStatus();
}

absl::Status CheckCoalesce(const Expr& call) {
  const SqlType& first = call.children[0]->type;
  const Expr& second = *call.children[1];
  if (first.is_null() || second.type.is_null()) return absl::OkStatus();
  const auto mismatch = [&] {
    return SqlError(ErrorCode::kTypeMismatch,
                    Concat("COALESCE expected ", first.Name(), ", but got ", second.type.Name()));
  };
  if (first.array != second.type.array) return mismatch();
  if (first.id == second.type.id) return absl::OkStatus();
  if (first.array) return mismatch();
  const bool literal = second.kind == ExprKind::kLiteral;
  const bool fits = IsNumber(first) && IsNumber(second.type) &&
                    (!literal || first.kind() != ValueKind::kInteger || second.type.kind() == ValueKind::kInteger);
  const bool text = first.kind() == ValueKind::kText && IsNumber(second.type) && !literal;
  if (fits || text || first.kind() == second.type.kind() || (IsTime(first) && IsTime(second.type)))
    return absl::OkStatus();
  return mismatch();
}

}  // namespace

absl::Status Resolver::ResolveArguments(Expr* call, const FunctionRow& function, const Scope& scope) {
  const bool elements = function.rule == ResultRule::kSameArray || call->text == "COALESCE";
  // A parameter has the type of the other argument.
  SqlType other;
  for (size_t i = 0; i < call->children.size(); ++i) {
    Expr* child = call->children[i].get();
    if (elements && child->kind == ExprKind::kParameter) continue;
    // A number is rounded to digits, a time to a unit.
    const bool digits = function.arguments[i].kind == ArgumentKind::kUnit && IsNumber(call->children[0]->type);
    VAQUITA_RETURN_IF_ERROR(
        Resolve(child, scope, digits ? SqlType(TypeId::kInteger) : TypeOfNull(function.arguments[i].kind)));
    other = child->type;
  }
  for (size_t i = 0; elements && i < call->children.size(); ++i) {
    if (call->children[i]->kind != ExprKind::kParameter) continue;
    const bool array = function.arguments[i].kind == ArgumentKind::kArray;
    SqlType wanted = function.rule == ResultRule::kSameArray ? other.Element() : other;
    if (array) wanted.array = true;
    if (call->text == "COALESCE") wanted = ParameterBeside(wanted);
    VAQUITA_RETURN_IF_ERROR(Resolve(call->children[i].get(), scope, wanted));
  }
  return absl::OkStatus();
}

absl::Status Resolver::ResolveFunction(Expr* expr, const Scope& scope) {
  const FunctionRow* function = FindFunction(expr->text);
  const size_t count = expr->children.size();
  const auto required = [](const ArgumentRow& row) { return row.kind != ArgumentKind::kNone && !row.optional; };
  const bool fits = function != nullptr && count <= function->arguments.size() &&
                    (count == 0 || function->arguments[count - 1].kind != ArgumentKind::kNone) &&
                    std::none_of(function->arguments.begin() + static_cast<std::ptrdiff_t>(count),
                                 function->arguments.end(), required);
  if (!fits) return SqlError(ErrorCode::kUnknownFunction, Concat("functionName=[", expr->text, "]"));
  // A literal NULL in place of what may be left out is the same as leaving it out.
  while (!expr->children.empty() && function->arguments[expr->children.size() - 1].optional && !function->aggregate &&
         IsNullLiteral(*expr->children.back())) {
    expr->children.pop_back();
  }
  if (expr->text == "ROWKEY_BYTES_STRING" || expr->text == "PHOENIX_ROW_TIMESTAMP") {
    if (scope.sources.empty() || scope.sources.front().table == nullptr) {
      return NotSupported(Concat(expr->text, " of anything but a table's rows"));
    }
    expr->source = scope.sources.front().number;
  }
  VAQUITA_RETURN_IF_ERROR(ResolveArguments(expr, *function, scope));
  for (size_t i = 0; function->aggregate && i < expr->children.size(); ++i) {
    if (HasAggregate(*expr->children[i])) return NotSupported("An aggregate of an aggregate");
    const Expr* sequence = SequenceIn(*expr->children[i]);
    if (sequence != nullptr) return MisplacedSequence(*sequence);
  }
  for (size_t i = 0; i < expr->children.size(); ++i) VAQUITA_RETURN_IF_ERROR(CheckArgument(*expr, *function, i));
  expr->type = ResultOf(*expr, *function);
  if (expr->text == "AVG") expr->type.scale = std::max(expr->children[0]->type.scale.value_or(0), kAverageScale);
  if (expr->text == "COALESCE") {
    // The second value may have more digits.
    if (expr->type.id == TypeId::kDecimal) expr->type.length = expr->type.scale = std::nullopt;
    return CheckCoalesce(*expr);
  }
  if (function->rule == ResultRule::kSameArray) return CheckElements(*expr);
  if (function->rule == ResultRule::kRounded && IsTime(expr->children[0]->type)) return CheckUnit(*expr);
  return absl::OkStatus();
}

absl::Status Resolver::ResolveArray(Expr* expr, const Scope& scope) {
  SqlType element;
  bool any_null = false;
  for (const ExprPtr& child : expr->children) {
    if (child->kind == ExprKind::kParameter) continue;
    VAQUITA_RETURN_IF_ERROR(Resolve(child.get(), scope));
    const SqlType& type = child->type;
    if (type.array) return NotSupported("An array of arrays");
    VAQUITA_ASSIGN_OR_RETURN(element, TypeOfResults(element, type));
    any_null = any_null || type.is_null();
  }
  for (const ExprPtr& child : expr->children)
    if (child->kind == ExprKind::kParameter) VAQUITA_RETURN_IF_ERROR(ResolveParameter(child.get(), element));
  if (any_null && IsNumber(element)) element = TypeId::kDecimal;
  if (element.is_null()) element = TypeId::kVarchar;
  expr->type = ArrayOf(element);
  return absl::OkStatus();
}

absl::Status Resolver::ResolveElement(Expr* expr, const Scope& scope) {
  VAQUITA_RETURN_IF_ERROR(ResolveChildren(expr, scope, TypeId::kInteger));
  for (size_t i = 0; i < 2; ++i) {
    const ArgumentKind kind = i == 0 ? ArgumentKind::kArray : ArgumentKind::kInteger;
    if (Accepts(kind, expr->children[i]->type)) continue;
    Expr call;
    call.text = "ARRAY_ELEM";
    return WrongArgument(i == 0 ? "[BINARY ARRAY, VARBINARY ARRAY]" : "[INTEGER]", expr->children[i]->type.Name(), call,
                         i);
  }
  expr->type = expr->children[0]->type.Element();
  return absl::OkStatus();
}

absl::Status Resolver::ResolveQuantified(Expr* expr, const Scope& scope) {
  expr->type = TypeId::kBoolean;
  Expr* value = expr->children[0].get();
  bool is_resolved = false;
  SqlType other;
  if (expr->subquery != nullptr) {
    VAQUITA_ASSIGN_OR_RETURN(const std::vector<OutputColumn> columns, ResolveSelect(expr->subquery.get(), &scope));
    if (columns.size() != 1) return NotSupported("ANY or ALL of a sub-query of several columns");
    other = columns[0].type;
  } else {
    Expr* array = expr->children[1].get();
    if (array->kind == ExprKind::kParameter) {
      VAQUITA_RETURN_IF_ERROR(Resolve(value, scope));
      // A parameter takes its type from an array whose own type is known. All else is resolved once: it may have ANY
      // in it, and so on.
      is_resolved = value->kind != ExprKind::kParameter;
    }
    VAQUITA_RETURN_IF_ERROR(Resolve(array, scope, ArrayOf(value->type)));
    if (!array->type.array && !array->type.is_null()) {
      return SqlError(ErrorCode::kTypeMismatch,
                      Concat("ANY and ALL compare with an array or a sub-query, not with ", array->type.Name()));
    }
    other = array->type.Element();
  }
  if (!is_resolved) VAQUITA_RETURN_IF_ERROR(Resolve(value, scope, ComparedParameter(other)));
  const SqlType& left = value->type;
  if (CommonType(left, other).has_value()) return absl::OkStatus();
  return MismatchIn(left, other, *expr);
}

absl::Status Resolver::ResolveCast(Expr* expr, const Scope& scope) {
  VAQUITA_RETURN_IF_ERROR(ResolveChildren(expr, scope, expr->type));
  const SqlType& from = expr->children[0]->type;
  const SqlType& to = expr->type;
  const bool number_of_time =
      IsTime(from) && (to.id == TypeId::kBigint || to.id == TypeId::kUnsignedLong || to.id == TypeId::kDecimal) &&
      !to.array;
  const bool time_of_text = from.kind() == ValueKind::kText && IsTime(to.Element());
  if (!time_of_text && (IsCoercible(from, to) || number_of_time)) {
    // Phoenix cuts nothing off. A driver would fail for a value with more digits than its type.
    if (from.id == to.id && from.array == to.array) {
      expr->type = from;
    } else if (to.id == TypeId::kDecimal) {
      expr->type.length = expr->type.scale = std::nullopt;
    }
    return absl::OkStatus();
  }
  return MismatchIn(from, to, *expr->children[0]);
}

}  // namespace vaquita::sql
