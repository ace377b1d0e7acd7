// client/distribution/distributed_table.h: a Table whose methods take and return original keys, over a table with
// distributed keys.
//
// If the original key determines the row (IsComputable), every method is one call, as on the table itself. If it does
// not (OneBytePrefix), a Put goes to the next bucket; Get, Exists and Delete go to all buckets at once, and their
// results become one row (merge_row.h). A Delete of several buckets is not atomic, and a Put after it may go to a
// bucket that did not have the row before. Increment, Append, CheckAndMutate, and RowMutations that delete, need to
// know the row, and are refused with kIllegalArgument; so is LocateRow. Filters are translated as in bucket_scan.h,
// also in gets and conditions. RegionLocations returns the table's, with distributed keys. Threads: as Table.
#pragma once

#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "client/connection.h"
#include "client/distribution/distributed_scanner.h"
#include "client/distribution/row_key_distributor.h"
#include "client/table.h"

namespace vaquita::client {

std::unique_ptr<Table> MakeDistributedTable(std::shared_ptr<Table> table, RowKeyDistributorPtr distributor,
                                            const DistributedScanOptions& options = {});

// Opens the table with the distributor that its descriptor names (LoadDistributor).
absl::StatusOr<std::unique_ptr<Table>> OpenDistributedTable(Connection& connection, const TableName& name,
                                                            const KeyHasherParser& hashers = ParseKeyHasher);

// Translates a mutation in original keys for a BufferedMutator: to one, or for a Delete to one per bucket. Returns
// kIllegalArgument as above.
absl::StatusOr<std::vector<Mutation>> DistributeMutation(const RowKeyDistributor& distributor,
                                                         const Mutation& mutation);

}  // namespace vaquita::client
