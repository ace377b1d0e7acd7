#include "sql/engine/pending_changes.h"

#include <algorithm>
#include <iterator>

#include "base/status.h"
#include "client/table.h"
#include "sql/catalog/catalog.h"
#include "sql/encoding/sql_error.h"
#include "sql/encoding/text.h"
#include "sql/engine/indexed_writer.h"

namespace vaquita::sql {
namespace {

constexpr size_t kCellOverhead = 32;  // bytes of a cell's names, lengths, time and type, and of a number

size_t BytesOf(const Value& value) {
  size_t bytes = kCellOverhead;
  if (const auto* text = std::get_if<std::string>(&value)) bytes += text->size();
  if (const auto* list = std::get_if<ValueList>(&value)) {
    for (const Value& element : *list) bytes += kCellOverhead + BytesOf(element);
  }
  return bytes;
}

// Returns about the bytes of the cells that an upsert writes.
size_t BytesOf(const std::string& row, const ColumnValues& values) {
  size_t bytes = row.size() + kCellOverhead;
  for (const auto& [column, value] : values) bytes += row.size() + BytesOf(value);
  return bytes;
}

// Returns the definition with the indexes that the table has now, and with the columns that they need.
absl::StatusOr<std::shared_ptr<const TableDef>> WithPresentIndexes(Catalog catalog,
                                                                   const std::shared_ptr<const TableDef>& table) {
  VAQUITA_ASSIGN_OR_RETURN(const auto now, catalog.Refreshed(table));
  if (now == table) return table;
  auto changed = std::make_shared<TableDef>(*table);
  changed->indexes = now->indexes;
  for (const ColumnDef& column : now->columns) {
    const bool known = std::ranges::any_of(changed->columns, [&](const ColumnDef& other) {
      return other.name == column.name && other.family == column.family;
    });
    if (!known) changed->columns.push_back(column);
  }
  return changed;
}

}  // namespace

// Statements may have different columns: dynamic ones, or those that another statement has added meanwhile.
PendingChanges::Table* PendingChanges::TableOf(const std::shared_ptr<const TableDef>& table) {
  Table& pending = tables_[table->Physical()];
  if (pending.last == table) return &pending;
  if (pending.def == nullptr) pending.def = table;
  pending.last = table;
  pending.writer = std::make_unique<RowWriter>(*table);
  std::vector<int32_t> places;
  std::vector<ColumnDef> columns = pending.def->columns;
  for (const ColumnDef& column : table->columns) {
    auto same = std::ranges::find_if(columns, [&](const ColumnDef& other) {
      return other.name == column.name && other.family == column.family && other.qualifier == column.qualifier &&
             other.type == column.type;
    });
    if (same == columns.end()) same = columns.insert(same, column);
    places.push_back(static_cast<int32_t>(same - columns.begin()));
  }
  if (columns.size() > pending.def->columns.size()) {
    auto wider = std::make_shared<TableDef>(*pending.def);
    wider->columns = std::move(columns);
    pending.def = std::move(wider);
  }
  const bool identical = std::ranges::is_sorted(places) && places.back() + 1 == static_cast<int32_t>(places.size());
  pending.places = identical ? nullptr : std::make_shared<const std::vector<int32_t>>(std::move(places));
  return &pending;
}

absl::Status PendingChanges::Upsert(const std::shared_ptr<const TableDef>& table, ColumnValues values,
                                    const std::shared_ptr<DuplicateRule>& rule, std::span<const Value> parameters) {
  Table& pending = *TableOf(table);
  VAQUITA_ASSIGN_OR_RETURN(std::string key, pending.writer->Key(values));
  Count(BytesOf(key, values));
  const auto [row, added] = pending.rows.try_emplace(std::move(key));
  rows_ += added ? 1 : 0;
  Row& steps = row->second;
  if (rule != nullptr || steps.empty() || steps.back().rule != nullptr) {
    RowStep& step = steps.emplace_back();
    step.rule = rule;
    // Each step of a rule is kept, with all its statement's parameters.
    if (rule != nullptr) {
      step.parameters.assign(parameters.begin(), parameters.end());
      Count(sizeof(RowStep));
      for (const Value& parameter : parameters) Count(BytesOf(parameter));
    }
    step.places = pending.places;
  }
  for (auto& [column, value] : values)
    steps.back().values.insert_or_assign(PlaceOf(pending.places, column), std::move(value));
  return absl::OkStatus();
}

void PendingChanges::Delete(const std::shared_ptr<const TableDef>& table, const std::vector<Value>& key) {
  Table& pending = *TableOf(table);
  const auto [row, added] = pending.rows.try_emplace(pending.writer->KeyOf(key));
  rows_ += added ? 1 : 0;
  Count(BytesOf(row->first, {}));
  row->second.assign(1, RowStep{.removed = true});
}

void PendingChanges::Count(size_t bytes) {
  bytes_ += bytes;
  all_->bytes += static_cast<int64_t>(bytes);
}

void PendingChanges::Clear() {
  tables_.clear();
  rows_ = 0;
  all_->bytes -= static_cast<int64_t>(bytes_);
  bytes_ = 0;
}

absl::Status PendingChanges::CheckSize() const {
  if (rows_ > kMostRows) return SqlError(ErrorCode::kTooManyPendingRows);
  if (bytes_ > kMostBytes) return SqlError(ErrorCode::kTooManyPendingBytes);
  if (all_->bytes <= all_->most_bytes) return absl::OkStatus();
  return SqlError(ErrorCode::kTooManyPendingBytes,
                  Concat("The changes of all connections have at most ", all_->most_bytes, " bytes"));
}

absl::StatusOr<int64_t> PendingChanges::Write(const std::shared_ptr<client::Connection>& connection) {
  absl::Status first;
  int64_t ignored = 0;
  for (auto& [ident, table] : tables_) {
    const IndexListLock lock;
    const auto now = WithPresentIndexes(Catalog(connection), table.def);
    if (!now.ok() || !(*now)->indexes.empty()) {
      const auto written =
          now.ok() ? WriteIndexedRows(connection, *now, table.rows) : absl::StatusOr<int64_t>(now.status());
      first.Update(written.status());
      ignored += written.value_or(0);
      continue;
    }
    const auto hbase = connection->GetTable(table.def->HBaseName());
    const RowWriter writer(*table.def);
    std::vector<Action> actions;
    actions.reserve(table.rows.size());
    for (auto& [key, steps] : table.rows) {
      RowStep& step = steps.front();
      if (steps.size() > 1 || step.rule != nullptr) {
        const absl::StatusOr<bool> written = RunSteps(hbase.get(), *table.def, key, steps);
        first.Update(written.status());
        if (written.ok() && !*written) ++ignored;
      } else if (step.values.empty()) {
        Mutation remove;
        remove.type = MutationType::kDelete;
        remove.row = key;
        actions.emplace_back(std::move(remove));
      } else {
        // A removal before took the other columns away.
        auto action = writer.Upsert(
            {std::make_move_iterator(step.values.begin()), std::make_move_iterator(step.values.end())}, step.removed);
        first.Update(action.status());
        if (action.ok()) actions.push_back(*std::move(action));
      }
    }
    for (const client::ActionResult& result : hbase->Batch(actions)) first.Update(result.status);
  }
  Clear();
  if (!first.ok()) return first;
  return ignored;
}

}  // namespace vaquita::sql
