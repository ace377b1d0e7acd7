#include "sql/engine/session.h"

#include <utility>

#include "base/status.h"
#include "client/admin.h"
#include "sql/encoding/sql_error.h"
#include "sql/encoding/text.h"
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

}  // namespace

absl::StatusOr<std::unique_ptr<PreparedStatement>> Session::Prepare(std::string_view text) {
  VAQUITA_ASSIGN_OR_RETURN(Statement statement, ParseStatement(text));
  const size_t bytes = 2 * text.size() + statement.words * kBytesOfWord;
  VAQUITA_ASSIGN_OR_RETURN(auto prepared, PrepareAny(&state_, std::move(statement)));
  prepared->set_own_bytes(static_cast<int64_t>(bytes));
  return prepared;
}

absl::StatusOr<int64_t> SessionState::EndStatement(const absl::StatusOr<int64_t>& rows) {
  if (!rows.ok()) {
    if (auto_commit) changes.Clear();
    return rows;
  }
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
