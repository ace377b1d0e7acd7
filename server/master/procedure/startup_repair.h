// server/master/procedure/startup_repair.h: makes whole, at the master's start, what a crash left in the middle, and
// fills the catalog.
//
// The rules: a descriptor without a state in meta is what is left of a creation or a deletion: it goes. A table that
// was being enabled becomes enabled, one that was being disabled becomes disabled: by a procedure, when there are
// region servers (CompleteTableState). One that was being restored has its new regions, and then its new descriptor, or
// its old ones. A table that lost its descriptor or its state is out of service (Catalog::PutBroken), and rows that
// cannot be read are passed over. What becomes of stores that no region has, RegionServer::Open decides. What had been
// asked for and is not done then is begun anew by ProcedureStore.
#pragma once

#include "absl/status/status.h"

namespace vaquita {

struct MasterParts;

absl::Status RecoverTables(MasterParts& master);

}  // namespace vaquita
