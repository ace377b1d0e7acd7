// sql/catalog/catalog.h: the tables that SQL knows, in SYSTEM.CATALOG, which is a table of HBase's.
//
// Every call reads the table, so that a change by another program is seen. Threads: any.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "client/connection.h"
#include "model/table_descriptor.h"
#include "sql/catalog/table_def.h"

namespace vaquita::sql {

class Catalog {
 public:
  explicit Catalog(std::shared_ptr<client::Connection> connection) : connection_(std::move(connection)) {}

  // Returns UndefinedTable if there is none.
  absl::StatusOr<std::shared_ptr<const TableDef>> Find(const TableIdent& table);
  // Returns all tables, by schema and name.
  absl::StatusOr<std::vector<std::shared_ptr<const TableDef>>> All();

  // Makes the table in HBase and in the catalog, and the catalog if it is not there. TableExists if there is one.
  absl::Status Create(const TableDef& table, const TableDescriptor& descriptor, const std::vector<std::string>& splits);
  // Removes both. UndefinedTable if there is none.
  absl::Status Drop(const TableIdent& table);

 private:
  absl::Status CreateCatalog();

  std::shared_ptr<client::Connection> connection_;
};

}  // namespace vaquita::sql
