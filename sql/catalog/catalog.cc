#include "sql/catalog/catalog.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "base/exclusive_names.h"
#include "base/status.h"
#include "client/admin.h"
#include "client/table.h"
#include "sql/catalog/hbase_table.h"
#include "sql/catalog/system_tables.h"
#include "sql/catalog/table_rows.h"
#include "sql/encoding/sql_error.h"
#include "sql/encoding/text.h"

namespace vaquita::sql {
namespace {

const TableName kCatalogName{"default", kCatalogTable};
const TableName kChildLinkName{"default", kChildLinkTable};

using RowsOfTable = std::vector<std::vector<Cell>>;

// Reads the catalog's rows of the range, by table.
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
  return {key, key + '\1'};
}

absl::Status Undefined(const TableIdent& table) { return TableError(ErrorCode::kUndefinedTable, table.ToString()); }

absl::Status WriteRows(client::Connection* connection, const TableName& table, std::vector<RowMutations> rows) {
  std::vector<Action> actions;
  for (RowMutations& row : rows) actions.emplace_back(std::move(row));
  return FirstError(connection->GetTable(table)->Batch(actions));
}

// Writes rows of the catalog, the last one when the others are written: it tells others that they changed.
absl::Status WriteRowsInOrder(client::Connection* connection, std::vector<RowMutations> rows) {
  std::vector<RowMutations> last;
  last.push_back(std::move(rows.back()));
  rows.pop_back();
  VAQUITA_RETURN_IF_ERROR(WriteRows(connection, kCatalogName, std::move(rows)));
  return WriteRows(connection, kCatalogName, std::move(last));
}

// Holds a name while something is made of it: two that make a table of one name would write their columns into one
// definition. Others of this process wait.
ExclusiveNames::Hold HoldName(const TableIdent& name) {
  static ExclusiveNames names;
  return names.Take({name.ToString()});
}

bool HasParent(const TableDef& table) { return !table.parent.name.empty(); }

// Gives a view what it has of its parent.
void Inherit(const TableDef& parent, TableDef* view) {
  view->inherited = parent.columns.size();
  view->columns.insert(view->columns.begin(), parent.columns.begin(), parent.columns.end());
  view->base = parent.Physical();
  view->immutable = parent.immutable;
  view->one_cell = parent.one_cell;
  view->encoding = parent.encoding;
  view->salt_buckets = parent.salt_buckets;
  view->default_family = parent.default_family;
  view->empty_family = parent.EmptyCellFamily();
  view->store_nulls = parent.store_nulls;
  view->skip_log = parent.skip_log;
  view->next_number = parent.next_number;
  view->indexes = parent.indexes;
  view->written_ms.insert(parent.written_ms.begin(), parent.written_ms.end());
  if (view->not_writable.empty()) view->not_writable = parent.not_writable;
  view->SkipUsedNumbers();
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

absl::StatusOr<TableDef> Catalog::FindOwn(const TableIdent& table) {
  const auto tables = ReadRows(connection_.get(), RowsOf(table));
  // Without the catalog's table nothing was made by SQL yet.
  if (!IsError(tables.status(), ErrorKind::kTableNotFound)) {
    VAQUITA_RETURN_IF_ERROR(tables.status());
    const auto found = tables->find(table);
    if (found != tables->end()) return TableOfCatalogRows(table, found->second);
  }
  const auto own = std::ranges::find(SystemTables(), table, [](const auto& each) { return each->ident; });
  return own == SystemTables().end() ? absl::StatusOr<TableDef>(Undefined(table)) : TableDef(**own);
}

absl::StatusOr<TablePtr> Catalog::Find(const TableIdent& table) {
  std::set<TableIdent> views;
  return FindAbove(table, &views);
}

absl::StatusOr<TablePtr> Catalog::FindAbove(const TableIdent& table, std::set<TableIdent>* views) {
  constexpr size_t kMostViews = 100;
  VAQUITA_ASSIGN_OR_RETURN(TableDef def, FindOwn(table));
  if (HasParent(def)) {
    if (!views->insert(table).second || views->size() > kMostViews) {
      return SqlError(ErrorCode::kIllegalData,
                      Concat("The view ", table.ToString(), " is made after itself, or after more than ", kMostViews,
                             " views of each other"));
    }
    VAQUITA_ASSIGN_OR_RETURN(const auto parent, FindAbove(def.parent, views));
    Inherit(*parent, &def);
  }
  if (def.is_index() && def.not_writable == kKeptIndex) {
    VAQUITA_ASSIGN_OR_RETURN(TableDef data, FindOwn({table.schema, def.data_table}));
    def.indexed = std::make_shared<const TableDef>(std::move(data));
  }
  for (const std::string& name : def.index_names) {
    auto index = FindOwn({table.schema, name});
    if (IsSqlError(index.status(), ErrorCode::kUndefinedTable)) continue;  // it was dropped just now
    VAQUITA_RETURN_IF_ERROR(index.status());
    if (index->not_writable != kKeptIndex && def.not_writable.empty()) {
      def.not_writable = Concat("its index ", name, " is of a kind that Vaquita does not keep");
    }
    def.indexes.push_back(std::make_shared<const TableDef>(*std::move(index)));
  }
  return std::make_shared<const TableDef>(std::move(def));
}

absl::StatusOr<bool> Catalog::AreFresh(const std::vector<TablePtr>& tables) {
  std::set<std::pair<TableIdent, int64_t>> read;
  for (const auto& table : tables)
    if (table != nullptr) read.insert(table->written_ms.begin(), table->written_ms.end());
  std::vector<Action> gets;
  for (const auto& [table, written_ms] : read) {
    vaquita::Get get;
    get.row = CatalogKey(table);
    gets.emplace_back(std::move(get));
  }
  if (gets.empty()) return true;
  const std::vector<client::ActionResult> rows = connection_->GetTable(kCatalogName)->Batch(gets);
  VAQUITA_RETURN_IF_ERROR(FirstError(rows));
  return std::ranges::equal(read, rows, [](const auto& before, const client::ActionResult& row) {
    int64_t written_ms = 0;
    for (const Cell& cell : row.result.cells) written_ms = std::max(written_ms, cell.timestamp_ms);
    return written_ms == before.second;
  });
}

absl::StatusOr<TablePtr> Catalog::Refreshed(const TablePtr& table) {
  VAQUITA_ASSIGN_OR_RETURN(const bool is_fresh, AreFresh({table}));
  return is_fresh ? table : Find(table->ident);
}

absl::Status Catalog::CreateIndex(const TableDef& index, const TableDef& table, const TableDescriptor& descriptor,
                                  const std::vector<std::string>& splits) {
  const ExclusiveNames::Hold name = HoldName(index.ident);
  VAQUITA_RETURN_IF_ERROR(CheckFree(index.ident));
  VAQUITA_RETURN_IF_ERROR(connection_->GetAdmin()->CreateTable(descriptor, splits));
  return WriteRowsInOrder(connection_.get(), IndexRows(index, table));
}

absl::Status Catalog::SetIndexState(const TableDef& index, const TableDef& table, IndexState state) {
  return WriteRowsInOrder(connection_.get(), RowsOfIndexState(index, table, state));
}

absl::Status Catalog::UnlistIndex(const TableDef& index, const TableDef& table) {
  VAQUITA_ASSIGN_OR_RETURN(const auto tables, ReadRows(connection_.get(), RowsOf(index.ident)));
  std::vector<RowMutations> rows = {RemovalOf(LinkKey(table.ident, index.ident.name))};
  if (const auto found = tables.find(index.ident); found != tables.end())
    for (const std::vector<Cell>& cells : found->second) rows.push_back(RemovalOf(cells.front().row));
  rows.push_back(TouchedRow(table));
  return WriteRowsInOrder(connection_.get(), std::move(rows));
}

absl::StatusOr<std::vector<TablePtr>> Catalog::All() {
  std::vector<TablePtr> all = SystemTables();
  const auto tables = ReadRows(connection_.get(), {});
  if (IsError(tables.status(), ErrorKind::kTableNotFound)) return all;
  VAQUITA_RETURN_IF_ERROR(tables.status());
  std::erase_if(all, [&](const auto& own) { return tables->contains(own->ident); });
  for (const auto& [ident, rows] : *tables) {
    VAQUITA_ASSIGN_OR_RETURN(TableDef def, TableOfCatalogRows(ident, rows));
    if (!HasParent(def)) {
      all.push_back(std::make_shared<const TableDef>(std::move(def)));
      continue;
    }
    auto view = Find(ident);
    if (IsSqlError(view.status(), ErrorCode::kUndefinedTable)) continue;  // its table is gone
    VAQUITA_RETURN_IF_ERROR(view.status());
    all.push_back(*std::move(view));
  }
  std::ranges::sort(all, {}, [](const auto& table) { return table->ident; });
  return all;
}

absl::Status Catalog::CheckFree(const TableIdent& table) {
  VAQUITA_RETURN_IF_ERROR(CreateSystemTable(connection_.get(), kCatalogName));
  const absl::Status found = FindOwn(table).status();
  if (found.ok()) return TableError(ErrorCode::kTableExists, table.ToString());
  return IsSqlError(found, ErrorCode::kUndefinedTable) ? absl::OkStatus() : found;
}

absl::StatusOr<int64_t> Catalog::Create(const TableDef& table, const TableDescriptor& descriptor,
                                        const std::vector<std::string>& splits) {
  const ExclusiveNames::Hold name = HoldName(table.ident);
  VAQUITA_RETURN_IF_ERROR(CheckFree(table.ident));
  const absl::Status created = connection_->GetAdmin()->CreateTable(descriptor, splits);
  int64_t rows = 0;
  if (IsError(created, ErrorKind::kTableExists)) {
    VAQUITA_ASSIGN_OR_RETURN(rows, Adopt(table, descriptor));
  } else {
    VAQUITA_RETURN_IF_ERROR(created);
  }
  VAQUITA_RETURN_IF_ERROR(WriteRows(connection_.get(), kCatalogName, CatalogRows(table)));
  return rows;
}

absl::StatusOr<int64_t> Catalog::Adopt(const TableDef& table, const TableDescriptor& descriptor) {
  if (table.salt_buckets > 0) {
    return NotSupported(Concat("SALT_BUCKETS of ", table.ident.ToString(), ", which HBase has already"));
  }
  VAQUITA_RETURN_IF_ERROR(ModifyTable(connection_.get(), descriptor.name, [&](TableDescriptor* present) {
    for (const auto& [name, family] : descriptor.families) present->families.try_emplace(name, family);
    return absl::OkStatus();
  }));
  if (table.encoding != QualifierEncoding::kNames) return 0;  // no cell of the rows is a column's
  Scan scan;
  for (const std::string& family : table.Families()) scan.columns[family] = {};
  return RewriteRows(connection_->GetTable(descriptor.name).get(), scan, [&](const client::Result& row) {
    const int64_t newest_ms = std::ranges::max_element(row.cells, {}, &Cell::timestamp_ms)->timestamp_ms;
    return PutOfEmptyCell(table, row.cells.front().row, newest_ms);
  });
}

absl::Status Catalog::CreateView(const TableDef& view) {
  const ExclusiveNames::Hold name = HoldName(view.ident);
  VAQUITA_RETURN_IF_ERROR(CheckFree(view.ident));
  if (view.view == ViewType::kMapped) return WriteRows(connection_.get(), kCatalogName, CatalogRows(view));
  if (HasParent(view)) {
    // A view that nobody could find would be in the way of all who list tables.
    std::set<TableIdent> views = {view.ident};
    VAQUITA_RETURN_IF_ERROR(FindAbove(view.parent, &views).status());
  }
  VAQUITA_ASSIGN_OR_RETURN(const TablePtr base, Find(view.base));
  VAQUITA_RETURN_IF_ERROR(TakeNumbers(*base, view));
  VAQUITA_RETURN_IF_ERROR(CreateSystemTable(connection_.get(), kChildLinkName));
  VAQUITA_RETURN_IF_ERROR(WriteRows(connection_.get(), kChildLinkName, {ChildLinkRow(view)}));
  return WriteRows(connection_.get(), kCatalogName, ViewRows(view, *base));
}

absl::Status Catalog::TakeNumbers(const TableDef& before, const TableDef& after) {
  return before.next_number == after.next_number ? absl::OkStatus() : Alter(before, RowsOfUsedNumbers(before, after));
}

absl::StatusOr<std::vector<TableIdent>> Catalog::ViewsOf(const TableIdent& table) {
  Scan scan;
  const std::string first = LinkKey(table, "");
  scan.rows = {first, first.substr(0, first.size() - 1) + '\1'};
  std::vector<TableIdent> views;
  auto scanner = connection_->GetTable(kChildLinkName)->GetScanner(scan);
  for (;;) {
    if (IsError(scanner.status(), ErrorKind::kTableNotFound)) return views;
    VAQUITA_RETURN_IF_ERROR(scanner.status());
    auto row = (*scanner)->Next();
    if (IsError(row.status(), ErrorKind::kTableNotFound)) return views;
    VAQUITA_RETURN_IF_ERROR(row.status());
    if (!row->has_value()) return views;
    views.push_back(IdentOf(std::string_view((*row)->cells.front().row).substr(first.size())));
  }
}

absl::Status Catalog::Alter(const TableDef& before, std::vector<RowMutations> rows) {
  const auto table = connection_->GetTable(kCatalogName);
  // The table's row goes first: it tells two that alter the table at once apart. Its empty cell goes last: whoever read
  // a part of the change has to see that there is more.
  RowMutations last = TouchedRow(before);
  const std::string empty_cell = EmptyCellQualifier(QualifierEncoding::kNames);
  for (Mutation& mutation : rows.front().mutations)
    std::erase_if(mutation.cells, [&](const Cell& cell) { return cell.qualifier == empty_cell; });
  VAQUITA_ASSIGN_OR_RETURN(const client::ActionResult done,
                           table->CheckAndMutate(IfUnaltered(before, std::move(rows.front()))));
  if (!done.processed) return TableError(ErrorCode::kConcurrentChange, before.ident.ToString());
  rows.erase(rows.begin());
  rows.push_back(std::move(last));
  return WriteRowsInOrder(connection_.get(), std::move(rows));
}

absl::Status Catalog::DropInHBase(const TableName& table) {
  const auto admin = connection_->GetAdmin();
  const absl::Status disabled = admin->DisableTable(table);
  if (IsError(disabled, ErrorKind::kTableNotFound)) return absl::OkStatus();
  if (!disabled.ok() && !IsError(disabled, ErrorKind::kTableNotEnabled)) return disabled;
  return admin->DeleteTable(table);
}

absl::Status Catalog::Drop(const TableIdent& table, bool is_view, bool cascade) {
  std::set<TableIdent> seen;
  return DropOnce(table, is_view, cascade, &seen);
}

absl::Status Catalog::DropOnce(const TableIdent& table, bool is_view, bool cascade, std::set<TableIdent>* seen) {
  seen->insert(table);
  VAQUITA_ASSIGN_OR_RETURN(const TableDef def, FindOwn(table));
  const bool found_view = def.view != ViewType::kNone;
  VAQUITA_ASSIGN_OR_RETURN(const std::vector<TableIdent> views, ViewsOf(table));
  if (!views.empty() && !cascade) return TableError(ErrorCode::kTableNotMutable, table.ToString());
  if (found_view != is_view || def.is_index()) return Undefined(table);
  if (!found_view && !def.not_writable.empty()) {
    return NotSupported(Concat("DROP of ", table.ToString(), ", because ", def.not_writable));
  }
  for (const TableIdent& view : views) {
    if (seen->contains(view)) continue;
    const absl::Status dropped = DropOnce(view, true, true, seen);
    if (!dropped.ok() && !IsSqlError(dropped, ErrorCode::kUndefinedTable)) return dropped;
  }
  if (!found_view) {
    VAQUITA_ASSIGN_OR_RETURN(const TablePtr whole, Find(table));
    for (const auto& index : whole->indexes) {
      VAQUITA_RETURN_IF_ERROR(UnlistIndex(*index, def));
      VAQUITA_RETURN_IF_ERROR(DropIndexRows(*index));
    }
  }
  VAQUITA_ASSIGN_OR_RETURN(const auto tables, ReadRows(connection_.get(), RowsOf(table)));
  const auto rows = tables.find(table);
  if (rows == tables.end()) return Undefined(table);  // another session dropped it just now
  std::vector<RowMutations> removals;
  for (const std::vector<Cell>& cells : rows->second) removals.push_back(RemovalOf(cells.front().row));
  if (HasParent(def)) {
    const std::string link = LinkKey(def.parent, table.ToString());
    VAQUITA_RETURN_IF_ERROR(WriteRows(connection_.get(), kChildLinkName, {RemovalOf(link)}));
  }
  if (!found_view) VAQUITA_RETURN_IF_ERROR(DropInHBase(def.HBaseName()));
  return WriteRows(connection_.get(), kCatalogName, std::move(removals));
}

}  // namespace vaquita::sql
