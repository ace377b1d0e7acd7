// server/master/procedure/startup_repair.h: completes or undoes, at the master's start, the changes of tables that a
// crash interrupted, and fills the catalog.
//
// It removes a descriptor whose table has no state in hbase:meta: a creation or a deletion left it. When there are
// region servers, a procedure enables a table that was being enabled, and disables one that was being disabled
// (CompleteTableState). A table that was being restored gets its new descriptor if hbase:meta has its new regions, and
// else keeps the old one. A table without a descriptor or a state is out of service (Catalog::PutBroken). Rows that
// cannot be read are ignored. RegionServer::Open decides about stores that no region has, and ProcedureStore begins
// requests anew that are still not done.
#pragma once

#include "absl/status/status.h"

namespace vaquita {

struct MasterParts;

absl::Status RecoverTables(MasterParts& master);

}  // namespace vaquita
