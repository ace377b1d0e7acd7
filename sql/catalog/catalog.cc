#include "sql/catalog/catalog.h"

#include <map>
#include <utility>

#include "base/status.h"
#include "client/admin.h"
#include "client/table.h"
#include "sql/catalog/table_rows.h"
#include "sql/encoding/sql_error.h"
#include "sql/encoding/text.h"

namespace vaquita::sql {
namespace {

const TableName kCatalogName{"default", kCatalogTable};

using RowsOfTable = std::vector<std::vector<Cell>>;

// Reads the rows of the range, by table.
absl::StatusOr<std::map<TableIdent, RowsOfTable>> ReadRows(client::Connection* connection, RowRange range) {
  Scan scan;
  scan.rows = std::move(range);
  VAQUITA_ASSIGN_OR_RETURN(auto scanner, connection->GetTable(kCatalogName)->GetScanner(scan));
  std::map<TableIdent, RowsOfTable> tables;
  for (;;) {
    VAQUITA_ASSIGN_OR_RETURN(std::optional<client::Result> result, scanner->Next());
    if (!result.has_value()) return tables;
    VAQUITA_ASSIGN_OR_RETURN(const TableIdent table, TableOfCatalogRow(result->cells.front().row));
    tables[table].push_back(std::move(result->cells));
  }
}

RowRange RowsOf(const TableIdent& table) {
  const std::string key = CatalogKey(table);
  return {key, key + '\1', true, false};
}

absl::Status FirstError(const std::vector<client::ActionResult>& results) {
  for (const client::ActionResult& result : results)
    if (!result.status.ok()) return result.status;
  return absl::OkStatus();
}

absl::Status Undefined(const TableIdent& table) {
  return SqlError(ErrorCode::kUndefinedTable, Concat("tableName=", table.ToString()));
}

}  // namespace

absl::Status CreateSystemTable(client::Connection* connection, const TableName& name) {
  TableDescriptor descriptor;
  descriptor.name = name;
  FamilyDescriptor& family = descriptor.families[kDefaultFamily];
  family.name = kDefaultFamily;
  family.data_block_encoding = "FAST_DIFF";
  const absl::Status created = connection->GetAdmin()->CreateTable(descriptor);
  return IsError(created, ErrorKind::kTableExists) ? absl::OkStatus() : created;
}

absl::StatusOr<std::shared_ptr<const TableDef>> Catalog::Find(const TableIdent& table) {
  const auto tables = ReadRows(connection_.get(), RowsOf(table));
  if (IsError(tables.status(), ErrorKind::kTableNotFound)) return Undefined(table);  // nothing was made by SQL yet
  VAQUITA_RETURN_IF_ERROR(tables.status());
  const auto found = tables->find(table);
  if (found == tables->end()) return Undefined(table);
  VAQUITA_ASSIGN_OR_RETURN(TableDef def, TableOfCatalogRows(table, found->second));
  return std::make_shared<const TableDef>(std::move(def));
}

absl::StatusOr<std::vector<std::shared_ptr<const TableDef>>> Catalog::All() {
  std::vector<std::shared_ptr<const TableDef>> all;
  const auto tables = ReadRows(connection_.get(), {});
  if (IsError(tables.status(), ErrorKind::kTableNotFound)) return all;
  VAQUITA_RETURN_IF_ERROR(tables.status());
  for (const auto& [ident, rows] : *tables) {
    VAQUITA_ASSIGN_OR_RETURN(TableDef def, TableOfCatalogRows(ident, rows));
    all.push_back(std::make_shared<const TableDef>(std::move(def)));
  }
  return all;
}

absl::Status Catalog::Create(const TableDef& table, const TableDescriptor& descriptor,
                             const std::vector<std::string>& splits) {
  VAQUITA_RETURN_IF_ERROR(CreateSystemTable(connection_.get(), kCatalogName));
  const absl::Status found = Find(table.ident).status();
  if (found.ok()) return SqlError(ErrorCode::kTableExists, Concat("tableName=", table.ident.ToString()));
  if (!IsSqlError(found, ErrorCode::kUndefinedTable)) return found;
  VAQUITA_RETURN_IF_ERROR(connection_->GetAdmin()->CreateTable(descriptor, splits));
  std::vector<Action> actions;
  for (RowMutations& row : CatalogRows(table)) actions.emplace_back(std::move(row));
  return FirstError(connection_->GetTable(kCatalogName)->Batch(actions));
}

absl::Status Catalog::Alter(const TableDef& before, std::vector<RowMutations> rows) {
  const auto table = connection_->GetTable(kCatalogName);
  // The table's row goes first: it tells two that alter the table at once apart.
  VAQUITA_ASSIGN_OR_RETURN(const client::ActionResult done,
                           table->CheckAndMutate(IfUnaltered(before, std::move(rows.front()))));
  if (!done.processed) {
    return SqlError(ErrorCode::kConcurrentChange, Concat("tableName=", before.ident.ToString()));
  }
  std::vector<Action> actions;
  for (size_t i = 1; i < rows.size(); ++i) actions.emplace_back(std::move(rows[i]));
  return FirstError(table->Batch(actions));
}

absl::Status Catalog::Drop(const TableIdent& table) {
  VAQUITA_ASSIGN_OR_RETURN(const std::shared_ptr<const TableDef> def, Find(table));
  if (!def->not_writable.empty()) {
    return NotSupported(Concat("DROP of ", table.ToString(), ", because ", def->not_writable));
  }
  VAQUITA_ASSIGN_OR_RETURN(const auto tables, ReadRows(connection_.get(), RowsOf(table)));
  std::vector<Action> actions;
  for (const std::vector<Cell>& cells : tables.at(table)) {
    Mutation remove;
    remove.type = MutationType::kDelete;
    remove.row = cells.front().row;
    actions.emplace_back(std::move(remove));
  }
  const auto admin = connection_->GetAdmin();
  const absl::Status disabled = admin->DisableTable(def->HBaseName());
  if (!disabled.ok() && !IsError(disabled, ErrorKind::kTableNotEnabled) &&
      !IsError(disabled, ErrorKind::kTableNotFound)) {
    return disabled;
  }
  if (!IsError(disabled, ErrorKind::kTableNotFound)) {
    VAQUITA_RETURN_IF_ERROR(admin->DeleteTable(def->HBaseName()));
  }
  return FirstError(connection_->GetTable(kCatalogName)->Batch(actions));
}

}  // namespace vaquita::sql
