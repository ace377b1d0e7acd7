// sql/engine/table_maker.h: turns CREATE TABLE into the catalog's definition and HBase's descriptor.
//
// Threads: functions. Source: MetaDataClient.createTableInternal, TableProperty (5.2).
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "model/table_descriptor.h"
#include "sql/catalog/table_def.h"
#include "sql/front/ast.h"

namespace vaquita::sql {

struct NewTable {
  TableDef def;
  TableDescriptor descriptor;
  std::vector<std::string> splits;
};

// Returns a column outside the key, without its qualifier. Returns Phoenix's errors for a DEFAULT that does not fit.
absl::StatusOr<ColumnDef> MakeColumn(const ColumnDeclaration& declared, const TableDef& table);
// Adds the column to a table that has a key, at the end of its columns or of its key. Returns ColumnExists, or
// Phoenix's errors for a column that cannot be added.
absl::Status AddColumn(const ColumnDeclaration& declared, ColumnDef column, TableDef* table);
// Returns DataExceedsMaxCapacity if the columns of the key are wider than a row key may be.
absl::Status CheckKeyWidth(const TableDef& table);
// Returns Phoenix's errors for illegal columns and keys; NotSupported for options that Vaquita does not have.
absl::StatusOr<NewTable> MakeTable(const CreateTable& create);

}  // namespace vaquita::sql
