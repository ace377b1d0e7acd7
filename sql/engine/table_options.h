// sql/engine/table_options.h: the options of CREATE TABLE and ALTER TABLE, Phoenix's and HBase's.
//
// Threads: functions. Source: TableProperty, ConnectionQueryServicesImpl.separateAndValidateProperties (5.2).
#pragma once

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "model/table_descriptor.h"
#include "sql/catalog/table_def.h"
#include "sql/front/ast.h"

namespace vaquita::sql {

// Sets one of Phoenix's own properties that may change in a table's life. Returns false if the option is none of them;
// NotSupported, or IllegalData, for a value that Vaquita does not have.
absl::StatusOr<bool> SetOwnProperty(const TableOption& option, TableDef* def);
// Returns whether the option is one of HBase's that all families of a table have alike.
bool IsForAllFamilies(const TableOption& option);
// Sets an option of HBase's: of the family that it names, of all families, or of the table.
absl::Status SetHBaseOption(const TableOption& option, TableDescriptor* descriptor);
// Returns a family as Phoenix makes it.
FamilyDescriptor NewFamily(const std::string& name);
// Returns the option's number. Returns IllegalData, which says what would be right, for another value.
absl::StatusOr<int64_t> NumberOption(const TableOption& option, int64_t least, int64_t most);

}  // namespace vaquita::sql
