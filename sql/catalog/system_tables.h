// sql/catalog/system_tables.h: the definitions of Phoenix's own tables that Vaquita has, for programs that read them.
//
// Phoenix lists its own tables in SYSTEM.CATALOG; Vaquita does not write these rows. Threads: any. Source:
// QueryConstants.CREATE_TABLE_METADATA, CREATE_CHILD_LINK_METADATA, CREATE_SEQUENCE_METADATA (5.2).
#pragma once

#include <memory>
#include <vector>

#include "sql/catalog/table_def.h"

namespace vaquita::sql {

// Returns SYSTEM.CATALOG, SYSTEM.CHILD_LINK and SYSTEM.SEQUENCE. SQL does not write them.
const std::vector<TablePtr>& SystemTables();

}  // namespace vaquita::sql
