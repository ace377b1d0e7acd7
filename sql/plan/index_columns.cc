#include "sql/plan/index_columns.h"

#include <algorithm>

#include "absl/strings/str_replace.h"
#include "base/status.h"
#include "sql/encoding/index_value.h"
#include "sql/encoding/sql_error.h"
#include "sql/encoding/text.h"
#include "sql/front/parser.h"
#include "sql/front/token_reader.h"
#include "sql/plan/resolver.h"

namespace vaquita::sql {
namespace {

std::string NameText(const std::string& name) {
  const bool plain = !name.empty() && !IsDigit(name[0]) &&
                     std::ranges::all_of(name, [](char c) { return (c >= 'A' && c <= 'Z') || IsDigit(c) || c == '_'; });
  return plain && !IsReserved(name) ? name : Concat("\"", name, "\"");
}

absl::StatusOr<std::string> JoinedTexts(const std::vector<ExprPtr>& parts, std::string_view between) {
  std::string text;
  for (const ExprPtr& part : parts) {
    VAQUITA_ASSIGN_OR_RETURN(const std::string one, TextInIndex(*part));
    AppendText(&text, text.empty() ? "" : between, one);
  }
  return text;
}

}  // namespace

SqlType TypeOfIndexed(const Expr& expr) {
  SqlType type = expr.type;
  if (expr.kind != ExprKind::kColumn && type.id == TypeId::kDecimal) type.length = type.scale = std::nullopt;
  return type;
}

std::string NameInIndex(const ColumnDef& column) { return Concat(column.family, ":", column.name); }

absl::StatusOr<std::string> TextInIndex(const Expr& expr) {
  switch (expr.kind) {
    case ExprKind::kColumn:
      return Concat(expr.qualifier.empty() ? "" : Concat(NameText(expr.qualifier), "."), NameText(expr.text));
    case ExprKind::kLiteral:
      if (expr.literal.is_null()) return std::string("NULL");
      if (expr.type.kind() == ValueKind::kText || expr.type.kind() == ValueKind::kInteger ||
          expr.type.kind() == ValueKind::kDecimal) {
        return absl::StrReplaceAll(LabelOf(expr), {{"\\", "\\\\"}});  // as the lexer reads it
      }
      break;
    case ExprKind::kArithmetic: {
      VAQUITA_ASSIGN_OR_RETURN(std::string left, TextInIndex(*expr.children[0]));
      VAQUITA_ASSIGN_OR_RETURN(const std::string right, TextInIndex(*expr.children[1]));
      if (expr.continues) left = left.substr(1, left.size() - 2);  // one list of operands
      return Concat("(", left, " ", expr.text, " ", right, ")");
    }
    case ExprKind::kConcat: {
      VAQUITA_ASSIGN_OR_RETURN(const std::string text, JoinedTexts(expr.children, " || "));
      return Concat("(", text, ")");
    }
    case ExprKind::kFunction: {
      if (expr.distinct) break;
      VAQUITA_ASSIGN_OR_RETURN(const std::string arguments, JoinedTexts(expr.children, ","));
      return Concat(" ", expr.text, "(", arguments, ")");
    }
    default:
      break;
  }
  return NotSupported(Concat("An index on ", LabelOf(expr)));
}

absl::StatusOr<std::vector<ExprPtr>> ExpressionsOfIndex(const TableDef& index, const TablePtr& table, int32_t source) {
  Scope scope;
  ResolvedSource& resolved = scope.sources.emplace_back();
  resolved.number = source;
  resolved.table = table;
  resolved.alias = table->ident.name;
  std::vector<ExprPtr> expressions;
  for (const ColumnDef& column : index.columns) {
    const auto same = std::ranges::find(table->columns, column.name, NameInIndex);
    if (same != table->columns.end()) {
      const auto place = static_cast<int32_t>(same - table->columns.begin());
      expressions.push_back(ColumnExpr(source, place, same->name, same->type));
      continue;
    }
    if (!column.is_key()) return ColumnError(ErrorCode::kUndefinedColumn, column.name, index.ident.ToString());
    VAQUITA_ASSIGN_OR_RETURN(ExprPtr expr, ParseExpression(column.default_text));
    VAQUITA_RETURN_IF_ERROR(Resolver(nullptr, 0).Resolve(expr.get(), scope));
    expressions.push_back(std::move(expr));
  }
  return expressions;
}

absl::StatusOr<TablePtr> IndexForQueries(const TableDef& index, const TablePtr& table) {
  VAQUITA_ASSIGN_OR_RETURN(const std::vector<ExprPtr> expressions, ExpressionsOfIndex(index, table, 0));
  auto made = std::make_shared<TableDef>(index);
  made->indexed = table;
  for (size_t i = 0; i < expressions.size(); ++i) {
    ColumnDef& column = made->columns[i];
    const Expr& expr = *expressions[i];
    if (column.is_key() && column.type.id != expr.type.id) column.type_in_key = column.type;
    column.type = TypeOfIndexed(expr);
    column.shown_name = Concat("\"", expr.kind == ExprKind::kColumn ? expr.text : LabelOf(expr), "\"");
    if (column.type_in_key.has_value() && column.type.id != TypeId::kChar) {
      column.shown_name = Concat("TO_", column.type.Name(), "(", column.shown_name, ")");
    }
  }
  return made;
}

}  // namespace vaquita::sql
