// sql/engine/table_maker.h: CREATE TABLE as a definition for the catalog and a table of HBase's.
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

// Returns Phoenix's errors for columns and keys that cannot be, NotSupported for options that Vaquita has not.
absl::StatusOr<NewTable> MakeTable(const CreateTable& create);

}  // namespace vaquita::sql
