#include "sql/avatica/avatica_connection.h"

#include <algorithm>
#include <utility>

#include "base/status.h"
#include "sql/encoding/sql_error.h"

namespace vaquita::sql {
namespace {

constexpr uint32_t kTransactionReadCommitted = 2;  // java.sql.Connection

}  // namespace

avatica::ConnectionProperties AvaticaConnection::Sync(const avatica::ConnectionProperties& wanted) {
  if (wanted.has_auto_commit()) {
    properties_.set_auto_commit(wanted.auto_commit());
    session_.SetAutoCommit(wanted.auto_commit());
  }
  if (wanted.has_read_only()) properties_.set_read_only(wanted.read_only());
  if (wanted.transaction_isolation() != 0) properties_.set_transaction_isolation(wanted.transaction_isolation());
  if (properties_.transaction_isolation() == 0) properties_.set_transaction_isolation(kTransactionReadCommitted);
  if (!wanted.catalog().empty()) properties_.set_catalog(wanted.catalog());
  if (!wanted.schema().empty()) properties_.set_schema(wanted.schema());
  properties_.set_has_auto_commit(true);
  properties_.set_has_read_only(true);
  return properties_;
}

AvaticaConnection::~AvaticaConnection() {
  for (const auto& [id, statement] : statements_) cache_->Remove(statement.counted);
}

AvaticaConnection::Statement* AvaticaConnection::AddStatement(uint32_t id, Statement statement) {
  if (statements_.size() >= kMostStatements) {
    RemoveStatement(
        std::ranges::min_element(statements_, {}, [](const auto& each) { return each.second.used; })->first);
  }
  statements_.try_emplace(id, std::move(statement));
  return FindStatement(id);
}

AvaticaConnection::Statement* AvaticaConnection::FindStatement(uint32_t id) {
  const auto found = statements_.find(id);
  if (found == statements_.end()) return nullptr;
  found->second.used = ++uses_;
  last_ = id;
  return &found->second;
}

void AvaticaConnection::RemoveStatement(uint32_t id) {
  const auto found = statements_.find(id);
  if (found == statements_.end()) return;
  cache_->Remove(found->second.counted);
  statements_.erase(found);
}

void AvaticaConnection::RemoveStatement(uint32_t id, uint64_t counted) {
  const auto found = statements_.find(id);
  if (found != statements_.end() && found->second.counted == counted) RemoveStatement(id);
}

void AvaticaConnection::CountUse(const std::weak_ptr<StatementCache::Owner>& owner) {
  const auto found = statements_.find(std::exchange(last_, 0));
  if (found == statements_.end()) return;
  Statement& statement = found->second;
  size_t bytes = sizeof(Statement) + statement.text.size();
  if (statement.result.has_value()) bytes += statement.result->list_bytes();
  if (statement.prepared != nullptr) bytes += static_cast<size_t>(statement.prepared->memory_bytes());
  statement.counted = cache_->Use(statement.counted, owner, found->first, static_cast<int64_t>(bytes));
}

void AvaticaConnection::Forget() {
  session_.Rollback();
  for (auto& [id, statement] : statements_) {
    statement.result.reset();  // reads from the plan
    statement.prepared.reset();
  }
}

absl::Status AvaticaConnection::Prepare(const std::string& text, Statement* statement) {
  statement->result.reset();
  statement->prepared.reset();
  VAQUITA_ASSIGN_OR_RETURN(statement->prepared, session_.Prepare(text));
  statement->text = text;
  return absl::OkStatus();
}

absl::StatusOr<int64_t> AvaticaConnection::Execute(std::span<const Value> values, Statement* statement) {
  statement->result.reset();
  PreparedStatement* prepared = statement->prepared.get();
  if (!prepared->is_query() && properties_.read_only()) return SqlError(ErrorCode::kReadOnlyConnection);
  VAQUITA_ASSIGN_OR_RETURN(const int64_t changed, prepared->Execute(values));
  if (prepared->is_query()) statement->result.emplace(prepared, statement->most_rows);
  return changed;
}

absl::StatusOr<int64_t> AvaticaConnection::ExecuteInBatch(std::span<const Value> values, Statement* statement) {
  if (statement->prepared->is_query()) return SqlError(ErrorCode::kQueryInBatch);
  return Execute(values, statement);
}

AvaticaConnection::Batch::~Batch() {
  if (ended_ || !connection_.properties_.auto_commit()) return;
  connection_.session_.Rollback();
  connection_.session_.SetAutoCommit(true);
}

absl::Status AvaticaConnection::Batch::End() {
  ended_ = true;
  if (!connection_.properties_.auto_commit()) return absl::OkStatus();
  connection_.session_.SetAutoCommit(true);
  return connection_.session_.Commit();
}

}  // namespace vaquita::sql
