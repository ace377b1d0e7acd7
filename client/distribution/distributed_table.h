// client/distribution/distributed_table.h: a table with distributed keys behind a Table's own methods, which take and
// give original keys.
//
// Where the original key says which row it is (IsComputable), every method is one call, as the table's own. Where it
// does not (OneBytePrefix): a Put goes to the next bucket; Get, Exists and Delete go to all buckets at once, and what
// they find becomes one row (merge_row.h); a Delete of several buckets is not atomic, and a Put after it need not come
// to a bucket that had the row before. Increment, Append, CheckAndMutate, and RowMutations that delete, need the one
// row that there is, and are refused with kIllegalArgument; so is LocateRow. Filters: as bucket_scan.h says, also in
// gets and conditions. RegionLocations gives the table's, in distributed keys. Threads: as Table.
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

// The table with the distributor that its descriptor says (LoadDistributor).
absl::StatusOr<std::unique_ptr<Table>> OpenDistributedTable(Connection& connection, const TableName& name,
                                                            const KeyHasherParser& hashers = ParseKeyHasher);

// A mutation in original keys as those of the table, for a BufferedMutator: one, or for a Delete one per bucket.
// kIllegalArgument as above.
absl::StatusOr<std::vector<Mutation>> DistributeMutation(const RowKeyDistributor& distributor,
                                                         const Mutation& mutation);

}  // namespace vaquita::client
