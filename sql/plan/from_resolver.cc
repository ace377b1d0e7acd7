// This file has how Resolver gives the tables and sub-queries of FROM their numbers, and which joins there are.
// Phoenix: FromCompiler, JoinCompiler.
#include <algorithm>
#include <utility>
#include <vector>

#include "base/status.h"
#include "sql/catalog/dynamic_columns.h"
#include "sql/encoding/sql_error.h"
#include "sql/encoding/text.h"
#include "sql/plan/filter_terms.h"
#include "sql/plan/flattened_query.h"
#include "sql/plan/resolver.h"
#include "sql/plan/visit.h"

namespace vaquita::sql {
namespace {

// Two tables of one name, and without aliases of their own, cannot be told apart.
absl::Status CheckLastAlias(const Scope& scope) {
  const std::string& last = scope.sources.back().alias;
  const auto is_same = [&](const ResolvedSource& source) { return source.alias == last; };
  if (last.empty() || std::ranges::count_if(scope.sources, is_same) < 2) return absl::OkStatus();
  return SqlError(ErrorCode::kAmbiguousTable);
}

// The tables whose columns an expression has: the last one of FROM, and those before it.
struct JoinedTables {
  bool last = false;
  bool before = false;
};

JoinedTables TablesOf(const ExprPtr& expr, const Scope& scope) {
  JoinedTables tables;
  VisitExpr(expr, [&](const ExprPtr& part) {
    if (part->kind != ExprKind::kColumn) return true;
    const bool last = part->source == scope.sources.back().number;
    tables.last |= last;
    tables.before |=
        !last && std::ranges::find(scope.sources, part->source, &ResolvedSource::number) != scope.sources.end();
    return true;
  });
  return tables;
}

// A table is joined by what is equal to an expression over the tables before it. What else ON has is over that table.
// Source: JoinCompiler.OnNodeVisitor (5.2).
absl::Status CheckJoinCondition(const ExprPtr& on, const Scope& scope) {
  std::vector<ExprPtr> terms;
  AddTerms(on, &terms);
  for (const ExprPtr& term : terms) {
    if (!TablesOf(term, scope).before) continue;
    if (term->kind != ExprKind::kCompare || term->text != "=") return SqlError(ErrorCode::kNonEquiJoin);
    const JoinedTables left = TablesOf(term->children[0], scope);
    const JoinedTables right = TablesOf(term->children[1], scope);
    const bool each_has_one = left.last != left.before && right.last != right.before;
    if (!each_has_one || left.last == right.last) return SqlError(ErrorCode::kNonEquiJoin);
  }
  return absl::OkStatus();
}

bool HasStar(const Select& select) {
  return std::ranges::any_of(select.items, [](const SelectItem& item) { return item.expr == nullptr; }) ||
         std::ranges::any_of(select.union_all, [](const SelectPtr& next) { return HasStar(*next); });
}

}  // namespace

absl::StatusOr<ResolvedSource> Resolver::AddTable(const TableIdent& table, const std::string& alias,
                                                  const std::vector<ColumnDeclaration>& dynamic) {
  ResolvedSource source;
  VAQUITA_RETURN_IF_ERROR(CheckSources());
  VAQUITA_ASSIGN_OR_RETURN(source.table, Find(table));
  if (!dynamic.empty()) {
    VAQUITA_ASSIGN_OR_RETURN(source.table, WithDynamicColumns(*source.table, dynamic));
  }
  source.number = static_cast<int32_t>(tables_.size());
  source.alias = alias.empty() ? table.ToString() : alias;
  tables_.push_back(source.table);
  return source;
}

absl::Status Resolver::CheckSources() const {
  constexpr size_t kMostOfStatement = 1'000;
  if (tables_.size() < kMostOfStatement) return absl::OkStatus();
  return NotSupported(Concat("A statement that names more than ", kMostOfStatement, " tables and sub-queries in FROM"));
}

absl::Status Resolver::ResolveFrom(Select* select, Scope* scope) {
  constexpr size_t kMostOfFrom = 64;  // as many as SQLite joins
  if (select->from.size() > kMostOfFrom) {
    return NotSupported(Concat("FROM of more than ", kMostOfFrom, " tables and sub-queries"));
  }
  for (Source& from : select->from) {
    if (from.subquery == nullptr) {
      VAQUITA_ASSIGN_OR_RETURN(ResolvedSource source, AddTable(from.table, from.alias, from.dynamic));
      from.number = source.number;
      scope->sources.push_back(std::move(source));
    } else {
      const bool flattens = scope->outer == nullptr && !in_source_ && FlattenedQuery(*select).has_subquery();
      if (!flattens && HasStar(*from.subquery)) return NotSupported("* in this sub-query; name its columns");
      ResolvedSource source;
      const bool before = std::exchange(in_source_, true);
      auto columns = ResolveSelect(from.subquery.get(), scope->outer);
      in_source_ = before;
      VAQUITA_ASSIGN_OR_RETURN(source.columns, std::move(columns));
      for (size_t i = 0; i < source.columns.size(); ++i) {
        std::string& name = source.columns[i].name;
        if (name.empty()) name = Concat(i);  // as Phoenix calls it
      }
      VAQUITA_RETURN_IF_ERROR(CheckSources());
      source.number = static_cast<int32_t>(tables_.size());
      source.alias = from.alias;
      from.number = source.number;
      tables_.push_back(nullptr);
      scope->sources.push_back(std::move(source));
    }
    VAQUITA_RETURN_IF_ERROR(CheckLastAlias(*scope));
    if (from.on == nullptr) continue;
    VAQUITA_RETURN_IF_ERROR(ResolveCondition(from.on.get(), *scope));
    if (HasAggregate(*from.on)) return NotSupported("An aggregate in ON");
    VAQUITA_RETURN_IF_ERROR(CheckJoinCondition(from.on, *scope));
  }
  return absl::OkStatus();
}

}  // namespace vaquita::sql
