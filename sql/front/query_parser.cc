// This file has the part of ExpressionParser that reads SELECT.
#include <utility>

#include "base/status.h"
#include "sql/front/expression_parser.h"

namespace vaquita::sql {

absl::StatusOr<TableIdent> ExpressionParser::Table() {
  TableIdent table;
  VAQUITA_ASSIGN_OR_RETURN(table.name, tokens_.ExpectName());
  if (tokens_.TakeSymbol(".")) {
    table.schema = std::move(table.name);
    VAQUITA_ASSIGN_OR_RETURN(table.name, tokens_.ExpectName());
  }
  return table;
}

absl::StatusOr<ColumnName> ExpressionParser::NameOfColumn() {
  ColumnName column;
  VAQUITA_ASSIGN_OR_RETURN(column.name, tokens_.ExpectName());
  if (tokens_.TakeSymbol(".")) {
    column.family = std::move(column.name);
    VAQUITA_ASSIGN_OR_RETURN(column.name, tokens_.ExpectName());
  }
  return column;
}

absl::StatusOr<ColumnDeclaration> ExpressionParser::NameAndType() {
  VAQUITA_ASSIGN_OR_RETURN(ColumnName name, NameOfColumn());
  ColumnDeclaration column;
  column.family = std::move(name.family);
  column.name = std::move(name.name);
  if (tokens_.IsName()) {
    VAQUITA_ASSIGN_OR_RETURN(column.type, Type(&column.array_size, column.name));
  }
  return column;
}

absl::StatusOr<Select> ExpressionParser::Query() {
  const Nesting::Level level(&nesting_);
  VAQUITA_RETURN_IF_ERROR(NotTooDeep());
  VAQUITA_ASSIGN_OR_RETURN(Select select, SimpleQuery());
  while (tokens_.TakeWord("UNION")) {
    VAQUITA_RETURN_IF_ERROR(tokens_.ExpectWord("ALL"));
    VAQUITA_ASSIGN_OR_RETURN(Select next, SimpleQuery());
    select.union_all.push_back(std::make_shared<Select>(std::move(next)));
  }
  if (tokens_.TakeWords("ORDER", "BY")) {
    VAQUITA_ASSIGN_OR_RETURN(select.order_by, OrderBy());
  }
  VAQUITA_RETURN_IF_ERROR(Limits(&select));
  return select;
}

absl::StatusOr<SelectPtr> ExpressionParser::Subquery() {
  VAQUITA_ASSIGN_OR_RETURN(Select select, Query());
  VAQUITA_RETURN_IF_ERROR(tokens_.ExpectSymbol(")", "RPAREN"));
  return std::make_shared<Select>(std::move(select));
}

absl::StatusOr<Select> ExpressionParser::SimpleQuery() {
  VAQUITA_RETURN_IF_ERROR(tokens_.ExpectWord("SELECT"));
  Select select;
  select.distinct = tokens_.TakeWord("DISTINCT");
  if (!select.distinct) (void)tokens_.TakeWord("ALL");
  if (tokens_.TakeSymbol("*")) {  // beside it stands nothing else
    if (select.distinct) return NotSupported("SELECT DISTINCT *");
    select.items.emplace_back();
  } else {
    do {
      VAQUITA_ASSIGN_OR_RETURN(SelectItem item, Item());
      select.items.push_back(std::move(item));
    } while (tokens_.TakeSymbol(","));
  }
  if (tokens_.TakeWord("FROM")) {
    VAQUITA_ASSIGN_OR_RETURN(select.from, From());
  }
  if (tokens_.TakeWord("WHERE")) {
    VAQUITA_ASSIGN_OR_RETURN(select.where, Expression());
  }
  if (tokens_.TakeWords("GROUP", "BY")) {
    VAQUITA_ASSIGN_OR_RETURN(select.group_by, ExpressionList());
  }
  if (tokens_.TakeWord("HAVING")) {
    VAQUITA_ASSIGN_OR_RETURN(select.having, Expression());
  }
  return select;
}

absl::StatusOr<SelectItem> ExpressionParser::Item() {
  SelectItem item;
  const bool has_schema = tokens_.IsSymbol(".", 1) && tokens_.IsSymbol(".", 3) && tokens_.IsSymbol("*", 4);
  if (tokens_.IsName() && (has_schema || (tokens_.IsSymbol(".", 1) && tokens_.IsSymbol("*", 2)))) {
    while (!tokens_.TakeSymbol("*")) item.star_of += tokens_.Take().text;
    item.star_of.pop_back();  // the last point
    return item;
  }
  VAQUITA_ASSIGN_OR_RETURN(item.expr, Expression());
  if (tokens_.TakeWord("AS") || tokens_.IsName()) {
    VAQUITA_ASSIGN_OR_RETURN(item.alias, tokens_.ExpectAlias());
  }
  return item;
}

// Takes LEFT, RIGHT or FULL, if one is next.
JoinKind ExpressionParser::OuterJoin() {
  for (const auto& [word, join] :
       {std::pair("LEFT", JoinKind::kLeft), std::pair("RIGHT", JoinKind::kRight), std::pair("FULL", JoinKind::kFull)}) {
    if (!tokens_.TakeWord(word)) continue;
    (void)tokens_.TakeWord("OUTER");
    return join;
  }
  return JoinKind::kInner;
}

absl::StatusOr<std::vector<Source>> ExpressionParser::From() {
  std::vector<Source> sources;
  VAQUITA_ASSIGN_OR_RETURN(Source first, OneSource());
  sources.push_back(std::move(first));
  for (;;) {
    JoinKind join = JoinKind::kInner;
    const bool comma = tokens_.TakeSymbol(",");
    if (!comma) {
      const bool inner = tokens_.TakeWord("INNER");
      if (!inner) join = OuterJoin();
      if (!tokens_.TakeWord("JOIN")) {
        if (!inner && join == JoinKind::kInner) return sources;
        if (tokens_.IsWord("JOIN", 1)) return tokens_.Extra("JOIN");
        return tokens_.IsName() ? tokens_.Missing("JOIN") : tokens_.Mismatched("JOIN");
      }
    }
    VAQUITA_ASSIGN_OR_RETURN(Source source, OneSource());
    source.join = join;
    if (!comma) {
      VAQUITA_RETURN_IF_ERROR(tokens_.ExpectWord("ON"));
      VAQUITA_ASSIGN_OR_RETURN(source.on, Expression());
    }
    sources.push_back(std::move(source));
  }
}

absl::StatusOr<Source> ExpressionParser::OneSource() {
  Source source;
  if (tokens_.TakeSymbol("(")) {
    VAQUITA_ASSIGN_OR_RETURN(source.subquery, Subquery());
  } else {
    VAQUITA_ASSIGN_OR_RETURN(source.table, Table());
  }
  if (tokens_.TakeWord("AS") || tokens_.IsName()) {
    VAQUITA_ASSIGN_OR_RETURN(source.alias, tokens_.ExpectAlias());
  }
  if (source.subquery == nullptr && tokens_.TakeSymbol("(")) VAQUITA_RETURN_IF_ERROR(DynamicColumns(&source));
  return source;
}

absl::Status ExpressionParser::DynamicColumns(Source* source) {
  if (!tokens_.IsName()) return tokens_.Unexpected();
  do {
    VAQUITA_ASSIGN_OR_RETURN(ColumnDeclaration column, NameAndType());
    if (column.type.is_null()) return tokens_.Missing("NAME");
    source->dynamic.push_back(std::move(column));
  } while (tokens_.TakeSymbol(","));
  return tokens_.ExpectSymbol(")", "RPAREN");
}

absl::StatusOr<std::vector<OrderItem>> ExpressionParser::OrderBy() {
  std::vector<OrderItem> items;
  do {
    OrderItem& item = items.emplace_back();
    VAQUITA_ASSIGN_OR_RETURN(item.expr, Expression());
    item.descending = tokens_.TakeDescending();
    if (tokens_.TakeWord("NULLS")) {
      item.nulls_last = tokens_.TakeWord("LAST");
      if (!*item.nulls_last) VAQUITA_RETURN_IF_ERROR(tokens_.ExpectWord("FIRST"));
    }
  } while (tokens_.TakeSymbol(","));
  return items;
}

absl::Status ExpressionParser::Limits(Select* select) {
  if (tokens_.TakeWord("LIMIT")) {
    VAQUITA_ASSIGN_OR_RETURN(select->limit, LimitValue());
  }
  if (tokens_.TakeWord("OFFSET")) {
    VAQUITA_ASSIGN_OR_RETURN(select->offset, LimitValue());
    if (!tokens_.TakeWord("ROWS")) (void)tokens_.TakeWord("ROW");
  }
  if (tokens_.TakeWord("FETCH")) {
    if (!tokens_.TakeWord("FIRST")) VAQUITA_RETURN_IF_ERROR(tokens_.ExpectWord("NEXT"));
    VAQUITA_ASSIGN_OR_RETURN(select->limit, LimitValue());
    if (!tokens_.TakeWord("ROWS")) VAQUITA_RETURN_IF_ERROR(tokens_.ExpectWord("ROW"));
    VAQUITA_RETURN_IF_ERROR(tokens_.ExpectWord("ONLY"));
  }
  return absl::OkStatus();
}

}  // namespace vaquita::sql
