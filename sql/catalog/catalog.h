// sql/catalog/catalog.h: reads and writes SYSTEM.CATALOG, the HBase table that lists SQL's tables.
//
// Every call reads the table, so that a change by another program is seen. Threads: any.
#pragma once

#include <memory>
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
  absl::StatusOr<std::shared_ptr<const TableDef>> Find(const TableIdent& table);
  // Returns all tables, by schema and name.
  absl::StatusOr<std::vector<std::shared_ptr<const TableDef>>> All();

  // Makes the table in HBase and in the catalog, and the catalog if it does not exist. Returns TableExists if the table
  // exists.
  absl::Status Create(const TableDef& table, const TableDescriptor& descriptor, const std::vector<std::string>& splits);
  // Writes the rows of a change (sql/catalog/table_rows.h). Returns ConcurrentChange if somebody altered the table
  // since `before` was read.
  absl::Status Alter(const TableDef& before, std::vector<RowMutations> rows);
  // Removes the table from HBase and from the catalog. Returns UndefinedTable if it does not exist.
  absl::Status Drop(const TableIdent& table);

 private:
  std::shared_ptr<client::Connection> connection_;
};

}  // namespace vaquita::sql
