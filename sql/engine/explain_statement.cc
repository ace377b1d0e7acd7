#include <utility>

#include "base/status.h"
#include "client/table.h"
#include "sql/encoding/sql_error.h"
#include "sql/encoding/text.h"
#include "sql/engine/statements.h"
#include "sql/front/parser.h"
#include "sql/plan/explain.h"
#include "sql/plan/index_choice.h"

namespace vaquita::sql {
namespace {

std::vector<OutputColumn> PlanColumns() {
  std::vector<OutputColumn> columns;
  for (const std::string_view name : {"PLAN", "EST_BYTES_READ", "EST_ROWS_READ", "EST_INFO_TS"}) {
    OutputColumn& column = columns.emplace_back();
    column.label = column.name = name;
    column.type = columns.size() == 1 ? TypeId::kVarchar : TypeId::kBigint;
  }
  return columns;
}

// Adds what needs no row.
void GatherConstants(const ExprPtr& expr, std::vector<ExprPtr>* constants) {
  if (expr == nullptr || expr->kind == ExprKind::kLiteral) return;
  if (expr->kind != ExprKind::kRow && IsConstant(*expr)) {
    constants->push_back(expr);
    return;
  }
  for (const ExprPtr& child : expr->children) GatherConstants(child, constants);
}

void GatherConstants(const Select& select, std::vector<ExprPtr>* constants) {
  GatherConstants(select.where, constants);
  GatherConstants(select.having, constants);
  for (const Source& from : select.from) GatherConstants(from.on, constants);
  for (const SelectPtr& next : select.union_all) GatherConstants(*next, constants);
}

// Replaces what needs no row by its value.
absl::Status ComputeConstants(const QuerySource& source, const Select& select) {
  std::vector<ExprPtr> constants;
  GatherConstants(select, &constants);
  return ComputeConstants(source, constants);
}

class ExplainStatement : public PreparedStatement {
 public:
  ExplainStatement(SessionState* state, Statement statement)
      : state_(state), statement_(std::move(statement)), columns_(PlanColumns()) {}

  absl::Status Prepare() {
    Resolver resolver(state_->Finder(), statement_.parameters);
    if (auto* select = std::get_if<Select>(&statement_.body)) {
      VAQUITA_RETURN_IF_ERROR(resolver.ResolveSelect(select).status());
    } else if (auto* upsert = std::get_if<Upsert>(&statement_.body)) {
      VAQUITA_ASSIGN_OR_RETURN(Statement again, ParseStatement(statement_.text));
      VAQUITA_RETURN_IF_ERROR(PrepareUpsert(state_, std::move(again)).status());
      if (upsert->select != nullptr) VAQUITA_RETURN_IF_ERROR(resolver.ResolveSelect(upsert->select.get()).status());
      for (const ExprPtr& value : upsert->values) VAQUITA_RETURN_IF_ERROR(resolver.ResolveOutput(value.get(), Scope()));
    } else if (const auto* body = std::get_if<Delete>(&statement_.body)) {
      VAQUITA_ASSIGN_OR_RETURN(const ResolvedSource source, resolver.AddTable(body->table, ""));
      VAQUITA_ASSIGN_OR_RETURN(keys_, KeysToDelete(*body, source, &resolver));
    }
    if (statement_.analyze) VAQUITA_RETURN_IF_ERROR(PrepareToRun());
    context_.tables = resolver.tables();
    VAQUITA_RETURN_IF_ERROR(UseIndexesIn(&keys_));
    VAQUITA_RETURN_IF_ERROR(CheckSequences(state_, resolver));
    parameters_ = ParameterTypes(resolver);
    context_.sequences = resolver.sequences().size();
    context_.region_starts = [this](const TableDef& table) { return RegionStarts(table); };
    return absl::OkStatus();
  }

  bool is_query() const override { return true; }
  std::vector<TablePtr> tables() const override { return context_.tables; }
  const std::vector<OutputColumn>& columns() const override { return columns_; }
  const std::vector<SqlType>& parameters() const override { return parameters_; }
  absl::StatusOr<int64_t> Execute(std::span<const Value> values) override {
    VAQUITA_RETURN_IF_ERROR(CheckParameters(parameters_.size(), values.size()));
    context_.parameters = values;
    context_.auto_commit = state_->auto_commit;
    VAQUITA_ASSIGN_OR_RETURN(plan_, Explain());
    if (analyzed_ != nullptr) VAQUITA_RETURN_IF_ERROR(RunAndCount(values));
    next_ = 0;
    return 0;
  }
  absl::StatusOr<std::optional<std::vector<Value>>> Next() override {
    if (next_ == plan_.lines.size()) return std::nullopt;
    const auto number = [](std::optional<int64_t> value) { return value.has_value() ? Value(*value) : Value(); };
    // The estimates come from the statement alone, at no time of any statistics.
    return std::vector<Value>{plan_.lines[next_++], number(plan_.bytes), number(plan_.rows),
                              plan_.rows.has_value() ? Value(int64_t{0}) : Value()};
  }
  int64_t rows_read() const override { return 0; }

 private:
  int64_t engine_bytes() const override { return analyzed_ == nullptr ? 0 : analyzed_->memory_bytes(); }

  absl::Status PrepareToRun() {
    if (!std::holds_alternative<Select>(statement_.body)) return NotSupported("EXPLAIN ANALYZE of another than SELECT");
    VAQUITA_ASSIGN_OR_RETURN(Statement again, ParseStatement(statement_.text));
    VAQUITA_ASSIGN_OR_RETURN(analyzed_, PrepareSelect(state_, std::move(again)));
    return absl::OkStatus();
  }

  absl::Status RunAndCount(std::span<const Value> values) {
    const int64_t read_before = analyzed_->rows_read();
    const int64_t sent_before = analyzed_->rows_shipped();
    VAQUITA_RETURN_IF_ERROR(analyzed_->Execute(values).status());
    int64_t rows = 0;
    for (;; ++rows) {
      VAQUITA_ASSIGN_OR_RETURN(const auto row, analyzed_->Next());
      if (!row.has_value()) break;
    }
    plan_.lines.push_back(Concat("ROWS READ: ", analyzed_->rows_read() - read_before,
                                 ", SENT BY REGIONS: ", analyzed_->rows_shipped() - sent_before, ", ANSWERED: ", rows));
    return absl::OkStatus();
  }

  absl::Status UseIndexesIn(Select* keys) {
    Select* query = std::get_if<Select>(&statement_.body);
    if (auto* upsert = std::get_if<Upsert>(&statement_.body)) query = upsert->select.get();
    if (std::holds_alternative<Delete>(statement_.body)) query = keys;
    return query == nullptr ? absl::OkStatus() : UseIndexes(statement_.hints, query, &context_.tables);
  }

  absl::StatusOr<Explanation> Explain() {
    if (const auto* select = std::get_if<Select>(&statement_.body)) {
      VAQUITA_RETURN_IF_ERROR(ComputeConstants(state_->Source(), *select));
      return ExplainSelect(*select, context_);
    }
    if (std::holds_alternative<Delete>(statement_.body)) {
      VAQUITA_RETURN_IF_ERROR(ComputeConstants(state_->Source(), keys_));
      return ExplainDelete(keys_, context_);
    }
    if (const auto* upsert = std::get_if<Upsert>(&statement_.body)) {
      if (upsert->select == nullptr) return ExplainUpsertValues(context_);
      VAQUITA_RETURN_IF_ERROR(ComputeConstants(state_->Source(), *upsert->select));
      return ExplainUpsertSelect(*upsert->select, upsert->table, context_);
    }
    std::string line = "DROP TABLE";
    if (std::holds_alternative<CreateIndex>(statement_.body)) line = "CREATE INDEX";
    if (std::holds_alternative<DropIndex>(statement_.body)) line = "DROP INDEX";
    if (std::holds_alternative<AlterIndex>(statement_.body)) line = "ALTER INDEX";
    if (std::holds_alternative<CreateTable>(statement_.body)) line = "CREATE TABLE";
    if (std::holds_alternative<AlterTable>(statement_.body)) line = "ALTER TABLE";
    if (std::holds_alternative<CreateSequence>(statement_.body)) line = "CREATE SEQUENCE";
    if (std::holds_alternative<DropSequence>(statement_.body)) line = "DROP SEQUENCE";
    return Explanation{{line}, 0, 0};
  }

  absl::StatusOr<std::vector<std::string>> RegionStarts(const TableDef& table) const {
    VAQUITA_ASSIGN_OR_RETURN(const auto regions, state_->connection->GetTable(table.HBaseName())->RegionLocations());
    std::vector<std::string> starts;
    for (const client::RegionLocation& region : regions) starts.push_back(region.info.start_key);
    return starts;
  }

  SessionState* const state_;
  Statement statement_;
  std::unique_ptr<PreparedStatement> analyzed_;  // EXPLAIN ANALYZE runs it
  Select keys_;                                  // the keys of the rows that DELETE removes
  ExplainContext context_;
  std::vector<OutputColumn> columns_;
  std::vector<SqlType> parameters_;
  Explanation plan_;
  size_t next_ = 0;
};

}  // namespace

absl::StatusOr<std::unique_ptr<PreparedStatement>> PrepareExplain(SessionState* state, Statement statement) {
  auto prepared = std::make_unique<ExplainStatement>(state, std::move(statement));
  VAQUITA_RETURN_IF_ERROR(prepared->Prepare());
  return prepared;
}

}  // namespace vaquita::sql
