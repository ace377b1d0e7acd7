// engine/former_rows.h: gives a store's rows the form in which their bytes have the store's order.
//
// Folders of format 1 have the rows of hbase:meta as they are (engine/cells/stored_row.h). Each cell gets its new key
// and loses its former one in the same write, so a crash leaves some cells in either form, and the next call goes on
// with the others. The former keys' markers slow reads until a major compaction. Without such rows a call costs
// one seek.
#pragma once

#include "absl/status/statusor.h"
#include "engine/store.h"

namespace vaquita {

// Rewrites the rows of the former form. Returns whether there were any; kCorruptHFile if a key is malformed.
// REQUIRES: nobody else uses the store yet, and its memstore's gauge was not set yet.
absl::StatusOr<bool> ConvertFormerRows(Store* store);

}  // namespace vaquita
