#include "sql/engine/pending_changes.h"

#include "base/status.h"
#include "client/table.h"
#include "sql/engine/row_writer.h"

namespace vaquita::sql {
namespace {

const std::string& RowOf(const Action& action) {
  if (const auto* mutations = std::get_if<RowMutations>(&action)) return mutations->row;
  return std::get<Mutation>(action).row;
}

}  // namespace

absl::Status PendingChanges::Upsert(const std::shared_ptr<const TableDef>& table,
                                    std::vector<std::pair<int32_t, Value>> values) {
  VAQUITA_ASSIGN_OR_RETURN(const Action action, UpsertAction(*table, values));
  Table& pending = tables_[table->ident];
  pending.def = table;
  const auto [row, added] = pending.rows.try_emplace(RowOf(action));
  rows_ += added ? 1 : 0;
  for (auto& [column, value] : values) row->second.values.insert_or_assign(column, std::move(value));
  return absl::OkStatus();
}

void PendingChanges::Delete(const std::shared_ptr<const TableDef>& table, const std::vector<Value>& key) {
  Table& pending = tables_[table->ident];
  pending.def = table;
  const Action action = DeleteAction(*table, key);
  const auto [row, added] = pending.rows.try_emplace(RowOf(action));
  rows_ += added ? 1 : 0;
  row->second.removed = true;
  row->second.values.clear();
}

void PendingChanges::Clear() {
  tables_.clear();
  rows_ = 0;
}

absl::Status PendingChanges::Write(client::Connection* connection) {
  absl::Status first;
  for (auto& [ident, table] : tables_) {
    std::vector<Action> actions;
    for (auto& [key, row] : table.rows) {
      if (row.values.empty()) {
        Mutation remove;
        remove.type = MutationType::kDelete;
        remove.row = key;
        actions.emplace_back(std::move(remove));
        continue;
      }
      // A removal before took the other columns away.
      auto action = UpsertAction(*table.def, {row.values.begin(), row.values.end()}, row.removed);
      if (action.ok()) {
        actions.push_back(*std::move(action));
      } else {
        first.Update(action.status());
      }
    }
    for (const client::ActionResult& result : connection->GetTable(table.def->HBaseName())->Batch(actions))
      first.Update(result.status);
  }
  Clear();
  return first;
}

}  // namespace vaquita::sql
