#include "sql/engine/session.h"

#include <algorithm>
#include <utility>

#include "base/status.h"
#include "client/admin.h"
#include "sql/encoding/sql_error.h"
#include "sql/encoding/text.h"
#include "sql/encoding/value_codec.h"
#include "sql/engine/statements.h"
#include "sql/front/parser.h"

namespace vaquita::sql {

namespace {

constexpr size_t kBytesOfWord = 300;  // an Expr, and its place among its parent's children

absl::StatusOr<std::unique_ptr<PreparedStatement>> PrepareAny(SessionState* state, Statement statement) {
  if (statement.explain) return PrepareExplain(state, std::move(statement));
  if (std::holds_alternative<Select>(statement.body)) return PrepareSelect(state, std::move(statement));
  if (std::holds_alternative<Upsert>(statement.body)) return PrepareUpsert(state, std::move(statement));
  if (std::holds_alternative<Delete>(statement.body)) return PrepareDelete(state, std::move(statement));
  return PrepareDefinition(state, std::move(statement));
}

// Drivers keep a statement for days: it is prepared again when one of its tables was altered, or made anew.
class CurrentStatement : public PreparedStatement {
 public:
  CurrentStatement(SessionState* state, std::string_view text, std::unique_ptr<PreparedStatement> prepared)
      : state_(state), text_(text), prepared_(std::move(prepared)) {}

  bool is_query() const override { return prepared_->is_query(); }
  const std::vector<OutputColumn>& columns() const override { return prepared_->columns(); }
  const std::vector<SqlType>& parameters() const override { return prepared_->parameters(); }
  absl::StatusOr<int64_t> Execute(std::span<const Value> values) override {
    VAQUITA_ASSIGN_OR_RETURN(const bool is_fresh, state_->catalog.AreFresh(prepared_->tables()));
    if (is_fresh) return prepared_->Execute(values);
    VAQUITA_ASSIGN_OR_RETURN(Statement statement, ParseStatement(text_));
    VAQUITA_ASSIGN_OR_RETURN(auto again, PrepareAny(state_, std::move(statement)));
    std::vector<Value> converted;
    for (size_t i = 0; i < std::min(values.size(), parameters().size()); ++i) {
      VAQUITA_ASSIGN_OR_RETURN(Value value, CoerceValue(parameters()[i], again->parameters()[i], values[i], ""));
      converted.push_back(std::move(value));
    }
    prepared_ = std::move(again);
    return prepared_->Execute(converted);
  }
  absl::StatusOr<std::optional<std::vector<Value>>> Next() override { return prepared_->Next(); }
  int64_t rows_read() const override { return prepared_->rows_read(); }
  int64_t cells_read() const override { return prepared_->cells_read(); }
  int64_t rows_shipped() const override { return prepared_->rows_shipped(); }

 private:
  int64_t engine_bytes() const override { return prepared_->memory_bytes(); }

  SessionState* const state_;
  const std::string text_;
  std::unique_ptr<PreparedStatement> prepared_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<PreparedStatement>> Session::Prepare(std::string_view text) {
  VAQUITA_ASSIGN_OR_RETURN(Statement statement, ParseStatement(text));
  const size_t bytes = 2 * text.size() + statement.words * kBytesOfWord;
  VAQUITA_ASSIGN_OR_RETURN(auto first, PrepareAny(&state_, std::move(statement)));
  auto prepared = std::make_unique<CurrentStatement>(&state_, text, std::move(first));
  prepared->set_own_bytes(static_cast<int64_t>(bytes));
  return prepared;
}

absl::StatusOr<int64_t> SessionState::EndStatement(const absl::StatusOr<int64_t>& rows) {
  if (!rows.ok()) {
    changes.DropStatement();
    return rows;
  }
  changes.KeepStatement();
  if (auto_commit) {
    VAQUITA_ASSIGN_OR_RETURN(const int64_t ignored, changes.Write(connection));
    return *rows - ignored;
  }
  if (const absl::Status size = changes.CheckSize(); !size.ok()) {
    changes.Clear();
    return size;
  }
  return rows;
}

TableFinder SessionState::Finder() {
  return [this](const TableIdent& table) { return catalog.Find(table); };
}

std::vector<SqlType> ParameterTypes(const Resolver& resolver) {
  std::vector<SqlType> types = resolver.parameter_types();
  for (SqlType& type : types)
    if (type.is_null()) type = TypeId::kVarchar;
  return types;
}

absl::Status CheckParameters(size_t parameters, size_t values) {
  if (values >= parameters) return absl::OkStatus();
  return SqlError(ErrorCode::kParameterValueUnbound, Concat("Parameter at index ", values + 1, " is unbound"));
}

absl::Status CheckSequences(SessionState* state, const Resolver& resolver) {
  for (const auto& [name, takes] : resolver.sequences())
    if (takes > 0) VAQUITA_RETURN_IF_ERROR(state->sequences->Check(name, takes));
  return absl::OkStatus();
}

absl::Status CheckWritable(SessionState* state, const TableDef& table) {
  if (table.is_read_only()) return SqlError(ErrorCode::kReadOnlyTable);
  const auto refused = [&table](std::string_view reason) {
    return NotSupported(Concat("A write to ", table.ident.ToString(), ", because ", reason));
  };
  if (!table.not_writable.empty()) return refused(table.not_writable);
  if (table.indexes.empty()) return absl::OkStatus();
  // HBase's servers would not know of a write by Vaquita, nor Vaquita of theirs.
  VAQUITA_ASSIGN_OR_RETURN(const TableDescriptor descriptor,
                           state->connection->GetAdmin()->GetDescriptor(table.HBaseName()));
  for (const auto& [name, value] : descriptor.attributes)
    if (name.starts_with("coprocessor$")) return refused("its indexes are kept by Phoenix's coprocessors");
  return absl::OkStatus();
}

}  // namespace vaquita::sql
