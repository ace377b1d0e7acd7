#include "sql/engine/pending_changes.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "base/status.h"
#include "client/table.h"
#include "sql/catalog/hbase_table.h"
#include "sql/encoding/sql_error.h"
#include "sql/encoding/text.h"
#include "sql/engine/indexed_writer.h"

namespace vaquita::sql {
namespace {

constexpr size_t kCellOverhead = 32;  // bytes of a cell's names, lengths, time and type, and of a number

// A cell of CHAR(n) or BINARY(n) has n bytes, however short its text is.
size_t BytesOf(const SqlType& type, const Value& value) {
  size_t bytes = kCellOverhead;
  if (const auto* text = std::get_if<std::string>(&value)) {
    bytes += std::max(text->size(), static_cast<size_t>(type.FixedWidth()));
  }
  if (const auto* list = std::get_if<ValueList>(&value)) {
    const SqlType element_type = type.Element();
    for (const Value& element : *list) bytes += kCellOverhead + BytesOf(element_type, element);
  }
  return bytes;
}

// Returns about the bytes of the cells that an upsert writes. `values` are a map's or a list's.
template <typename Values>
size_t BytesOf(const TableDef& table, const std::string& row, const Values& values) {
  size_t bytes = row.size() + kCellOverhead;
  for (const auto& [column, value] : values) {
    bytes += row.size() + BytesOf(table.columns[static_cast<size_t>(column)].type, value);
  }
  return bytes;
}

// Writes rows in batches: only one is in memory with all bytes of its cells.
class BatchWriter {
 public:
  explicit BatchWriter(client::Table* table) : table_(*table) {}

  // Returns the first error of the batch before, if this one begins another.
  absl::Status Add(Action action, size_t bytes) {
    constexpr size_t kMostRows = 10'000;
    constexpr size_t kMostBytes = 16 << 20;
    if (!actions_.empty() && (actions_.size() == kMostRows || bytes_ + bytes > kMostBytes)) {
      VAQUITA_RETURN_IF_ERROR(Flush());
    }
    actions_.push_back(std::move(action));
    bytes_ += bytes;
    return absl::OkStatus();
  }
  absl::Status Flush() {
    bytes_ = 0;
    return FirstError(table_.Batch(std::exchange(actions_, {})));
  }

 private:
  client::Table& table_;
  std::vector<Action> actions_;
  size_t bytes_ = 0;
};

// Returns the place of the same column; the end if there is none.
template <typename Columns>
auto FindSame(Columns* columns, const ColumnDef& column) {
  return std::ranges::find_if(*columns, [&](const ColumnDef& other) {
    return other.name == column.name && other.family == column.family && other.qualifier == column.qualifier &&
           other.type == column.type && other.is_key() == column.is_key();
  });
}

// Returns whether both definitions have rows of the same form. Key columns that were added are null in older rows.
bool HasSameRows(const TableDef& before, const TableDef& now) {
  const std::vector<int32_t> key = before.KeyIndexes();
  const std::vector<int32_t> key_now = now.KeyIndexes();
  if (now.salt_buckets != before.salt_buckets || now.encoding != before.encoding || now.one_cell != before.one_cell ||
      key_now.size() < key.size()) {
    return false;
  }
  return std::equal(key.begin(), key.end(), key_now.begin(), [&](int32_t i, int32_t j) {
    const ColumnDef& a = before.columns[static_cast<size_t>(i)];
    const ColumnDef& b = now.columns[static_cast<size_t>(j)];
    return a.name == b.name && a.type == b.type && a.descending == b.descending;
  });
}

// Returns the columns outside the key that the rows may write.
std::set<int32_t> WrittenColumns(const TableDef& table, const std::map<std::string, std::vector<RowStep>>& rows) {
  std::set<int32_t> columns;
  for (const auto& [row, steps] : rows) {
    for (const RowStep& step : steps) {
      for (const auto& [column, value] : step.values) columns.insert(column);
      if (step.rule == nullptr) continue;
      for (const int32_t column : step.rule->targets()) columns.insert(PlaceOf(step.places, column));
    }
  }
  std::erase_if(columns, [&](int32_t column) { return table.columns[static_cast<size_t>(column)].is_key(); });
  return columns;
}

// Returns a statement's values by the places of their columns, without those that have none.
RowValues InPlaces(RowValues values, const Places& places) {
  if (places == nullptr) return values;
  RowValues moved;
  for (auto& [column, value] : values)
    if (const int32_t place = PlaceOf(places, column); place != kNoPlace) moved.emplace(place, std::move(value));
  return moved;
}

// Returns whether both were read from the same rows of the catalog; they may have other dynamic columns.
bool IsSameVersion(const TableDef& a, const TableDef& b) { return a.ident == b.ident && a.written_ms == b.written_ms; }

}  // namespace

const RowWriter& PendingChanges::WriterOf(const TablePtr& table) {
  Writer& writer = writers_[table->Physical()];
  if (writer.table != table) writer = {table, std::make_unique<RowWriter>(*table)};
  return *writer.writer;
}

// Statements may have different columns: dynamic ones, those that another statement has added meanwhile, or those of
// views. Views may also have different keys, whose columns stand at one place: the definition has the first one's.
PendingChanges::Table* PendingChanges::TableOf(const TablePtr& table) {
  Table& pending = tables_[table->Physical()];
  if (pending.last == table) return &pending;
  if (pending.def == nullptr) pending.def = table;
  pending.last = table;
  if (!Has(*table)) pending.versions.push_back(table);
  std::vector<int32_t> places;
  std::vector<ColumnDef> columns = pending.def->columns;
  bool identical = true;
  for (const ColumnDef& column : table->columns) {
    auto same = FindSame(&columns, column);
    const bool has_place = same != columns.end() || !column.is_key();
    if (has_place && same == columns.end()) same = columns.insert(same, column);
    const auto place = has_place ? static_cast<int32_t>(same - columns.begin()) : kNoPlace;
    identical = identical && place == static_cast<int32_t>(places.size());
    places.push_back(place);
  }
  if (columns.size() > pending.def->columns.size()) {
    auto wider = std::make_shared<TableDef>(*pending.def);
    wider->columns = std::move(columns);
    pending.def = std::move(wider);
  }
  pending.places = identical ? nullptr : std::make_shared<const std::vector<int32_t>>(std::move(places));
  return &pending;
}

absl::Status PendingChanges::Upsert(const TablePtr& table, ColumnValues values,
                                    const std::shared_ptr<DuplicateRule>& rule, std::span<const Value> parameters) {
  VAQUITA_ASSIGN_OR_RETURN(std::string key, WriterOf(table).Key(&values));
  Count(BytesOf(*table, key, values));
  RowStep step;
  step.rule = rule;
  for (auto& [column, value] : values) step.values.insert_or_assign(column, std::move(value));
  // Each step of a rule is kept, with all its statement's parameters.
  if (rule != nullptr) {
    step.parameters.assign(parameters.begin(), parameters.end());
    for (const int32_t column : table->KeyIndexes()) step.key[column] = step.values[column];
    Count(sizeof(RowStep));
    for (const Value& parameter : parameters) Count(BytesOf(SqlType(), parameter));
  }
  statement_.push_back({table, std::move(key), std::move(step)});
  return absl::OkStatus();
}

void PendingChanges::Delete(const TablePtr& table, const std::vector<Value>& key) {
  DeleteRow(table, WriterOf(table).KeyOf(key));
}

void PendingChanges::DeleteRow(const TablePtr& table, std::string row) {
  statement_.push_back({table, std::move(row), RowStep{.removed = true}});
  Count(BytesOf(*table, statement_.back().row, ColumnValues()));
}

void PendingChanges::KeepStatement() {
  for (Change& change : statement_) {
    Table& table = *TableOf(change.table);
    const auto [row, added] = table.rows.try_emplace(std::move(change.row));
    rows_ += added ? 1 : 0;
    Row& steps = row->second;
    RowStep& step = change.step;
    step.values = InPlaces(std::move(step.values), table.places);
    step.places = table.places;
    if (step.removed) steps.clear();
    if (steps.empty() || step.rule != nullptr || steps.back().rule != nullptr) {
      steps.push_back(std::move(step));
    } else {
      step.values.merge(steps.back().values);
      steps.back().values = std::move(step.values);
    }
  }
  statement_.clear();
  statement_bytes_ = 0;
}

void PendingChanges::DropStatement() {
  statement_.clear();
  all_->bytes -= static_cast<int64_t>(statement_bytes_);
  bytes_ -= std::exchange(statement_bytes_, 0);
}

void PendingChanges::Count(size_t bytes) {
  bytes_ += bytes;
  statement_bytes_ += bytes;
  all_->bytes += static_cast<int64_t>(bytes);
}

void PendingChanges::Clear() {
  DropStatement();
  writers_.clear();
  tables_.clear();
  rows_ = 0;
  all_->bytes -= static_cast<int64_t>(bytes_);
  bytes_ = 0;
}

bool PendingChanges::Has(const TableDef& table) const {
  const auto found = tables_.find(table.Physical());
  return found != tables_.end() && std::ranges::any_of(found->second.versions, [&](const auto& version) {
           return IsSameVersion(*version, table);
         });
}

absl::Status PendingChanges::CheckSize() const {
  if (rows_ + statement_.size() > all_->most_rows_of_session) return SqlError(ErrorCode::kTooManyPendingRows);
  if (bytes_ > all_->most_bytes_of_session) return SqlError(ErrorCode::kTooManyPendingBytes);
  if (all_->bytes <= all_->most_bytes) return absl::OkStatus();
  return SqlError(ErrorCode::kTooManyPendingBytes,
                  Concat("The changes of all connections have at most ", all_->most_bytes, " bytes"));
}

// Returns the definition with the indexes that the table has now, and with the columns that they need. Returns an error
// if the table cannot have the rows any more.
absl::StatusOr<TablePtr> PendingChanges::Present(Catalog catalog, const Table& table) {
  std::vector<TablePtr> present;
  for (const TablePtr& version : table.versions) {
    VAQUITA_ASSIGN_OR_RETURN(const TablePtr now, catalog.Refreshed(version));
    if (now != version && !HasSameRows(*version, *now)) {
      return TableError(ErrorCode::kConcurrentChange, now->ident.ToString());
    }
    present.push_back(now);
  }
  if (present == table.versions) return table.def;
  for (const int32_t index : WrittenColumns(*table.def, table.rows)) {
    const ColumnDef& column = table.def->columns[static_cast<size_t>(index)];
    const bool is_there = column.dynamic || std::ranges::any_of(present, [&](const TablePtr& now) {
                            return FindSame(&now->columns, column) != now->columns.end();
                          });
    if (is_there) continue;
    return ColumnError(ErrorCode::kUndefinedColumn, column.name, table.def->ident.ToString());
  }
  auto changed = std::make_shared<TableDef>(*table.def);
  changed->indexes = present.back()->indexes;
  for (const TablePtr& now : present) {
    for (const ColumnDef& column : now->columns) {
      if (column.is_key() && now->view != ViewType::kNone) continue;
      if (FindSame(&changed->columns, column) == changed->columns.end()) changed->columns.push_back(column);
    }
  }
  return changed;
}

absl::StatusOr<int64_t> PendingChanges::WriteRows(const std::shared_ptr<client::Connection>& connection, Table* table) {
  const IndexListLock lock;
  VAQUITA_ASSIGN_OR_RETURN(const TablePtr now, Present(Catalog(connection), *table));
  if (!now->indexes.empty()) return WriteIndexedRows(connection, now, table->rows);
  const auto hbase = connection->GetTable(table->def->HBaseName());
  const RowWriter writer(*table->def);
  absl::Status first;
  int64_t ignored = 0;
  BatchWriter batches(hbase.get());
  for (auto& [key, steps] : table->rows) {
    RowStep& step = steps.front();
    if (steps.size() > 1 || step.rule != nullptr) {
      const absl::StatusOr<bool> written = RunSteps(hbase.get(), *table->def, key, steps);
      first.Update(written.status());
      if (written.ok() && !*written) ++ignored;
    } else if (step.values.empty()) {
      VAQUITA_RETURN_IF_ERROR(batches.Add(Mutation{.type = MutationType::kDelete, .row = key}, key.size()));
    } else {
      const size_t bytes = BytesOf(*table->def, key, step.values);
      // A removal before took the other columns away.
      auto action =
          writer.Upsert(key, {std::make_move_iterator(step.values.begin()), std::make_move_iterator(step.values.end())},
                        step.removed);
      first.Update(action.status());
      if (action.ok()) VAQUITA_RETURN_IF_ERROR(batches.Add(*std::move(action), bytes));
    }
  }
  first.Update(batches.Flush());
  if (!first.ok()) return first;
  return ignored;
}

absl::StatusOr<int64_t> PendingChanges::Write(const std::shared_ptr<client::Connection>& connection) {
  absl::Status first;
  int64_t ignored = 0;
  for (auto& [ident, table] : tables_) {
    const absl::StatusOr<int64_t> written = WriteRows(connection, &table);
    first.Update(written.status());
    ignored += written.value_or(0);
  }
  Clear();
  if (!first.ok()) return first;
  return ignored;
}

}  // namespace vaquita::sql
