// client/distribution/input_splits.h: a range of a distributed table as pieces of work for a batch job, one map task
// each.
//
// A piece lies in one bucket and one region, so that its task can run beside the region's server; there are as many as
// buckets overlap regions: with a region per bucket, as many as regions; with N buckets in one region, N. Where keys
// keep no order (BitReversal) it is each region as a whole, and its reader leaves out the rows that the scan's range
// does not have. The pieces are of the regions as they are now; each is read right after a split or a move, too.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "client/distribution/row_key_distributor.h"
#include "client/table.h"
#include "model/operations.h"

namespace vaquita::client {

struct InputSplit {
  std::string bucket_prefix;
  Scan scan;               // of the table's own (distributed) rows
  RowRange original_rows;  // what the rows' original keys must be in
  RegionLocation location;
};

// In order of buckets, then of regions. kIllegalArgument for a scan that is reversed or has a limit, or a filter that
// is refused (bucket_scan.h).
absl::StatusOr<std::vector<InputSplit>> MakeInputSplits(const RowKeyDistributor& distributor, const Scan& scan,
                                                        std::span<const RegionLocation> regions);

// The rows of one piece, with original keys. Their order is that of the original keys, but for BitReversal.
absl::StatusOr<std::unique_ptr<ResultScanner>> MakeSplitScanner(Table& table, RowKeyDistributorPtr distributor,
                                                                const InputSplit& split);

}  // namespace vaquita::client
