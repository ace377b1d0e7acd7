// sql/catalog/catalog.h: reads and writes SYSTEM.CATALOG, the HBase table that lists SQL's tables.
//
// Every call reads the table, so that a change by another program is seen. Threads: any.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "client/connection.h"
#include "model/operations.h"
#include "model/table_descriptor.h"
#include "sql/catalog/table_def.h"

namespace vaquita::sql {

// Makes a table in HBase, as Phoenix makes those of its own schema SYSTEM, unless it exists.
absl::Status CreateSystemTable(client::Connection* connection, const TableName& name);

class Catalog {
 public:
  explicit Catalog(std::shared_ptr<client::Connection> connection) : connection_(std::move(connection)) {}

  // Returns UndefinedTable if the table does not exist.
  absl::StatusOr<TablePtr> Find(const TableIdent& table);
  // Returns all tables, by schema and name.
  absl::StatusOr<std::vector<TablePtr>> All();

  // Makes the table in HBase and in the catalog, and the catalog if it does not exist. A table that HBase has already
  // gets what the descriptor has and it lacks; its rows get an empty cell where columns have names, so that they are
  // seen. Returns how many rows did, or TableExists if the catalog has the table.
  absl::StatusOr<int64_t> Create(const TableDef& table, const TableDescriptor& descriptor,
                                 const std::vector<std::string>& splits);
  // Makes an index's HBase table, and adds the index to the catalog: from now on writers keep it, and nobody reads it.
  // Returns TableExists if there is a table of that name.
  absl::Status CreateIndex(const TableDef& index, const TableDef& table, const TableDescriptor& descriptor,
                           const std::vector<std::string>& splits);
  // Writes the state of a table's index.
  absl::Status SetIndexState(const TableDef& index, const TableDef& table, IndexState state);
  // Removes a table's index from the catalog: writers that begin now do not keep it.
  absl::Status UnlistIndex(const TableDef& index, const TableDef& table);
  // Removes the HBase table of an index that is not in the catalog any more.
  absl::Status DropIndexRows(const TableDef& index) { return DropInHBase(index.HBaseName()); }
  // Returns whether nobody has written the rows of the catalog since from which the definitions were made.
  absl::StatusOr<bool> AreFresh(const std::vector<TablePtr>& tables);
  // Returns the definition, read again if it is not fresh. Returns UndefinedTable if the table does not exist any more.
  absl::StatusOr<TablePtr> Refreshed(const TablePtr& table);
  // Adds a view to the catalog. Returns TableExists if there is a table or view of that name.
  absl::Status CreateView(const TableDef& view);
  // Writes to the catalog that columns of a view took qualifiers of its base. Returns ConcurrentChange if somebody
  // altered the base since `before` was read.
  absl::Status TakeNumbers(const TableDef& before, const TableDef& after);
  // Returns the views that were made after this table or view.
  absl::StatusOr<std::vector<TableIdent>> ViewsOf(const TableIdent& table);
  // Writes the rows of a change (sql/catalog/table_rows.h). Returns ConcurrentChange if somebody altered the table
  // since `before` was read.
  absl::Status Alter(const TableDef& before, std::vector<RowMutations> rows);
  // Removes the table from HBase and from the catalog, or the view from the catalog; with `cascade` the views that were
  // made after it, too. Returns UndefinedTable if it does not exist, TableNotMutable if it has views or is none.
  absl::Status Drop(const TableIdent& table, bool is_view = false, bool cascade = false);

 private:
  absl::Status CheckFree(const TableIdent& table);
  // `views` were found on the way: each is made after the next one.
  absl::StatusOr<TablePtr> FindAbove(const TableIdent& table, std::set<TableIdent>* views);
  // Drops the table and all views but those of `seen`.
  absl::Status DropOnce(const TableIdent& table, bool is_view, bool cascade, std::set<TableIdent>* seen);
  // Finds a table or view without what it has of others.
  absl::StatusOr<TableDef> FindOwn(const TableIdent& table);
  absl::Status DropInHBase(const TableName& table);
  absl::StatusOr<int64_t> Adopt(const TableDef& table, const TableDescriptor& descriptor);

  std::shared_ptr<client::Connection> connection_;
};

}  // namespace vaquita::sql
