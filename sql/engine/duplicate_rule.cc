#include "sql/engine/duplicate_rule.h"

#include <algorithm>
#include <string>

#include "base/status.h"
#include "sql/encoding/sql_error.h"
#include "sql/encoding/text.h"
#include "sql/encoding/value_codec.h"
#include "sql/plan/engine_text.h"
#include "sql/plan/expression_parts.h"

namespace vaquita::sql {

absl::StatusOr<std::shared_ptr<DuplicateRule>> DuplicateRule::Make(const Upsert& upsert, Resolver* resolver) {
  Scope scope;
  VAQUITA_ASSIGN_OR_RETURN(ResolvedSource table, resolver->AddTable(upsert.table, "", upsert.dynamic));
  auto rule = std::make_shared<DuplicateRule>();
  rule->table_ = table.table;
  if (rule->table_->immutable) return TableError(ErrorCode::kDuplicateKeyOfImmutable, rule->table_->ident.ToString());
  scope.sources.push_back(std::move(table));
  for (const auto& [name, value] : upsert.updates)
    VAQUITA_RETURN_IF_ERROR(rule->AddUpdate(*rule->table_, name, value.get(), scope, resolver));
  for (const auto& [name, value] : upsert.updates) rule->values_.push_back(value);
  return rule;
}

absl::Status DuplicateRule::AddUpdate(const TableDef& table, const ColumnName& name, Expr* value, const Scope& scope,
                                      Resolver* resolver) {
  const auto error = [&](ErrorCode code) { return ColumnError(code, name.name, table.ident.ToString()); };
  const int32_t target = table.FindTarget(name);
  if (target < 0) return error(ErrorCode::kUndefinedColumn);
  const ColumnDef& column = table.columns[static_cast<size_t>(target)];
  if (column.is_key()) return error(ErrorCode::kUpdateOfKeyColumn);
  if (std::ranges::find(targets_, target) != targets_.end()) return error(ErrorCode::kUpdatedTwice);
  if (HasSubquery(*value)) return NotSupported("A sub-query in ON DUPLICATE KEY UPDATE");
  targets_.push_back(target);
  VAQUITA_RETURN_IF_ERROR(resolver->Resolve(value, scope, column.type));
  if (AnyPart(*value, [](const Expr& part) { return part.kind == ExprKind::kFunction && part.source >= 0; })) {
    return NotSupported("A function of the whole row in ON DUPLICATE KEY UPDATE");
  }
  if (HasAggregate(*value)) return error(ErrorCode::kAggregateInUpdate);
  VAQUITA_RETURN_IF_ERROR(CheckCoercible(value->type, column.type));
  if (value->kind != ExprKind::kLiteral) return absl::OkStatus();
  const absl::Status fits = CoerceValue(value->type, column.type, value->literal, column.name).status();
  const absl::Status refused = ErrorOfGiven(value->type, column, value->literal, fits);
  return IsSqlError(refused, ErrorCode::kTypeMismatch) ? refused : absl::OkStatus();
}

absl::Status DuplicateRule::Prepare(const QuerySource& source, std::vector<SqlType> parameters) {
  if (ignores()) return absl::OkStatus();
  parameters_ = std::move(parameters);
  const auto first = static_cast<int32_t>(parameters_.size());
  std::string text = "SELECT ";
  std::vector<SqlType> types;
  for (ExprPtr& value : values_) {
    value = ColumnsAsParameters(value, first, &reads_, &parameters_);
    VAQUITA_ASSIGN_OR_RETURN(const std::string form, EngineExpression(*value));
    AppendText(&text, types.empty() ? "" : ", ", form);
    types.push_back(value->type);
  }
  VAQUITA_ASSIGN_OR_RETURN(query_, Query::Prepare(source, {}, text, std::move(types)));
  return absl::OkStatus();
}

absl::StatusOr<std::vector<std::pair<int32_t, Value>>> DuplicateRule::NewValues(const RowValues& row,
                                                                                std::span<const Value> parameters) {
  std::vector<Value> values(parameters.begin(), parameters.end());
  values.resize(parameters_.size() - reads_.size());
  for (const int32_t column : reads_) values.push_back(ValueIn(row, column));
  VAQUITA_RETURN_IF_ERROR(query_->Start(parameters_, values));
  VAQUITA_ASSIGN_OR_RETURN(const auto results, query_->Next());
  query_->Finish();
  std::vector<std::pair<int32_t, Value>> changes;
  for (size_t i = 0; i < targets_.size(); ++i) {
    const ColumnDef& column = table_->columns[static_cast<size_t>(targets_[i])];
    const Value given = WithBlanks(values_[i]->type, column.type, (*results)[i]);
    VAQUITA_ASSIGN_OR_RETURN(Value value, CoerceValue(values_[i]->type, column.type, given, column.name));
    changes.emplace_back(targets_[i], std::move(value));
  }
  return changes;
}

}  // namespace vaquita::sql
